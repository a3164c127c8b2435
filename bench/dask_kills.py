"""Fits during which a worker is killed at a random moment: each must end in the model of one machine or in an error.

    build/venv-python/bin/python bench/dask_kills.py --fits 20
"""

import argparse
import collections
import os
import signal
import threading
import time

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster, wait

import shrimp
import shrimp.dask

OPTIONS = {"memory": 0.3, "max_order": 2, "input_transform": "none", "target_transform": "identity"}
NAMES = list("abcd")


def draw(rows):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.uniform(-1, 1, (rows, 4)), columns=NAMES)
    frame["y"] = np.sin(3 * frame.a) + frame.b * frame.c + 0.3 * random.normal(size=rows)
    return frame


class Table:
    """Rows in ragged partitions, on workers of their own: those of another fit may still be on their feet again."""

    def __init__(self, frame, workers, seed):
        random = np.random.default_rng(seed)
        cuts = np.concatenate([[0], np.sort(random.integers(0, len(frame), 15)), [len(frame)]])
        self.pieces = [frame.iloc[first:last] for first, last in zip(cuts[:-1], cuts[1:])]
        self.meta = frame.iloc[:0]
        self.workers = workers

    def fit(self, meanwhile=None, most_seconds=300):
        """The model or the error, and how long it took; neither where it hangs. `meanwhile` gets the workers' processes."""
        outcome = {}

        def fit(parts):
            start = time.monotonic()
            try:
                outcome["model"] = shrimp.dask.ShrimpRegressor(**OPTIONS).fit(parts, "y")
            except Exception as error:
                outcome["error"] = error
            outcome["seconds"] = time.monotonic() - start

        with LocalCluster(n_workers=self.workers, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster):
                parts = dd.from_map(lambda piece: piece, self.pieces, meta=self.meta).persist()
                wait(parts)
                thread = threading.Thread(target=fit, args=[parts], daemon=True)
                thread.start()
                if meanwhile is not None:
                    meanwhile([nanny.pid for nanny in cluster.workers.values()])
                thread.join(most_seconds)
        return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=20)
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=5, help="of the moments and of the workers")
    parser.add_argument("--most-seconds", type=float, default=300, help="after which a fit counts as hung")
    arguments = parser.parse_args()
    frame = draw(arguments.rows)
    expected = shrimp.ShrimpRegressor(**OPTIONS).fit(frame[NAMES], frame["y"])
    truth = expected.predict(frame[NAMES])
    random = np.random.default_rng(arguments.seed)
    table = Table(frame, arguments.workers, arguments.seed)
    usual = table.fit()["seconds"]
    print(f"a fit without a kill takes {usual:.1f} s", flush=True)
    counts = collections.Counter()
    for k in range(arguments.fits):
        seconds = random.uniform(0, usual)

        def kill_one(pids):
            time.sleep(seconds)
            os.kill(int(random.choice(pids)), signal.SIGKILL)

        outcome = table.fit(kill_one, arguments.most_seconds)
        counts["done before the kill"] += outcome.get("seconds", seconds) < seconds
        if "model" in outcome:
            model = outcome["model"]
            gap = np.max(np.abs(model.predict(frame[NAMES]) - truth)) / np.abs(truth).max()
            same = list(model.terms_.term) == list(expected.terms_.term)
            is_right = same and gap < 1e-8 and model.model_.results["rows"] == len(frame)
            verdict, told = "right" if is_right else "WRONG", f"gap {gap:.1g}"
        elif "error" in outcome:
            verdict, told = "refused", f"{type(outcome['error']).__name__}: {outcome['error']}"
        else:
            verdict, told = "hung", f"for {arguments.most_seconds:g} s"
        counts[verdict] += 1
        print(f"fit {k + 1}: {verdict}, killed after {seconds:.1f} s, {told}", flush=True)
    print(", ".join(f"{counts[name]} {name}" for name in ("right", "refused", "WRONG", "hung", "done before the kill")))


if __name__ == "__main__":
    main()
