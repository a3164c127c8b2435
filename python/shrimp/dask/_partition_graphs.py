"""The tasks that make a partition, combined into one.

A scheduler that saw them one by one might make a partition on one worker and use it on another, and so move its rows.
"""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class PartitionGraph:
    """Tasks that make `parts`, at the indices in `keys`, from values of `futures` on workers."""

    graph: dict
    keys: dict[int, Any]
    parts: list[Any]
    futures: dict[Any, Any]

    def __getstate__(self):
        """Futures are sent as keys; the process that made this graph keeps them alive."""
        return vars(self) | {"futures": dict.fromkeys(self.futures)}

    def bound(self, client):
        """This graph with futures of the client."""
        from distributed import Future

        return dataclasses.replace(self, futures={key: Future(key, client) for key in self.futures})

    def values(self, found):
        """Compute the partition; `found` are the results of the futures, in their order."""
        from dask._task_spec import DataNode
        from dask.local import get_sync

        graph = self.graph | {key: DataNode(key, value) for key, value in zip(self.futures, found, strict=True)}
        made = get_sync(graph, list(self.keys.values()))
        values = list(self.parts)
        for place, value in zip(self.keys, made, strict=True):
            values[place] = value
        return values


def graphs_of(partitions):
    """A graph for each partition, which is a list of Delayed and other values.

    None if partitions share tasks, as after a shuffle: Dask should then compute these once.
    """
    whole_graphs = {}
    graphs = [_graph_of(parts, whole_graphs) for parts in partitions]
    seen = set()
    for own in graphs:
        if not seen.isdisjoint(own.graph):
            return None
        seen.update(own.graph)
    return graphs


def held_on_workers(partitions, client):
    """Graphs of partitions that are computed now, and stay on the workers while these graphs exist."""
    from dask.base import is_dask_collection

    graphs = []
    for parts in partitions:
        tasks = {place: part for place, part in enumerate(parts) if is_dask_collection(part)}
        futures = dict(zip(tasks, client.compute(list(tasks.values())), strict=True))
        keys = {place: future.key for place, future in futures.items()}
        rest = [None if place in keys else part for place, part in enumerate(parts)]
        graphs.append(PartitionGraph({}, keys, rest, {future.key: future for future in futures.values()}))
    return graphs


def _graph_of(parts, whole_graphs):
    from dask.base import is_dask_collection
    from dask.optimization import cull

    graph, keys = {}, {}
    for place, part in enumerate(parts):
        if not is_dask_collection(part):
            continue
        whole = whole_graphs.setdefault(id(part.dask), dict(part.dask))
        own, _ = cull(whole, [part.key])
        graph |= own
        keys[place] = part.key
    futures = {key: task for key, task in graph.items() if _is_future(task)}
    rest = {key: task for key, task in graph.items() if key not in futures}
    return PartitionGraph(rest, keys, [None if place in keys else part for place, part in enumerate(parts)], futures)


def _is_future(task):
    try:
        from distributed import Future
    except ImportError:
        return False
    return isinstance(task, Future)
