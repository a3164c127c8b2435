"""Fits whose workers, partitions or connections fail: the correct model, or an error that names the cause."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import shrimp

pytest.importorskip("distributed")

import distributed  # noqa: E402
import shrimp.dask  # noqa: E402
from test_dask import LONG, dd, expect_same, ragged, table  # noqa: E402

NAMES = list("abcd")


@pytest.fixture(scope="module")
def workers():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def fitted_while(action, parts):
    """A fit during which `action` happens; what it raised is raised."""
    outcome = {}

    def fit():
        try:
            outcome["model"] = shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")
        except Exception as error:
            outcome["error"] = error

    thread = threading.Thread(target=fit, daemon=True)
    thread.start()
    action()
    thread.join(180)
    assert not thread.is_alive(), "the fit hangs"
    if "error" in outcome:
        raise outcome["error"]
    return outcome["model"]


@pytest.mark.parametrize("seconds", [0.3, 1.5])
def test_a_worker_that_is_killed_in_the_middle_of_a_fit_leaves_the_model_right(workers, seconds):
    frame = table()
    workers.wait_for_workers(2, timeout=60)
    parts = ragged(frame).persist()
    distributed.wait(parts)

    def kill_one():
        time.sleep(seconds)
        os.kill(min(nanny.pid for nanny in workers.cluster.workers.values()), signal.SIGKILL)

    found = fitted_while(kill_one, parts)
    expected = shrimp.ShrimpRegressor(**LONG).fit(frame[NAMES], frame["y"])
    assert found.model_.results["rows"] == len(frame)
    expect_same(found, expected, frame[NAMES])


class Failing:
    """Makes a partition; fails `times` times in all processes together."""

    def __init__(self, folder, frame, times):
        self.folder, self.frame, self.times = folder, frame, times

    def __call__(self, k):
        if k == 2 and len(list(self.folder.iterdir())) < self.times:
            (self.folder / f"{time.monotonic_ns()}").touch()
            raise OSError("the disk did not answer")
        return self.frame.iloc[k * 4000 : (k + 1) * 4000]


def test_a_partition_that_fails_once_is_computed_again(workers, tmp_path):
    frame = table()
    parts = dd.from_map(Failing(tmp_path, frame, 1), range(5), meta=frame.iloc[:0])
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")
    assert len(list(tmp_path.iterdir())) == 1
    assert found.model_.results["rows"] == len(frame)
    expect_same(found, shrimp.ShrimpRegressor(**LONG).fit(frame[NAMES], frame["y"]), frame[NAMES])


def test_a_partition_that_always_fails_is_named(workers, tmp_path):
    frame = table()
    parts = dd.from_map(Failing(tmp_path, frame, 10**6), range(5), meta=frame.iloc[:0])
    with pytest.raises(RuntimeError, match="partition 3 could not be computed: OSError: the disk did not answer"):
        shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")


def growing(folder, frame, k):
    """One more row each time it is computed."""
    (folder / f"{k}-{time.monotonic_ns()}").touch()
    return frame.iloc[k * 4000 : (k + 1) * 4000 + len(list(folder.glob(f"{k}-*"))) - 1]


def test_partitions_that_are_not_the_same_each_time_are_refused(workers, tmp_path):
    frame = table()
    parts = dd.from_map(lambda k: growing(tmp_path, frame, k), range(4), meta=frame.iloc[:0])
    with pytest.raises(ValueError, match="have 16004 rows in total, but had 16000 before"):
        shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")


def test_a_lost_scheduler_ends_a_fit_with_an_error():
    script = """
import threading, time, distributed, pandas, numpy, dask, sys
sys.path.insert(0, sys.argv[1])
import shrimp.dask
from test_dask import LONG, ragged, table
dask.config.set({"distributed.comm.timeouts.connect": "2s"})
if __name__ == "__main__":
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    client = distributed.Client(cluster.scheduler_address, timeout="2s")
    slow = ragged(table()).map_partitions(lambda piece: time.sleep(3) or piece, meta=table(1).iloc[:0])
    threading.Timer(1.0, lambda: cluster.sync(cluster.scheduler.close)).start()
    try:
        shrimp.dask.ShrimpRegressor(**LONG).fit(slow, "y")
    except BaseException as error:
        print(type(error).__name__, error)
    import os
    sys.stdout.flush()
    os._exit(0)
"""
    run = subprocess.run(
        [sys.executable, "-c", script, os.path.dirname(__file__)], capture_output=True, text=True, timeout=120
    )
    assert "the connection to the cluster was lost" in run.stdout, run.stdout + run.stderr[-2000:]
