"""How partitions are reached: on a cluster by its futures, without one by Dask's own scheduler in this process."""

from __future__ import annotations

import collections
import time

from ._answers import Answer, accepted, answer, here, look, merge, rows_to_gather
from ._travel import Travel

# So many answers of one worker are merged to one at a time, and of different workers where all are more than fit at once.
_FAN = 8
_MOST_AT_ONCE = 64 << 20

# A task that failed is made again so often: a file system that did not answer may do so now.
_RETRIES = 2


class Engine:
    """Maps functions over the partitions of a table and merges what comes back."""

    def __init__(self, table):
        self.table = table
        self.travel = Travel()

    def look(self, wants_kinds):
        """Facts of all partitions, in their order."""
        start = time.monotonic()
        found = [accepted(one) for one in self._all(look, lambda k: (wants_kinds,))]
        own = here()
        received = sum(_light(facts) for facts, place in found if place != own)
        self.travel.add("look", len(self.table), 0, received, time.monotonic() - start)
        return [facts for facts, _ in found]

    def gather(self):
        """The rows of all partitions, here, in their order."""
        start = time.monotonic()
        found = [accepted(one) for one in self._all(rows_to_gather, lambda k: ())]
        own = here()
        received = sum(_weight_of(rows) for rows, place in found if place != own)
        self.travel.add("gather", len(self.table), 0, received, time.monotonic() - start)
        return [rows for rows, _ in found]

    def ask(self, question, asked, heading):
        """The answer of all partitions together, as bytes."""
        start = time.monotonic()
        found, sent = self._merged(
            answer, question, lambda k: (asked, heading.starts[k], heading.group_numbers[k])
        )
        self.travel.add("ask", len(self.table), sent, found.moved, time.monotonic() - start)
        return found.bytes


class LocalEngine(Engine):
    """Dask's schedulers of one machine: nothing travels."""

    def _all(self, function, arguments):
        import dask

        tasks = [dask.delayed(function)(self.table.partition(k), k, *arguments(k)) for k in range(len(self.table))]
        return _computed(tasks)

    def _merged(self, function, question, arguments):
        import dask

        tasks = [
            dask.delayed(function)(self.table.partition(k), k, question, *arguments(k)) for k in range(len(self.table))
        ]
        while len(tasks) > 1:
            tasks = [dask.delayed(merge)(tasks[k : k + _FAN]) for k in range(0, len(tasks), _FAN)]
        return accepted(_computed(tasks)[0]), 0


def _computed(tasks):
    import dask

    try:
        return dask.compute(*tasks)
    except Exception as error:
        raise RuntimeError(_broken("a partition", error)) from error


class ClusterEngine(Engine):
    """Futures of a cluster, seen by a task that runs on one of its workers."""

    def __init__(self, table, client):
        super().__init__(table)
        self.client = client

    def _all(self, function, arguments):
        futures, number = self._submit(function, arguments)
        found = [self._result(future, number) for future in futures]
        return found

    def _merged(self, function, question, arguments):
        shared = self.client.scatter(question, hash=False)
        futures, number = self._submit(function, lambda k: (shared, *arguments(k)))
        left = self._merged_by_worker(futures, number)
        left = self._few(left)
        places = {place for future in left for place in self._places(future)}
        answers = [accepted(self._result(future, number)) for future in left]
        return accepted(merge(answers)), len(question) * max(0, len(self._workers() | places) - 1)

    def _submit(self, function, arguments):
        import dask

        tasks = [dask.delayed(function)(self.table.partition(k), k, *arguments(k)) for k in range(len(self.table))]
        futures = self.client.compute(tasks, retries=_RETRIES)
        return futures, {future.key: k for k, future in enumerate(futures)}

    def _merged_by_worker(self, futures, number):
        """Answers as they come, merged with others of the same worker: that moves nothing."""
        from distributed import as_completed

        running = as_completed(futures)
        futures.clear()  # Answers that were merged may go.
        waiting = collections.defaultdict(list)
        for future in running:
            self._check(future, number)
            place = min(self._places(future), default="")
            waiting[place].append(future)
            if len(waiting[place]) == _FAN:
                running.add(self._merge(waiting.pop(place)))
            del future
        return [self._merge(some) if len(some) > 1 else some[0] for some in waiting.values()]

    def _few(self, futures):
        """So few that they may be held at once."""
        from distributed import wait

        wait(futures)
        while len(futures) > 1 and self._bytes_of(futures) > _MOST_AT_ONCE:
            futures = [self._merge(futures[k : k + _FAN]) for k in range(0, len(futures), _FAN)]
            wait(futures)
        return futures

    def _merge(self, futures):
        return futures[0] if len(futures) == 1 else self.client.submit(merge, futures, pure=False, retries=_RETRIES)

    def _places(self, future):
        return self.client.who_has([future]).get(future.key, ())

    def _workers(self):
        return set(self.client.scheduler_info(n_workers=-1)["workers"])

    def _bytes_of(self, futures):
        return sum(self.client.nbytes([future.key for future in futures], summary=False).values())

    def _check(self, future, number):
        if future.status == "error":
            self._result(future, number)

    @staticmethod
    def _result(future, number):
        try:
            return future.result()
        except Exception as error:
            k = number.get(future.key)
            name = "a partition" if k is None else f"partition {k + 1}"
            raise RuntimeError(_broken(name, error)) from error


def _broken(name, error):
    return f"{name} could not be computed: {type(error).__name__}: {error}"


def _light(facts):
    import pickle

    return len(pickle.dumps(facts))


def _weight_of(rows):
    from dask.sizeof import sizeof

    return sum(sizeof(part) for part in vars(rows).values() if part is not None)
