"""Groups of rows that belong together."""

import numpy as np


def is_missing(group):
    try:
        return group is None or bool(group != group)
    except TypeError:  # pandas.NA has no truth.
        return True


def group_numbers(groups, rows):
    """A number from 0 for each row's group, in the order in which groups appear."""
    groups = np.asarray(groups)
    if groups.shape != (rows,):
        raise ValueError(f"groups.shape == {groups.shape}, expected {(rows,)}!")
    first = {}
    numbers = np.empty(rows, dtype=np.uint32)
    for i, group in enumerate(groups.tolist()):
        if is_missing(group):
            raise ValueError(f"groups, row {i + 1}: the group is missing.\nGive every row one.")
        numbers[i] = first.setdefault(group, len(first))
    return numbers
