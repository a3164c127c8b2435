"""Dask without other processes: no cluster, and a cluster of threads."""

import subprocess
import sys

import numpy as np
import pytest

import shrimp

pytest.importorskip("distributed")

import dask  # noqa: E402
import distributed  # noqa: E402
import shrimp.dask  # noqa: E402
from test_dask import LONG, da, dd, expect_same, ragged, table  # noqa: E402

NAMES = list("abcd")


@pytest.fixture(scope="module")
def expected():
    frame = table()
    return shrimp.ShrimpRegressor(**LONG).fit(frame[NAMES], frame["y"])


def test_shrimp_is_imported_without_dask():
    code = "import sys, shrimp; shrimp.ShrimpRegressor(); sys.exit('dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_error_without_dask_names_the_package_to_install():
    code = "import sys; sys.modules['dask'] = None; import shrimp.dask"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'shrimp[dask]'" in run.stderr


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_without_a_cluster_the_schedulers_of_one_machine_do(expected, scheduler):
    with dask.config.set(scheduler=scheduler):
        found = shrimp.dask.ShrimpRegressor(**LONG).fit(ragged(table()), "y")
    expect_same(found, expected, table()[NAMES])
    assert found.transfers_.bytes == 0


def test_a_partition_that_raises_ends_the_fit_without_a_cluster():
    def broken(k):
        raise OSError("the disk did not answer")

    parts = dd.from_map(broken, range(3), meta=table(1).iloc[:0])
    with pytest.raises(RuntimeError, match="a partition could not be computed: OSError: the disk did not answer"):
        shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")


# A cluster for each test: workers in this process share its current client, so clusters that overlap leave its settings changed.
@pytest.fixture
def threads():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.mark.parametrize("persisted", [False, True])
def test_workers_that_are_threads_give_the_same_model(threads, expected, persisted):
    parts = ragged(table())
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(parts.persist() if persisted else parts, "y")
    expect_same(found, expected, table()[NAMES])


def test_partitions_that_share_tasks_are_made_once_and_kept_on_workers(threads, expected):
    frame = table()
    X = da.from_array(frame[NAMES].to_numpy(), chunks=(3000, 2)).rechunk((4000, 4))
    y = da.from_array(frame["y"].to_numpy(), chunks=3500)
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(X, y)
    np.testing.assert_allclose(found.predict(frame[NAMES].to_numpy()), expected.predict(frame[NAMES]), rtol=1e-8, atol=1e-10)


def test_an_asynchronous_client_is_refused_in_words():
    import asyncio

    async def fit():
        async with distributed.Client(processes=False, n_workers=1, dashboard_address=None, asynchronous=True):
            shrimp.dask.ShrimpRegressor(**LONG).fit(ragged(table(300)), "y")

    with pytest.raises(TypeError, match="asynchronous"):
        asyncio.run(fit())


def test_partitions_that_are_spilled_to_disk_are_fitted_all_the_same(expected, tmp_path):
    memory = {"target": 1e-6, "spill": 1e-6, "pause": False, "terminate": False}  # Whatever a worker holds goes to disk.
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "memory_limit": "1GiB"}
    with dask.config.set({f"distributed.worker.memory.{name}": value for name, value in memory.items()}):
        with distributed.LocalCluster(processes=False, local_directory=tmp_path, **options) as cluster:
            with distributed.Client(cluster):
                parts = ragged(table()).persist()
                distributed.wait(parts)
                assert len(cluster.workers[0].data.slow) > 0
                found = shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y")
    expect_same(found, expected, table()[NAMES])
