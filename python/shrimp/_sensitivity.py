"""Sobol' indices of a fitted model as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas


class Sensitivity(NamedTuple):
    """Which inputs and terms of a model matter, and how much.

    Attributes
    ----------
    inputs : DataFrame
        Of each input: `first` and `total` order, with the bounds of their intervals (`first_low`, ...), which are NaN
        where the model does not know how sure its coefficients are. Over rows: also what they are made of, the terms'
        own variances (`first_structural`, `total_structural`) and their covariances with other terms
        (`first_correlative`, `total_correlative`).
    terms : DataFrame
        Of each term: its name, inputs and `share`, with `low` and `high`; over rows also `structural` and
        `correlative`. Largest share first.
    variance : float
        Of the model's predictions, or of the form in which the target was fitted.
    unlisted : float
        The share of what three and more inputs do together and is too much to list.
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
    """What the library found as a Sensitivity."""
    import pandas

    inputs, terms, variance, unlisted = found
    input_rows = []
    for name, (first, total) in zip(names, inputs):
        (first_value, first_more), (total_value, total_more) = (
            _columns(first, "first_", over_rows),
            _columns(total, "total_", over_rows),
        )
        input_rows.append({"input": name, "first": first_value, "total": total_value} | first_more | total_more)
    term_rows = []
    for variables, index in terms:
        own = tuple(names[j] for j in variables)
        share, more = _columns(index, "", over_rows)
        term_rows.append({"term": _name(own), "inputs": own, "order": len(own), "share": share} | more)
    columns = ["term", "inputs", "order", "share", "low", "high"]
    columns += ["structural", "correlative"] if over_rows else []
    return Sensitivity(pandas.DataFrame(input_rows), pandas.DataFrame(term_rows, columns=columns), variance, unlisted)


def refuse_unknown_kind(by):
    """Parts are by term or by input."""
    if by not in ("term", "input"):
        raise ValueError(f"by={by!r} is not allowed.\nGive 'term' or 'input'.")


def laws_text(inputs, names):
    """Laws as the library reads them: a text as it is, a dict of names and laws, or pairs of numbers for uniform."""
    if inputs is None:
        return ""
    if isinstance(inputs, str):
        return inputs
    laws = []
    for name, law in inputs.items():
        if isinstance(name, int):
            if not 0 <= name < len(names):
                raise ValueError(f"the model has no input {name}.\nIt has {len(names)}, counted from 0.")
            name = names[name]
        if not isinstance(law, str):
            low, high = law
            law = f"uniform({float(low)!r},{float(high)!r})"
        quoted = str(name).replace('"', '""')
        laws.append(f'"{quoted}"={law}')
    return ",".join(laws)
