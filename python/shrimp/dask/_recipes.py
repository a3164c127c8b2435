"""How a partition is made: the tasks of its own as one, so that all of it comes about where it is looked at.

A scheduler that saw them one by one might make a partition on one worker and look at it on another: its rows would travel.
"""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class Recipe:
    """Tasks that make what is in `parts` at the places that `keys` names, from values of `futures` on workers."""

    graph: dict
    keys: dict[int, Any]
    parts: list[Any]
    futures: dict[Any, Any]

    def __getstate__(self):
        """Futures do not travel: their keys say which they are, and whoever made the recipe holds them."""
        return vars(self) | {"futures": dict.fromkeys(self.futures)}

    def bound(self, client):
        """With futures that this client knows."""
        from distributed import Future

        return dataclasses.replace(self, futures={key: Future(key, client) for key in self.futures})

    def values(self, found):
        """The partition; `found` has the results of the futures, in their order."""
        from dask._task_spec import DataNode
        from dask.local import get_sync

        graph = self.graph | {key: DataNode(key, value) for key, value in zip(self.futures, found, strict=True)}
        made = get_sync(graph, list(self.keys.values()))
        values = list(self.parts)
        for place, value in zip(self.keys, made, strict=True):
            values[place] = value
        return values


def recipes_of(partitions):
    """A recipe for each partition, a list of Delayed and other values. None where partitions share tasks, as after a
    shuffle: these are for Dask to make once."""
    graphs = {}
    recipes = [_recipe(parts, graphs) for parts in partitions]
    seen = set()
    for recipe in recipes:
        if not seen.isdisjoint(recipe.graph):
            return None
        seen.update(recipe.graph)
    return recipes


def held_on_workers(partitions, client):
    """Recipes of partitions that are computed now, and stay on the workers as long as these recipes are here."""
    from dask.base import is_dask_collection

    recipes = []
    for parts in partitions:
        tasks = {place: part for place, part in enumerate(parts) if is_dask_collection(part)}
        futures = dict(zip(tasks, client.compute(list(tasks.values())), strict=True))
        keys = {place: future.key for place, future in futures.items()}
        rest = [None if place in keys else part for place, part in enumerate(parts)]
        recipes.append(Recipe({}, keys, rest, {future.key: future for future in futures.values()}))
    return recipes


def _recipe(parts, graphs):
    from dask.base import is_dask_collection
    from dask.optimization import cull

    graph, keys = {}, {}
    for place, part in enumerate(parts):
        if not is_dask_collection(part):
            continue
        whole = graphs.setdefault(id(part.dask), dict(part.dask))
        own, _ = cull(whole, [part.key])
        graph |= own
        keys[place] = part.key
    futures = {key: task for key, task in graph.items() if _is_future(task)}
    rest = {key: task for key, task in graph.items() if key not in futures}
    return Recipe(rest, keys, [None if place in keys else part for place, part in enumerate(parts)], futures)


def _is_future(task):
    try:
        from distributed import Future
    except ImportError:
        return False
    return isinstance(task, Future)
