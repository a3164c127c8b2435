"""What a fit must know of every partition before it asks for more: rows, columns and their kinds, labels of groups."""

from __future__ import annotations

import dataclasses

import numpy as np

from .._groups import is_missing
from .._kinds import as_numbers


@dataclasses.dataclass
class Facts:
    """Of one partition. `names` is None where columns have none; a kind is None where all its cells are missing."""

    rows: int
    bytes: int
    names: list[str] | None
    width: int
    kinds: list | None
    labels: list | None


@dataclasses.dataclass
class Heading:
    """Of all partitions together."""

    starts: list[int]
    rows: int
    names: list[str] | None
    width: int
    kinds: list
    group_numbers: list
    bytes: int

    @property
    def inputs(self):
        return self.names or [f"x{k + 1}" for k in range(self.width)]


def facts_of(rows, wants_kinds):
    """`wants_kinds`: whether columns may be more than numbers."""
    X = rows.X
    columns = list(X.columns) if hasattr(X, "columns") else None
    named = columns is not None and all(isinstance(name, str) for name in columns)
    kinds = _kinds_of(X) if wants_kinds else None
    labels = None if rows.groups is None else _distinct(rows.groups)
    bytes_ = len(X) * (X.shape[1] + 1) * 8
    return Facts(len(X), bytes_, [str(name) for name in columns] if named else None, X.shape[1], kinds, labels)


def _kinds_of(X):
    table, kinds = as_numbers(X)
    if kinds is None:
        return None
    empty = np.isnan(_values(table)).all(axis=0)
    return [None if empty[j] and kind[0] == "number" else kind for j, kind in enumerate(kinds)]


def _values(table):
    if hasattr(table, "to_numpy"):
        return table.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    return np.array(table, dtype=np.float64)


def _distinct(groups):
    labels = np.asarray(groups).tolist()
    for row, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(f"groups, row {row + 1}: the group is missing.\nGive every row one.")
    return list(dict.fromkeys(labels))


def merge_facts(facts):
    """Refuses partitions that do not fit together."""
    known = [(k, fact) for k, fact in enumerate(facts) if fact.rows > 0]
    if not known:
        raise ValueError("the table has no rows.\nGive a table with at least two rows.")
    place, first = known[0]
    for k, fact in known:
        if (fact.names, fact.width) != (first.names, first.width):
            raise ValueError(
                f"partitions {place + 1} and {k + 1} have different columns: {_columns(first)}, and {_columns(fact)}.\n"
                "Give all partitions the same columns in the same order."
            )
    starts = np.concatenate([[0], np.cumsum([fact.rows for fact in facts])]).astype(int)
    return Heading(
        starts[:-1].tolist(),
        int(starts[-1]),
        first.names,
        first.width,
        _merged_kinds(known, first),
        _numbers_of_groups(facts),
        sum(fact.bytes for fact in facts),
    )


def _columns(fact):
    return ", ".join(fact.names) if fact.names else f"{fact.width} without names"


def _merged_kinds(known, first):
    """Empty where all are numbers, as the library has it."""
    if all(fact.kinds is None for _, fact in known):
        return []
    names = first.names or [f"x{j + 1}" for j in range(first.width)]
    return [_merged_kind(names[j], _kinds_of_column(known, j)) for j in range(first.width)]


def _kinds_of_column(known, j):
    kinds = [(k, ("number", []) if fact.kinds is None else fact.kinds[j]) for k, fact in known]
    return [(k, kind) for k, kind in kinds if kind is not None]


def _merged_kind(name, kinds):
    if not kinds:
        return "number", []
    place, first = kinds[0]
    for k, kind in kinds:
        if kind[0] != first[0]:
            raise ValueError(
                f'column "{name}": partition {place + 1} has a {first[0]}, partition {k + 1} a {kind[0]}.\n'
                "Give the column one type in all partitions: all text, for instance, by astype(str)."
            )
    # As pandas would have them together: categories that are the same everywhere keep their order.
    if all(kind == first for _, kind in kinds):
        return first
    return first[0], sorted({level for _, kind in kinds for level in kind[1]})


def _numbers_of_groups(facts):
    """For each partition, the number of each of its labels: from 0 in the order in which they come in the table."""
    first = {}
    return [
        None if fact.labels is None else np.array([first.setdefault(label, len(first)) for label in fact.labels], np.uint32)
        for fact in facts
    ]


def table_of(X, kinds):
    """X as an array of numbers, categories by the codes of all partitions together."""
    table, own = as_numbers(X)
    values = _values(table)
    for j, (kind, levels) in enumerate(kinds):
        if kind == "category" and own is not None and own[j][0] == "category" and own[j][1] != levels:
            code = {level: float(c) for c, level in enumerate(levels)}
            codes = np.array([*(code[level] for level in own[j][1]), np.nan])
            values[:, j] = codes[np.where(np.isnan(values[:, j]), -1, values[:, j]).astype(int)]
    return values


def numbers_of(column, what):
    """A target or weights as the library takes them."""
    try:
        if hasattr(column, "to_numpy"):
            return np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} holds what is no number: {error}") from None


def groups_of(column, numbers):
    """Numbers of groups by those of the partition's labels."""
    labels = np.asarray(column).tolist()
    code = dict(zip(dict.fromkeys(labels), numbers.tolist(), strict=True))
    return np.array([code[label] for label in labels], dtype=np.uint32)
