"""How tasks reach the partitions: by futures on a cluster, or by Dask's scheduler in this process."""

from __future__ import annotations

import collections
import concurrent.futures
import time

from ._partition_tasks import accepted, inspect_partition, merge, respond, rows_to_gather, worker_address
from ._transfers import Transfers

# Names of passes, by the first byte of a response (src/parts/answer.cpp).
_PASSES = {1: "sample", 2: "sums"}

# Number of responses that one task merges. Responses of one worker are merged there; those of different workers only
# while all of them exceed this number of bytes. Both were chosen by hand.
_MERGED_AT_ONCE = 8
_MAX_BYTES_HELD = 64 << 20

# Repetitions of a failed task, for temporary errors such as those of a file system.
_RETRIES = 2

_CHECK_INTERVAL = 2.0  # Seconds between checks for lost workers.


class Engine:
    """Maps functions over the partitions of a table and merges their results."""

    def __init__(self, table):
        self.table = table
        self.transfers = Transfers()

    def inspect(self, accepts_types):
        """Information about all partitions, in their order."""
        start = time.monotonic()
        found = [accepted(one) for one in self._all(inspect_partition, lambda k: (accepts_types,))]
        own = worker_address()
        received = sum(_pickled_size(info) for info, place in found if place != own)
        self.transfers.add("inspect", len(self.table), 0, received, time.monotonic() - start)
        return [info for info, _ in found]

    def gather(self):
        """The rows of all partitions, moved to this process, in their order."""
        start = time.monotonic()
        found = [accepted(one) for one in self._all(rows_to_gather, lambda k: ())]
        own = worker_address()
        received = sum(_size_of_rows(rows) for rows, place in found if place != own)
        self.transfers.add("gather", len(self.table), 0, received, time.monotonic() - start)
        return [rows for rows, _ in found]

    def request(self, request, info, heading):
        """The merged response of all partitions, as bytes."""
        start = time.monotonic()
        found, sent = self._merged(
            respond, request, lambda k: (info, heading.starts[k], heading.group_numbers[k])
        )
        self.transfers.add(_PASSES[found.bytes[0]], len(self.table), sent, found.moved, time.monotonic() - start)
        return found.bytes


class LocalEngine(Engine):
    """Runs tasks by Dask's scheduler of one machine; nothing is transferred."""

    def _all(self, function, arguments):
        return _computed(self._tasks(function, arguments))

    def _merged(self, function, request, arguments):
        import dask

        tasks = self._tasks(function, lambda k: (request, *arguments(k)))
        while len(tasks) > 1:
            tasks = [dask.delayed(merge)(tasks[k : k + _MERGED_AT_ONCE]) for k in range(0, len(tasks), _MERGED_AT_ONCE)]
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
        raise RuntimeError(_failure("a partition", error)) from error


class _WorkerLost(Exception):
    """A worker that holds partitions was lost."""


class ClusterEngine(Engine):
    """Runs tasks on a cluster, from a task on one of its workers."""

    def __init__(self, table, client):
        super().__init__(table)
        self.client = client
        self.partitions = [partition.bound(client) for partition in table.partitions]

    def _all(self, function, arguments):
        return self._until_no_worker_is_lost(lambda: self._gather(*self._submit(function, arguments)))

    def _merged(self, function, request, arguments):
        def find():
            shared = self.client.scatter(request, hash=False)
            futures, number = self._submit(function, lambda k: (shared, *arguments(k)))
            responses = self._gather(self._reduced(self._merged_by_worker(futures, number)), number)
            return accepted(merge([accepted(response) for response in responses]))

        found = self._until_no_worker_is_lost(find)
        return found, len(request) * len(self._workers() - {worker_address()})

    def _until_no_worker_is_lost(self, find):
        """Repeat `find` until no worker is lost while it runs: tasks are bound to the workers that hold their partitions."""
        while True:
            try:
                return find()
            except _WorkerLost:
                continue

    def _submit(self, function, arguments):
        """A future for each partition, on a worker that holds it if any does, and the index of the partition by its key."""
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

    def _home_of(self, partition):
        """The workers that hold all futures of a partition; None if there are none."""
        held = self.client.who_has(list(partition.futures.values())) if partition.futures else {}
        return sorted(set.intersection(*map(set, held.values()))) or None if held else None

    def _merged_by_worker(self, futures, number):
        """Merge responses as they finish with others of the same worker, which transfers nothing."""
        running = list(futures)
        futures.clear()  # Dask releases responses once they are merged.
        waiting = collections.defaultdict(list)
        while running:
            self._wait(running, "FIRST_COMPLETED")
            done = [future for future in running if future.done()]
            running = [future for future in running if future not in done]
            for future in done:
                self._check(future, number)
                place = min(self._places(future), default="")
                waiting[place].append(future)
                if len(waiting[place]) == _MERGED_AT_ONCE:
                    running.append(self._merge(waiting.pop(place)))
        return [self._merge(some) for some in waiting.values()]

    def _reduced(self, futures):
        """Merge responses until this process can hold all of them."""
        self._wait(futures)
        while len(futures) > 1 and self._bytes_of(futures) > _MAX_BYTES_HELD:
            futures = [self._merge(futures[k : k + _MERGED_AT_ONCE]) for k in range(0, len(futures), _MERGED_AT_ONCE)]
            self._wait(futures)
        return futures

    def _wait(self, futures, until="ALL_COMPLETED"):
        """Wait for futures; raises _WorkerLost if a worker that must run some of them is lost."""
        from distributed import wait

        while True:
            try:
                return wait(futures, timeout=_CHECK_INTERVAL, return_when=until)
            except TimeoutError:
                if not self._homes_exist():
                    raise _WorkerLost from None

    def _homes_exist(self):
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
        """Results of futures. Those of this worker are not sent through the network."""
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
        """Results on other workers. A separate thread waits for them, because it would wait forever for a lost worker."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            results = pool.submit(self.client.gather, futures)
            while not results.done():
                concurrent.futures.wait([results], timeout=_CHECK_INTERVAL)
                if not results.done() and not self._homes_exist():
                    for future in futures:
                        future.cancel()  # Ends the wait of the other thread.
                    raise _WorkerLost
            return results.result()

    @staticmethod
    def _check(future, number):
        if future.status != "error":
            return
        error = future.exception()
        k = number.get(future.key)
        raise RuntimeError(_failure("a partition" if k is None else f"partition {k + 1}", error)) from error


def _failure(name, error):
    return f"{name} could not be computed: {type(error).__name__}: {error}"


def _pickled_size(info):
    import pickle

    return len(pickle.dumps(info))


def _size_of_rows(rows):
    from dask.sizeof import sizeof

    return sum(sizeof(part) for part in vars(rows).values() if part is not None)
