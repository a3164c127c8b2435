"""Rows outside the training range, which models with clipping hold at its edge."""

import warnings


class OutsideRangeWarning(UserWarning):
    """Rows to predict lie outside the training range and were held at its edge; `clipped` tells which ones."""


def warn_if_clipped(model, X):
    """Warns where predict was called, once for all rows."""
    message = model.clipping_warning(X)
    if message:
        warnings.warn(message, OutsideRangeWarning, stacklevel=3)


def is_clipped(model, X):
    """Whether each cell of X is held at the edge."""
    lowest, highest = model.clipping_range
    return (X < lowest) | (X > highest)
