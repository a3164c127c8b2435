"""Fits of tables that Dask holds in partitions, beside fits of the same rows on one machine."""

import numpy as np
import pandas as pd
import pytest

import shrimp

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

import shrimp.dask  # noqa: E402

# With so little memory, 8000 rows are searched and more are summed up.
LONG = {"memory": 0.3, "max_order": 2, "forms": "none", "target_form": "identity"}


def table(rows=20000, noise=0.3, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.uniform(-1, 1, (rows, 4)), columns=list("abcd"))
    frame["y"] = np.sin(3 * frame.a) + frame.b * frame.c + noise * random.normal(size=rows)
    return frame


def ragged(frame, parts=17, seed=1):
    """Partitions of very different lengths, two of them empty."""
    cuts = np.sort(np.random.default_rng(seed).integers(0, len(frame), parts - 2))
    cuts = np.concatenate([[0], cuts[:5], cuts[4:], [len(frame)]])
    pieces = [frame.iloc[first:last] for first, last in zip(cuts[:-1], cuts[1:])]
    return dd.from_map(lambda piece: piece, pieces, meta=frame.iloc[:0])


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def expect_same(found, expected, X):
    assert list(found.terms_.term) == list(expected.terms_.term)
    np.testing.assert_allclose(found.predict(X), expected.predict(X), rtol=1e-8, atol=1e-10)
    assert found.validation_mse_ == pytest.approx(expected.validation_mse_, rel=1e-8)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_a_long_table_in_ragged_partitions_has_the_model_of_one_machine(cluster, noise):
    frame = table(noise=noise)
    parts = ragged(frame)
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(parts[list("abcd")], parts["y"])
    expected = shrimp.ShrimpRegressor(**LONG).fit(frame[list("abcd")], frame["y"])
    expect_same(found, expected, frame[list("abcd")])


def test_a_short_table_has_the_model_of_one_machine_to_the_last_byte(cluster, tmp_path):
    frame = table(600)
    parts = ragged(frame)
    options = {"quick_error": True, "forms": "none", "target_form": "identity"}
    found = shrimp.dask.ShrimpRegressor(**options).fit(parts, "y")
    expected = shrimp.ShrimpRegressor(**options).fit(frame[list("abcd")], frame["y"])
    found.save(tmp_path / "found.json")
    expected.save(tmp_path / "expected.json")
    assert (tmp_path / "found.json").read_bytes() == (tmp_path / "expected.json").read_bytes()
