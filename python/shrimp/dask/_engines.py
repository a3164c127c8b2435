"""How partitions are reached: on a cluster by its futures, without one by Dask's own scheduler in this process."""

from __future__ import annotations

import collections
import concurrent.futures
import time

from ._answers import accepted, answer, here, look, merge, rows_to_gather
from ._travel import Travel

# What is asked for, by the first byte of answers (src/parts/answer.cpp).
_KINDS = {1: "draw", 2: "sum up"}

# So many answers of one worker are merged to one at a time, and of different workers where all are more than fit at once.
_FAN = 8
_MOST_AT_ONCE = 64 << 20

# A task that failed is made again so often: a file system that did not answer may do so now.
_RETRIES = 2

_PATIENCE = 2.0  # Seconds between looks at whether workers are still there.


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
        self.travel.add(_KINDS[found.bytes[0]], len(self.table), sent, found.moved, time.monotonic() - start)
        return found.bytes


class LocalEngine(Engine):
    """Dask's schedulers of one machine: nothing travels."""

    def _all(self, function, arguments):
        return _computed(self._tasks(function, arguments))

    def _merged(self, function, question, arguments):
        import dask

        tasks = self._tasks(function, lambda k: (question, *arguments(k)))
        while len(tasks) > 1:
            tasks = [dask.delayed(merge)(tasks[k : k + _FAN]) for k in range(0, len(tasks), _FAN)]
        return accepted(_computed(tasks)[0]), 0

    def _tasks(self, function, arguments):
        import dask

        return [
            dask.delayed(function)(partition, [], k, *arguments(k)) for k, partition in enumerate(self.table.partitions)
        ]


def _computed(tasks):
    import dask

    try:
        return dask.compute(*tasks)
    except Exception as error:
        raise RuntimeError(_broken("a partition", error)) from error


class _WorkerLost(Exception):
    """Of those that hold partitions."""


class ClusterEngine(Engine):
    """Futures of a cluster, seen by a task that runs on one of its workers."""

    def __init__(self, table, client):
        super().__init__(table)
        self.client = client
        self.partitions = [partition.bound(client) for partition in table.partitions]

    def _all(self, function, arguments):
        return self._until_no_worker_is_lost(lambda: self._gather(*self._submit(function, arguments)))

    def _merged(self, function, question, arguments):
        def find():
            shared = self.client.scatter(question, hash=False)
            futures, number = self._submit(function, lambda k: (shared, *arguments(k)))
            answers = self._gather(self._few(self._merged_by_worker(futures, number)), number)
            return accepted(merge([accepted(one) for one in answers]))

        found = self._until_no_worker_is_lost(find)
        return found, len(question) * len(self._workers() - {here()})

    def _until_no_worker_is_lost(self, find):
        """Answers are of partitions where these are, and of no other worker: where one is lost, all are asked again."""
        while True:
            try:
                return find()
            except _WorkerLost:
                continue

    def _submit(self, function, arguments):
        """A future for each partition, on a worker that holds it if one does, and the partition's number by its key."""
        homes = [self._home_of(partition) for partition in self.partitions]
        self.homes = set().union(*filter(None, homes))
        futures = [
            self.client.submit(
                function,
                partition,
                list(partition.futures.values()),
                k,
                *arguments(k),
                workers=homes[k],
                pure=False,
                retries=_RETRIES,
            )
            for k, partition in enumerate(self.partitions)
        ]
        return futures, {future.key: k for k, future in enumerate(futures)}

    def _home_of(self, recipe):
        """The workers that hold all that is asked of them; None where there are none such."""
        held = self.client.who_has(list(recipe.futures.values())) if recipe.futures else {}
        return sorted(set.intersection(*map(set, held.values()))) or None if held else None

    def _merged_by_worker(self, futures, number):
        """Answers as they come, merged with others of the same worker: that moves nothing."""
        running = list(futures)
        futures.clear()  # Answers that were merged may go.
        waiting = collections.defaultdict(list)
        while running:
            self._wait(running, "FIRST_COMPLETED")
            done = [future for future in running if future.done()]
            running = [future for future in running if future not in done]
            for future in done:
                self._check(future, number)
                place = min(self._places(future), default="")
                waiting[place].append(future)
                if len(waiting[place]) == _FAN:
                    running.append(self._merge(waiting.pop(place)))
        return [self._merge(some) for some in waiting.values()]

    def _few(self, futures):
        """So few that they may be held at once."""
        self._wait(futures)
        while len(futures) > 1 and self._bytes_of(futures) > _MOST_AT_ONCE:
            futures = [self._merge(futures[k : k + _FAN]) for k in range(0, len(futures), _FAN)]
            self._wait(futures)
        return futures

    def _wait(self, futures, until="ALL_COMPLETED"):
        """Tasks that may run on a lost worker alone would be waited for in vain."""
        from distributed import wait

        while True:
            try:
                return wait(futures, timeout=_PATIENCE, return_when=until)
            except TimeoutError:
                if not self._homes_are_there():
                    raise _WorkerLost from None

    def _homes_are_there(self):
        return self.homes <= self._workers()

    def _merge(self, futures):
        return futures[0] if len(futures) == 1 else self.client.submit(merge, futures, pure=False, retries=_RETRIES)

    def _places(self, future):
        return self.client.who_has([future]).get(future.key, ())

    def _workers(self):
        return set(self.client.scheduler_info(n_workers=-1)["workers"])

    def _bytes_of(self, futures):
        return sum(self.client.nbytes([future.key for future in futures], summary=False).values())

    def _gather(self, futures, number):
        """Results, here: those that were made here do not go through the network."""
        from distributed import get_worker

        self._wait(futures)
        for future in futures:
            self._check(future, number)
        data = get_worker().data
        found = {future.key: data[future.key] for future in futures if future.key in data}
        others = [future for future in futures if future.key not in found]
        found |= dict(zip([future.key for future in others], self._fetched(others), strict=True))
        return [found[future.key] for future in futures]

    def _fetched(self, futures):
        """What other workers have. One that is lost now would be waited for without end: so another thread does that."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            results = pool.submit(self.client.gather, futures)
            while not results.done():
                concurrent.futures.wait([results], timeout=_PATIENCE)
                if not results.done() and not self._homes_are_there():
                    for future in futures:
                        future.cancel()  # That ends the other thread's waiting.
                    raise _WorkerLost
            return results.result()

    @staticmethod
    def _check(future, number):
        if future.status != "error":
            return
        error = future.exception()
        k = number.get(future.key)
        raise RuntimeError(_broken("a partition" if k is None else f"partition {k + 1}", error)) from error


def _broken(name, error):
    return f"{name} could not be computed: {type(error).__name__}: {error}"


def _light(facts):
    import pickle

    return len(pickle.dumps(facts))


def _weight_of(rows):
    from dask.sizeof import sizeof

    return sum(sizeof(part) for part in vars(rows).values() if part is not None)
