"""Rows outside the training range, whose inputs models with clipping set to the ends of the range."""

import warnings

from . import _core


class OutsideRangeWarning(UserWarning):
    """Inputs of some rows are outside the training range and were clipped to it.

    The method `clipped` of an estimator lists these cells. The parameter `clip` sets the margin beyond the range.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from shrimp import OutsideRangeWarning, ShrimpRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
    >>> model = ShrimpRegressor(max_order=1, quick_error=True).fit(X, X[:, 0] + X[:, 1])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     prediction = model.predict([[0.0, 9.0]])
    >>> [issubclass(one.category, OutsideRangeWarning) for one in caught]
    [True]
    """


def warn_if_clipped(model, X):
    """Warn the caller of a prediction if rows of X are clipped, once for all rows."""
    clipped = _core.ClippedCount(model)
    clipped.add(X)
    warn_of(clipped, stacklevel=4)


def warn_of(clipped, stacklevel=3):
    """Warn of the rows that were counted as clipped."""
    if clipped.warning:
        warnings.warn(clipped.warning, OutsideRangeWarning, stacklevel=stacklevel)


def is_clipped(model, X):
    """Whether each cell of X is clipped."""
    lowest, highest = model.clipping_range
    return (X < lowest) | (X > highest)
