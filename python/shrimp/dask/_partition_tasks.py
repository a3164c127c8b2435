"""Tasks that run where the partitions are.

Every task is a function of its partition and of a few numbers alone. A task that is repeated after a worker was lost gives
the same result, so that no row counts twice.
"""

from __future__ import annotations

import dataclasses

from .. import _core
from ._partition_info import groups_of, info_of, numbers_of, table_of
from ._table import rows_of


@dataclasses.dataclass
class Response:
    """A response as bytes of the library, the worker that made it, and the bytes that came from other workers for it."""

    bytes: bytes
    place: str
    moved: int = 0

    def __sizeof__(self):
        return len(self.bytes) + 200


@dataclasses.dataclass
class Rejection:
    """An invalid partition. It is not raised as an exception, because Dask would repeat the task."""

    message: str


@dataclasses.dataclass
class TableInfo:
    """Properties of the whole table that tasks need."""

    inputs: list[str]
    target: str
    column_types: list


def worker_address():
    """The address of this worker; "" outside of a worker."""
    try:
        from distributed import get_worker

        return get_worker().address
    except (ImportError, ValueError):
        return ""


def inspect_partition(partition, found, k, accepts_types):
    """Information about a partition, and the worker that inspected it."""
    return _checked(k, lambda: (info_of(rows_of(partition, found), accepts_types), worker_address()))


def rows_to_gather(partition, found, k):
    """The rows of a partition, and the worker that has them."""
    return _checked(k, lambda: (rows_of(partition, found), worker_address()))


def respond(partition, found, k, request, info, start, group_numbers):
    """The response of a partition to a request of the library."""

    def find():
        rows = rows_of(partition, found)
        X = table_of(rows.X, info.column_types)
        y = numbers_of(rows.y, "y")
        weights = None if rows.weights is None else numbers_of(rows.weights, "sample_weight")
        groups = None if rows.groups is None else groups_of(rows.groups, group_numbers)
        response = _core.answer_part(
            request, X, y, weights, groups, info.inputs, info.target, "", info.column_types, start, 1
        )
        return Response(response, worker_address())

    return _checked(k, find)


def merge(responses):
    """Several responses as one; the first rejection if there is one."""
    for response in responses:
        if isinstance(response, Rejection):
            return response
    place = worker_address()
    moved = sum(response.moved + (len(response.bytes) if response.place != place else 0) for response in responses)
    return Response(_core.merge_answers([response.bytes for response in responses]), place, moved)


def _checked(k, find):
    try:
        return find()
    except (ValueError, TypeError, KeyError) as error:
        return Rejection(f"partition {k + 1}: {error}")


def accepted(result):
    """The result; raises ValueError if it is a rejection."""
    if isinstance(result, Rejection):
        raise ValueError(result.message)
    return result
