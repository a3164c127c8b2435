"""Values of inputs as displays show them: discrete values, names of levels, and missing cells."""

import numpy as np

MAX_DISCRETE_VALUES = 10  # An input with more distinct values is drawn as a curve.
MAX_LEVELS = 12  # Levels of a category that are drawn, those with most rows.


def range_of(model, variable):
    """The smallest and largest value of an input in the training rows."""
    values, _ = model.marginals[variable]
    return values[0], values[-1]


def discrete_values(model, variable):
    """The distinct values of an input in the training rows and their fractions of the rows; (None, None) if too many.

    For a category, the levels with most rows.
    """
    values, masses = (np.array(own) for own in model.marginals[variable])
    if model.levels[variable]:
        shown = np.sort(np.argsort(-masses, kind="stable")[:MAX_LEVELS])
        return values[shown], masses[shown]
    return (values, masses) if len(values) <= MAX_DISCRETE_VALUES else (None, None)


def text_of_value(model, variable, value):
    """A value of an input as text: the name of a level, "missing", or a number."""
    if np.isnan(value):
        return "missing"
    levels = model.levels[variable]
    return levels[int(value)] if levels else f"{value:g}"


def column_of(estimator, X, variable):
    """Values of an input in the rows of X where it is not missing."""
    if estimator.model_.has_kinds:
        values = np.asarray(estimator._inputs(X))[:, variable]
    else:
        from sklearn.utils import _safe_indexing

        values = np.asarray(_safe_indexing(X, variable, axis=1), dtype=float)
    return values[~np.isnan(values)]


def with_values(model, name, variables, row):
    """The name of a term with the values of its inputs in a row; without them for more than three inputs."""
    if len(variables) > 3:
        return name
    values = [
        text_of_value(model, j, row[j]) if model.levels[j] or np.isnan(row[j]) else f"{row[j]:.4g}" for j in variables
    ]
    return f"{name} = {values[0]}" if len(values) == 1 else f"{name} = ({', '.join(values)})"
