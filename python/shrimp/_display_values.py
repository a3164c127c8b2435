"""Values of inputs as displays show them: few of them, levels by their names, and what is missing."""

import numpy as np

FEW = 10  # Values of an input that are drawn one by one.
MOST_LEVELS = 12  # Of a category: those of most rows.


def range_of(model, variable):
    values, _ = model.marginals[variable]
    return values[0], values[-1]


def values_if_few(model, variable):
    """All values of an input in the training rows, with the shares of these that have them, if they are few.

    Of a category, the levels of most rows.
    """
    values, masses = (np.array(own) for own in model.marginals[variable])
    if model.levels[variable]:
        shown = np.sort(np.argsort(-masses, kind="stable")[:MOST_LEVELS])
        return values[shown], masses[shown]
    return (values, masses) if len(values) <= FEW else (None, None)


def text_of_value(model, variable, value):
    if np.isnan(value):
        return "missing"
    levels = model.levels[variable]
    return levels[int(value)] if levels else f"{value:g}"


def column_of(estimator, X, variable):
    """The input in the rows of X that have it."""
    if estimator.model_.has_kinds:
        values = np.asarray(estimator._inputs(X))[:, variable]
    else:
        from sklearn.utils import _safe_indexing

        values = np.asarray(_safe_indexing(X, variable, axis=1), dtype=float)
    return values[~np.isnan(values)]


def valued(model, name, variables, row):
    """A term with the values that its inputs have, where these are few."""
    if len(variables) > 3:
        return name
    values = [
        text_of_value(model, j, row[j]) if model.levels[j] or np.isnan(row[j]) else f"{row[j]:.4g}" for j in variables
    ]
    return f"{name} = {values[0]}" if len(values) == 1 else f"{name} = ({', '.join(values)})"
