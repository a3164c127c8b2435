"""A table in Dask's partitions: inputs, target, weights and groups of each partition."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ._partition_graphs import PartitionGraph, graphs_of, held_on_workers


def is_collection(value):
    """Whether a value is a collection of Dask."""
    from dask.base import is_dask_collection

    return is_dask_collection(value)


@dataclasses.dataclass
class Table:
    """Partitions, each with delayed X, y, weights, groups and exposure, which may be names of columns of X or None."""

    partitions: list[Any]
    target: str = "y"
    has_exposure: bool = False

    @classmethod
    def of(cls, X, y, weights=None, groups=None, exposure=None):
        inputs = _partitions_of_inputs(X)
        columns = {"y": y, "sample_weight": weights, "groups": groups, "exposure": exposure}
        parts = [_column(X, inputs, values, what) for what, values in columns.items()]
        partitions = [[own, *(part[k] if isinstance(part, list) else part for part in parts)] for k, own in enumerate(inputs)]
        # The name of a Dask array is generated.
        name = y if isinstance(y, str) else None if _is_array(y) else getattr(y, "name", None)
        target = name if isinstance(name, str) and name else "y"
        return cls(graphs_of(partitions) or partitions, target, exposure is not None)

    def __len__(self):
        return len(self.partitions)

    def on(self, client):
        """This table with partitions that the workers of a cluster can make or hold."""
        is_ready = isinstance(self.partitions[0], PartitionGraph)
        return self if is_ready else dataclasses.replace(self, partitions=held_on_workers(self.partitions, client))


@dataclasses.dataclass
class Rows:
    """The rows of one partition, unconverted."""

    X: Any
    y: Any
    weights: Any
    groups: Any
    exposure: Any


def rows_of(partition, found):
    """The rows of a partition; `found` are the results of the futures of its graph.

    Columns that are given by name are not part of X.
    """
    X, y, weights, groups, exposure = partition.values(found) if isinstance(partition, PartitionGraph) else partition
    given = {"y": y, "sample_weight": weights, "groups": groups, "exposure": exposure}
    named = [name for name in given.values() if isinstance(name, str)]
    values = {what: X[value] if isinstance(value, str) else value for what, value in given.items()}
    if named:
        X = X.drop(columns=named)
    if getattr(X, "ndim", 0) != 2:
        raise ValueError(f"X has {getattr(X, 'ndim', 0)} dimensions, but needs two.\nGive rows and columns.")
    for what, column in values.items():
        if column is None:
            continue
        if getattr(column, "ndim", 1) == 2 and column.shape[1] == 1:
            column = values[what] = column.iloc[:, 0] if hasattr(column, "iloc") else column[:, 0]
        if len(column) != len(X):
            raise ValueError(f"X has {len(X)} rows and {what} {len(column)}.\nPartition both in the same way.")
    return Rows(X, *values.values())


def _is_array(collection):
    return hasattr(collection, "chunks")


def _partitions_of_inputs(X):
    if not is_collection(X) or not (_is_array(X) or hasattr(X, "npartitions")):
        raise TypeError(f"X is {_type_of(X)}, which is not partitioned.\nGive a Dask dataframe or array.")
    if _is_array(X):
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, but needs two.\nGive rows and columns.")
        if X.numblocks[1] > 1:
            X = X.rechunk({1: -1})
        return list(X.to_delayed().ravel())
    if not hasattr(X, "columns") or X.ndim != 2:
        raise TypeError(f"X is {_type_of(X)}, which does not have rows and columns.\nGive a Dask dataframe or array of two dimensions.")
    return list(X.to_delayed())


def _column(X, inputs, values, what):
    if values is None:
        return None
    if isinstance(values, str):
        if _is_array(X) or values not in list(X.columns):
            columns = "have no names" if _is_array(X) else f"are {', '.join(map(str, X.columns))}"
            raise ValueError(f'X has no column "{values}" for {what}: its columns {columns}.\nGive a column of X, or a collection.')
        return values
    if not is_collection(values):
        raise TypeError(
            f"{what} is {_type_of(values)}, but X is a collection of Dask.\n"
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
            "Partition both in the same way, as two columns of one dataframe are."
        )
    return parts


def _like_chunks_of(X, values):
    """An array with the chunks of X, if both lengths are known."""
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    rows = X.chunks[0] if _is_array(X) else ()
    known = rows and not np.isnan(rows).any() and not np.isnan(values.chunks[0]).any()
    if known and sum(rows) == sum(values.chunks[0]) and rows != values.chunks[0]:
        return values.rechunk({0: rows})
    return values


def _type_of(value):
    return f"{type(value).__module__}.{type(value).__qualname__}"
