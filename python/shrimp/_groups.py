"""Groups of dependent rows."""

import numpy as np


def is_missing(value):
    """Whether a cell is None, NaN or NA."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA has no truth value.
        return True


def group_numbers(groups, rows):
    """A number from 0 for the group of each row, in the order in which groups appear."""
    groups = np.asarray(groups)
    if groups.shape != (rows,):
        raise ValueError(f"groups.shape == {groups.shape}, expected {(rows,)}!")
    first = {}
    numbers = np.empty(rows, dtype=np.uint32)
    for i, group in enumerate(groups.tolist()):
        if is_missing(group):
            raise ValueError(f"groups, row {i + 1}: the group is missing.\nGive every row a group.")
        numbers[i] = first.setdefault(group, len(first))
    return numbers
