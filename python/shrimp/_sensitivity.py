"""Results of a sensitivity analysis as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas


class Sensitivity(NamedTuple):
    """Result of a global sensitivity analysis: what each input and each term contributes to the variance.

    `ShrimpRegressor.sensitivity` returns it.

    Attributes
    ----------
    inputs : DataFrame
        One row for each input, with its name (`input`), its `first`-order and its `total` index. `first_low`,
        `first_high`, `total_low` and `total_high` are the bounds of their 90 % intervals. Bounds are NaN if the model
        has no posterior of its coefficients. Over the rows of a table, `first_structural` and `total_structural` are
        the parts from variances of terms. `first_correlative` and `total_correlative` are the parts from covariances
        with other terms.
    terms : DataFrame
        One row for each term, largest first, with its name (`term`), the tuple of its `inputs` and their number
        (`order`). `fraction` is the fraction of variance, which for independent inputs is the Sobol' index, and `low`
        and `high` are its bounds. Over the rows of a table, `structural` and `correlative` are its parts.
    variance : float
        Variance of the predictions, on the scale of the transformed target if the target was transformed.
    unlisted : float
        Fraction of the variance in interactions of three and more inputs that are too many to list.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
    >>> found = ShrimpRegressor(method="lasso", alpha=1e-3).fit(X, X[:, 0] + 3 * X[:, 1]).sensitivity()
    >>> found.terms["term"].tolist()
    ['x2', 'x1']
    """

    inputs: pandas.DataFrame
    terms: pandas.DataFrame
    variance: float
    unlisted: float


def _number(bound):
    return math.nan if bound is None else bound


def _columns(index, prefix, over_rows):
    value, structural, correlative, low, high = index
    columns = {f"{prefix}low": _number(low), f"{prefix}high": _number(high)}
    if over_rows:
        columns |= {f"{prefix}structural": structural, f"{prefix}correlative": correlative}
    return value, columns


def _name(names):
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def tables(names, found, over_rows):
    """The result of the library as a Sensitivity."""
    import pandas

    inputs, terms, variance, unlisted = found
    input_rows = []
    for name, (first, total) in zip(names, inputs):
        first_value, first_more = _columns(first, "first_", over_rows)
        total_value, total_more = _columns(total, "total_", over_rows)
        input_rows.append({"input": name, "first": first_value, "total": total_value} | first_more | total_more)
    term_rows = []
    for variables, index in terms:
        own = tuple(names[j] for j in variables)
        fraction, more = _columns(index, "", over_rows)
        term_rows.append({"term": _name(own), "inputs": own, "order": len(own), "fraction": fraction} | more)
    columns = ["term", "inputs", "order", "fraction", "low", "high"]
    columns += ["structural", "correlative"] if over_rows else []
    return Sensitivity(pandas.DataFrame(input_rows), pandas.DataFrame(term_rows, columns=columns), variance, unlisted)


def refuse_unknown_parts(by):
    """Raise unless contributions are wanted by term or by input."""
    if by not in ("term", "input"):
        raise ValueError(f"by={by!r} is not allowed.\nGive 'term' or 'input'.")


def distributions_text(inputs, names):
    """Distributions of inputs in the notation of the library: from a string, or a dict of names and distributions."""
    if inputs is None:
        return ""
    if isinstance(inputs, str):
        return inputs
    distributions = []
    for name, distribution in inputs.items():
        if isinstance(name, int):
            if not 0 <= name < len(names):
                raise ValueError(f"the model has no input {name}.\nGive the index of an input, from 0 to {len(names) - 1}.")
            name = names[name]
        if not isinstance(distribution, str):
            low, high = distribution
            distribution = f"uniform({float(low)!r},{float(high)!r})"
        quoted = str(name).replace('"', '""')
        distributions.append(f'"{quoted}"={distribution}')
    return ",".join(distributions)
