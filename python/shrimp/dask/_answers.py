"""What runs where the partitions are. Every task is a function of its partition and of few numbers alone: one that is
made again, after a worker was lost, gives the same, and no row counts twice."""

from __future__ import annotations

import dataclasses

from .. import _core
from ._facts import facts_of, groups_of, numbers_of, table_of
from ._table import rows_of


@dataclasses.dataclass
class Answer:
    """Bytes of the library, the worker that they were made on, and how many came from others to make them."""

    bytes: bytes
    place: str
    moved: int = 0

    def __sizeof__(self):
        return len(self.bytes) + 200


@dataclasses.dataclass
class Refusal:
    """A partition that cannot be taken. It is no exception: computing it again would not help."""

    words: str


@dataclasses.dataclass
class Asked:
    """What answers need of the table besides a partition."""

    inputs: list[str]
    target: str
    kinds: list


def here():
    """The worker's address; "" outside of one."""
    try:
        from distributed import get_worker

        return get_worker().address
    except (ImportError, ValueError):
        return ""


def look(partition, found, k, wants_kinds):
    """Facts of a partition, and where it was looked at."""
    return _told(k, lambda: (facts_of(rows_of(partition, found), wants_kinds), here()))


def rows_to_gather(partition, found, k):
    """A partition as it is, and where it was."""
    return _told(k, lambda: (rows_of(partition, found), here()))


def answer(partition, found, k, question, asked, start, group_numbers):
    """The partition's answer to a question of the library."""

    def find():
        rows = rows_of(partition, found)
        X = table_of(rows.X, asked.kinds)
        y = numbers_of(rows.y, "y")
        weights = None if rows.weights is None else numbers_of(rows.weights, "sample_weight")
        groups = None if rows.groups is None else groups_of(rows.groups, group_numbers)
        made = _core.answer_part(question, X, y, weights, groups, asked.inputs, asked.target, "", asked.kinds, start, 1)
        return Answer(made, here())

    return _told(k, find)


def merge(answers):
    """Answers as one; the first refusal where there is one."""
    for one in answers:
        if isinstance(one, Refusal):
            return one
    place = here()
    moved = sum(one.moved + (len(one.bytes) if one.place != place else 0) for one in answers)
    return Answer(_core.merge_answers([one.bytes for one in answers]), place, moved)


def _told(k, find):
    try:
        return find()
    except (ValueError, TypeError, KeyError) as error:
        return Refusal(f"partition {k + 1}: {error}")


def accepted(result):
    """The result, unless it is a refusal: then it is raised."""
    if isinstance(result, Refusal):
        raise ValueError(result.words)
    return result
