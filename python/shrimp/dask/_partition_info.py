"""Information about partitions that a fit needs first: rows, columns and their types, and group labels."""

from __future__ import annotations

import dataclasses

import numpy as np

from .._column_types import to_numeric
from .._groups import is_missing


@dataclasses.dataclass
class PartitionInfo:
    """One partition. `names` is None if columns have no names; a column type is None if all cells are missing."""

    rows: int
    bytes: int
    names: list[str] | None
    width: int
    column_types: list | None
    labels: list | None


@dataclasses.dataclass
class Heading:
    """All partitions together."""

    starts: list[int]
    rows: int
    names: list[str] | None
    width: int
    column_types: list
    group_numbers: list
    bytes: int

    @property
    def inputs(self):
        return self.names or [f"x{k + 1}" for k in range(self.width)]


def info_of(rows, accepts_types):
    """Information about the rows of a partition; `accepts_types` is whether columns may be other than numbers."""
    X = rows.X
    columns = list(X.columns) if hasattr(X, "columns") else None
    named = columns is not None and all(isinstance(name, str) for name in columns)
    column_types = _column_types_of(X) if accepts_types else None
    labels = None if rows.groups is None else _distinct(rows.groups)
    bytes_ = len(X) * (X.shape[1] + 1) * 8
    names = [str(name) for name in columns] if named else None
    return PartitionInfo(len(X), bytes_, names, X.shape[1], column_types, labels)


def _column_types_of(X):
    table, column_types = to_numeric(X)
    if column_types is None:
        return None
    empty = np.isnan(_values(table)).all(axis=0)
    return [None if empty[j] and own[0] == "number" else own for j, own in enumerate(column_types)]


def _values(table):
    if hasattr(table, "to_numpy"):
        return table.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    return np.array(table, dtype=np.float64)


def _distinct(groups):
    labels = np.asarray(groups).tolist()
    for row, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(f"groups, row {row + 1}: the group is missing.\nGive every row a group.")
    return list(dict.fromkeys(labels))


def merge_info(partitions):
    """The heading of the table. Raises ValueError if partitions have different columns."""
    known = [(k, info) for k, info in enumerate(partitions) if info.rows > 0]
    if not known:
        raise ValueError("the table has no rows.\nGive a table with at least two rows.")
    place, first = known[0]
    for k, info in known:
        if (info.names, info.width) != (first.names, first.width):
            raise ValueError(
                f"partitions {place + 1} and {k + 1} have different columns: {_columns(first)}, and {_columns(info)}.\n"
                "Give all partitions the same columns in the same order."
            )
    starts = np.concatenate([[0], np.cumsum([info.rows for info in partitions])]).astype(int)
    return Heading(
        starts[:-1].tolist(),
        int(starts[-1]),
        first.names,
        first.width,
        _merged_types(known, first),
        _numbers_of_groups(partitions),
        sum(info.bytes for info in partitions),
    )


def _columns(info):
    return ", ".join(info.names) if info.names else f"{info.width} without names"


def _merged_types(known, first):
    """The column types; empty if all columns are numbers, as the library expects."""
    if all(info.column_types is None for _, info in known):
        return []
    names = first.names or [f"x{j + 1}" for j in range(first.width)]
    return [_merged_type(names[j], _types_of_column(known, j)) for j in range(first.width)]


def _types_of_column(known, j):
    types = [(k, ("number", []) if info.column_types is None else info.column_types[j]) for k, info in known]
    return [(k, own) for k, own in types if own is not None]


def _merged_type(name, types):
    if not types:
        return "number", []
    place, first = types[0]
    for k, own in types:
        if own[0] != first[0]:
            raise ValueError(
                f'column "{name}": partition {place + 1} has a {first[0]}, partition {k + 1} a {own[0]}.\n'
                "Give the column one type in all partitions, for instance by astype(str)."
            )
    # As in pandas.concat, categories that are equal in all partitions keep their order.
    if all(own == first for _, own in types):
        return first
    return first[0], sorted({level for _, own in types for level in own[1]})


def _numbers_of_groups(partitions):
    """For each partition, the number of each of its labels: from 0 in the order in which they appear in the table."""
    first = {}
    return [
        None if info.labels is None else np.array([first.setdefault(label, len(first)) for label in info.labels], np.uint32)
        for info in partitions
    ]


def table_of(X, column_types):
    """X as an array of numbers, with codes of categories that are the same in all partitions."""
    table, own = to_numeric(X)
    values = _values(table)
    for j, (column_type, levels) in enumerate(column_types):
        if column_type == "category" and own is not None and own[j][0] == "category" and own[j][1] != levels:
            code = {level: float(c) for c, level in enumerate(levels)}
            codes = np.array([*(code[level] for level in own[j][1]), np.nan])
            values[:, j] = codes[np.where(np.isnan(values[:, j]), -1, values[:, j]).astype(int)]
    return values


def numbers_of(column, what):
    """A target or weights as an array of numbers."""
    try:
        if hasattr(column, "to_numpy"):
            return np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} contains a cell that is not a number: {error}\nGive numbers in all partitions.") from None


def groups_of(column, numbers):
    """The group number of each row, from the numbers of the partition's labels."""
    labels = np.asarray(column).tolist()
    code = dict(zip(dict.fromkeys(labels), numbers.tolist(), strict=True))
    return np.array([code[label] for label in labels], dtype=np.uint32)
