"""Fits during which a worker is killed at a random moment: each must end in the model of one machine or in an error.

    build/venv-python/bin/python bench/dask_kills.py --fits 20
"""

import argparse
import os
import signal
import threading
import time

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

import shrimp
import shrimp.dask

OPTIONS = {"memory": 0.3, "max_order": 2, "forms": "none", "target_form": "identity"}
NAMES = list("abcd")


def draw(rows):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.uniform(-1, 1, (rows, 4)), columns=NAMES)
    frame["y"] = np.sin(3 * frame.a) + frame.b * frame.c + 0.3 * random.normal(size=rows)
    return frame


def kill_later(pid, seconds, killed):
    def kill():
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        killed.append(time.monotonic())

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


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
    right, refused, wrong, hung, unhurt = 0, 0, 0, 0, 0
    # Workers that start on a busy machine need their time.
    dask.config.set({"distributed.comm.timeouts.connect": "180s", "distributed.comm.timeouts.tcp": "180s"})
    with (
        LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        cuts = np.concatenate([[0], np.sort(random.integers(0, len(frame), 15)), [len(frame)]])
        pieces = [frame.iloc[first:last] for first, last in zip(cuts[:-1], cuts[1:])]
        table = dd.from_map(lambda piece: piece, pieces, meta=frame.iloc[:0]).persist()
        start = time.monotonic()
        shrimp.dask.ShrimpRegressor(**OPTIONS).fit(table, "y")
        usual = time.monotonic() - start
        for k in range(arguments.fits):
            client.wait_for_workers(arguments.workers - 1, timeout=300)
            # One that is still starting would not be started again.
            ready = set(client.scheduler_info(n_workers=-1)["workers"])
            pid = random.choice(sorted(one.pid for one in cluster.workers.values() if one.worker_address in ready))
            killed, outcome = [], {}
            killer = kill_later(int(pid), random.uniform(0, usual), killed)

            def fit():
                try:
                    outcome["model"] = shrimp.dask.ShrimpRegressor(**OPTIONS).fit(table, "y")
                except Exception as error:
                    outcome["error"] = error
                outcome["at"] = time.monotonic()

            start = time.monotonic()
            thread = threading.Thread(target=fit, daemon=True)
            thread.start()
            thread.join(arguments.most_seconds)
            killer.join()
            if thread.is_alive():
                hung += 1
                print(f"fit {k + 1}: hung", flush=True)
                continue
            unhurt += killed[0] > outcome["at"]
            if "error" in outcome:
                refused += 1
                print(f"fit {k + 1}: {type(outcome['error']).__name__}: {outcome['error']}", flush=True)
                continue
            gap = np.max(np.abs(outcome["model"].predict(frame[NAMES]) - truth)) / np.abs(truth).max()
            same = list(outcome["model"].terms_.term) == list(expected.terms_.term)
            rows = outcome["model"].model_.results["rows"]
            is_right = same and gap < 1e-8 and rows == len(frame)
            right += is_right
            wrong += not is_right
            after = killed[0] - start
            print(f"fit {k + 1}: {'right' if is_right else 'WRONG'}, gap {gap:.1g}, killed after {after:.1f} s", flush=True)
    print(f"{right} right, {refused} refused, {wrong} wrong, {hung} hung; {unhurt} were done before the kill")


if __name__ == "__main__":
    main()
