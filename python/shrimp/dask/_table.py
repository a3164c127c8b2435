"""A table in Dask's partitions: its inputs, target, weights and groups, partition by partition."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ._recipes import Recipe, held_on_workers, recipes_of


def is_collection(value):
    """Whether Dask holds it in partitions."""
    from dask.base import is_dask_collection

    return is_dask_collection(value)


@dataclasses.dataclass
class Table:
    """Its partitions: values to come of X, y, weights, groups and exposure, names of columns of X, or None."""

    partitions: list[Any]
    target: str = "y"
    has_exposure: bool = False

    @classmethod
    def of(cls, X, y, weights=None, groups=None, exposure=None):
        inputs = _partitions_of_inputs(X)
        columns = {"y": y, "sample_weight": weights, "groups": groups, "exposure": exposure}
        parts = [_column(X, inputs, values, what) for what, values in columns.items()]
        partitions = [[own, *(part[k] if isinstance(part, list) else part for part in parts)] for k, own in enumerate(inputs)]
        # A Dask array's name is one that no person gave.
        name = y if isinstance(y, str) else None if _is_array(y) else getattr(y, "name", None)
        target = name if isinstance(name, str) and name else "y"
        return cls(recipes_of(partitions) or partitions, target, exposure is not None)

    def __len__(self):
        return len(self.partitions)

    def on(self, client):
        """The same, of partitions that a cluster's workers can make or have."""
        is_ready = isinstance(self.partitions[0], Recipe)
        return self if is_ready else dataclasses.replace(self, partitions=held_on_workers(self.partitions, client))


@dataclasses.dataclass
class Rows:
    """The rows of one partition as they came."""

    X: Any
    y: Any
    weights: Any
    groups: Any
    exposure: Any


def rows_of(partition, found):
    """The rows of a partition of which `found` has what its recipe asks for.

    Columns that are named are taken out of X; all must have the same rows.
    """
    X, y, weights, groups, exposure = partition.values(found) if isinstance(partition, Recipe) else partition
    given = {"y": y, "sample_weight": weights, "groups": groups, "exposure": exposure}
    named = [name for name in given.values() if isinstance(name, str)]
    values = {what: X[value] if isinstance(value, str) else value for what, value in given.items()}
    if named:
        X = X.drop(columns=named)
    if getattr(X, "ndim", 0) != 2:
        raise ValueError(f"X has {getattr(X, 'ndim', 0)} dimensions, where rows and columns are needed.")
    for what, column in values.items():
        if column is None:
            continue
        if getattr(column, "ndim", 1) == 2 and column.shape[1] == 1:
            column = values[what] = column.iloc[:, 0] if hasattr(column, "iloc") else column[:, 0]
        if len(column) != len(X):
            raise ValueError(f"X has {len(X)} rows and {what} {len(column)}.\nPartition them in the same way.")
    return Rows(X, *values.values())


def _is_array(collection):
    return hasattr(collection, "chunks")


def _partitions_of_inputs(X):
    if not is_collection(X) or not (_is_array(X) or hasattr(X, "npartitions")):
        raise TypeError(f"X is {_type_of(X)}, where a Dask dataframe or array is needed.")
    if _is_array(X):
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, where rows and columns are needed.\nGive it a shape of two.")
        if X.numblocks[1] > 1:
            X = X.rechunk({1: -1})
        return list(X.to_delayed().ravel())
    if not hasattr(X, "columns") or X.ndim != 2:
        raise TypeError(f"X is {_type_of(X)}, where a Dask dataframe or array of two dimensions is needed.")
    return list(X.to_delayed())


def _column(X, inputs, values, what):
    if values is None:
        return None
    if isinstance(values, str):
        if _is_array(X) or values not in list(X.columns):
            has = "has no names" if _is_array(X) else f"has {', '.join(map(str, X.columns))}"
            raise ValueError(f'X has no column "{values}" for {what}: it {has}.\nGive a column of X, or a collection.')
        return values
    if not is_collection(values):
        raise TypeError(
            f"{what} is {_type_of(values)} beside an X of Dask.\n"
            f"Give {what} as a Dask series or array with the partitions of X, or as the name of a column."
        )
    if _is_array(values):
        values = _like_chunks_of(X, values)
        parts = list(values.to_delayed().ravel())
    else:
        parts = list(values.to_delayed())
    if len(parts) != len(inputs):
        raise ValueError(
            f"X has {len(inputs)} partitions and {what} {len(parts)}.\n"
            f"Partition them in the same way, as two columns of one dataframe are."
        )
    return parts


def _like_chunks_of(X, values):
    """Where both lengths are known, an array is cut as X is."""
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    rows = X.chunks[0] if _is_array(X) else ()
    known = rows and not np.isnan(rows).any() and not np.isnan(values.chunks[0]).any()
    if known and sum(rows) == sum(values.chunks[0]) and rows != values.chunks[0]:
        return values.rechunk({0: rows})
    return values


def _type_of(value):
    return f"{type(value).__module__}.{type(value).__qualname__}"
