"""Rows outside the training range, which models with clipping hold at its edge."""

import warnings

from . import _core


class OutsideRangeWarning(UserWarning):
    """Rows to predict lie outside the training range and were clipped to it; `clipped` shows which ones."""


def warn_if_clipped(model, X):
    """Warns where predict was called, once for all rows."""
    rows = _core.ClippedCount(model)
    rows.add(X)
    warn_of(rows, stacklevel=4)


def warn_of(rows, stacklevel=3):
    """Warns of rows that were counted."""
    if rows.warning:
        warnings.warn(rows.warning, OutsideRangeWarning, stacklevel=stacklevel)


def is_clipped(model, X):
    """Whether each cell of X is held at the edge."""
    lowest, highest = model.clipping_range
    return (X < lowest) | (X > highest)
