"""Fits of tables in Dask's partitions, compared with fits of the same rows on one machine."""

import numpy as np
import pandas as pd
import pytest

import shrimp

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

import shrimp.dask  # noqa: E402

# With this little memory, the search uses some thousand rows, and workers send sufficient statistics of all.
LONG = {"memory": 0.3, "max_order": 2, "input_transform": "none", "target_transform": "identity"}


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
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
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
    options = {"quick_error": True, "max_order": 2, "input_transform": "none", "target_transform": "identity"}
    found = shrimp.dask.ShrimpRegressor(**options).fit(parts, "y")
    expected = shrimp.ShrimpRegressor(**options).fit(frame[list("abcd")], frame["y"])
    found.save(tmp_path / "found.json")
    expected.save(tmp_path / "expected.json")
    assert (tmp_path / "found.json").read_bytes() == (tmp_path / "expected.json").read_bytes()


def test_method_shrimp_has_the_model_of_one_machine(cluster, tmp_path):
    for noise in (0.0, 0.3):
        frame = table(900, noise)
        parts = ragged(frame)
        options = {"method": "shrimp", "order": "1-2", "features": 200}
        found = shrimp.dask.ShrimpRegressor(**options).fit(parts[list("abcd")], parts["y"])
        expected = shrimp.ShrimpRegressor(**options).fit(frame[list("abcd")], frame["y"])
        expect_same(found, expected, frame[list("abcd")])
        assert found.model_.to_json() == expected.model_.to_json()


def test_only_searched_rows_are_transferred(cluster):
    frame = table()
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(ragged(frame), "y")
    drawn = found.model_.results["rows_searched"] * 3
    inspected, sample, sums = found.transfers_.passes
    assert [one[0] for one in found.transfers_.passes] == ["inspect", "sample", "sums"]
    assert inspected[3] < 5000
    assert sample[3] < 1.2 * drawn * (5 + 2) * 8
    columns = 1 + found.model_.results["basis_functions_drawn"]
    assert sums[3] < 2 * (columns * (columns + 1) / 2 + columns) * 8 + 1000  # Two workers send them, not 17 partitions.


def test_verbose_prints_the_transfers(cluster, capsys):
    shrimp.dask.ShrimpRegressor(verbose=1, quick_error=True).fit(ragged(table(300)), "y")
    printed = capsys.readouterr().err
    assert "gather: 17 partitions" in printed
    assert "transferred between machines" in printed


def kinds_table(rows=12000):
    frame = table(rows)
    random = np.random.default_rng(2)
    frame["site"] = pd.Categorical(random.choice(["north", "south", "west"], rows))
    frame["name"] = random.choice(["ann", "bob", "eve"], rows)
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 700, rows), unit="D")
    frame["open"] = random.integers(0, 2, rows).astype(bool)
    frame["count"] = random.integers(0, 9, rows).astype(np.int32)
    frame["single"] = random.uniform(size=rows).astype(np.float32)
    frame.loc[random.random(rows) < 0.05, "a"] = np.nan
    frame["y"] += (frame.site == "west") * 1.0 + (frame.name == "bob") * 0.5 + frame.open
    return frame


@pytest.mark.parametrize("rows", [600, 12000])
def test_categories_dates_booleans_and_missing_cells_are_taken_as_on_one_machine(cluster, rows):
    frame = kinds_table(rows)
    pieces = [frame.iloc[first : first + rows // 5].copy() for first in range(0, rows, rows // 5)]
    for piece in pieces:  # Each has only the categories that occur in it, in different orders.
        piece["site"] = piece["site"].astype(str).astype("category")
    pieces[2]["site"] = pieces[2]["site"].cat.set_categories(["west", "north", "south", "east"])
    parts = dd.from_map(lambda piece: piece, pieces, meta=frame.iloc[:0])
    options = {"memory": 0.45, "quick_error": True, "input_transform": "none", "target_transform": "identity", "max_order": 2}
    found = shrimp.dask.ShrimpRegressor(**options).fit(parts, "y")
    X = frame.drop(columns="y")
    expected = shrimp.ShrimpRegressor(**options).fit(X, frame["y"])
    assert ("rows_searched" in found.model_.results) == (rows > 10000)
    expect_same(found, expected, X)
    np.testing.assert_allclose(found.predict(parts.drop(columns="y")).compute(), expected.predict(X), rtol=1e-8, atol=1e-10)


def test_weights_and_groups_count_as_on_one_machine(cluster):
    frame = table(12000)
    random = np.random.default_rng(4)
    frame["w"] = random.integers(0, 3, len(frame)).astype(float)
    frame["g"] = [f"group {k}" for k in random.integers(0, 600, len(frame))]
    parts = ragged(frame)
    X = list("abcd")
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(parts[X], parts["y"], sample_weight=parts["w"], groups=parts["g"])
    expected = shrimp.ShrimpRegressor(**LONG).fit(frame[X], frame["y"], sample_weight=frame["w"], groups=frame["g"])
    expect_same(found, expected, frame[X])
    named = shrimp.dask.ShrimpRegressor(**LONG).fit(parts, "y", sample_weight="w", groups="g")
    expect_same(named, expected, frame[X])


def test_arrays_are_fitted_and_predicted_lazily(cluster):
    frame = table(12000)
    X, y = frame[list("abcd")].to_numpy(), frame["y"].to_numpy()
    lazy_X = da.from_array(X, chunks=((5000, 1, 6999), 2))
    lazy_y = da.from_array(y, chunks=((4000, 8000),))
    found = shrimp.dask.ShrimpRegressor(**LONG).fit(lazy_X, lazy_y)
    expected = shrimp.ShrimpRegressor(**LONG).fit(X, y)
    expect_same(found, expected, X)
    prediction = found.predict(lazy_X)
    assert isinstance(prediction, da.Array) and prediction.shape == (12000,)
    np.testing.assert_allclose(prediction.compute(), expected.predict(X), rtol=1e-8)
    assert found.score(lazy_X, lazy_y) == pytest.approx(expected.score(X, y), rel=1e-10)
    assert found.n_features_in_ == 4 and not hasattr(found, "feature_names_in_")


def test_predictions_of_a_dataframe_keep_its_index(cluster):
    frame = table(400).set_index(np.arange(400) * 3)
    parts = ragged(frame)
    model = shrimp.dask.ShrimpRegressor(quick_error=True).fit(parts, "y")
    prediction = model.predict(parts[list("abcd")]).compute()
    assert prediction.name == "y"
    assert prediction.index.equals(frame.index)
    np.testing.assert_array_equal(prediction, model.predict(frame[list("abcd")]))
    weights = frame["a"] ** 2
    expected = super(shrimp.dask.ShrimpRegressor, model).score(frame[list("abcd")], frame["y"], weights)
    lazy = model.score(parts[list("abcd")], parts["y"], parts["a"] ** 2)
    assert lazy == pytest.approx(expected, rel=1e-10)


def test_classes_are_fitted_on_one_worker_and_predicted_lazily(cluster):
    frame = table(500)
    frame["kind"] = np.where(frame.y > 0.5, "high", np.where(frame.y < -0.5, "low", "middle"))
    frame = frame.drop(columns="y")
    parts = ragged(frame)
    found = shrimp.dask.ShrimpClassifier(quick_error=True, max_order=1).fit(parts, "kind")
    X = frame[list("abcd")]
    expected = shrimp.ShrimpClassifier(quick_error=True, max_order=1).fit(X, frame["kind"])
    assert found.classes_.tolist() == ["high", "low", "middle"]
    lazy = parts[list("abcd")]
    assert found.predict(lazy).compute().tolist() == expected.predict(X).tolist()
    probabilities = found.predict_proba(lazy).compute()
    assert list(probabilities.columns) == ["high", "low", "middle"]
    np.testing.assert_array_equal(probabilities, expected.predict_proba(X))
    assert found.score(lazy, parts["kind"]) == pytest.approx(expected.score(X, frame["kind"]))


def test_models_are_saved_and_loaded_as_those_of_one_machine(cluster, tmp_path):
    from sklearn.base import clone

    frame = table(300)
    model = shrimp.dask.ShrimpRegressor(quick_error=True, random_state=5).fit(ragged(frame), "y")
    model.save(tmp_path / "model.json")
    loaded = shrimp.ShrimpRegressor.load(tmp_path / "model.json")
    again = shrimp.dask.ShrimpRegressor.load(tmp_path / "model.json")
    X = frame[list("abcd")]
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict(ragged(X)).compute(), model.predict(X))
    assert clone(model).get_params() == model.get_params()
    assert model.n_jobs is None and model.get_params()["memory"] == 0


def refused(error, words, X, y="y", **more):
    with pytest.raises(error) as caught:
        shrimp.dask.ShrimpRegressor(**LONG).fit(X, y, **more)
    for part in words:
        assert part in str(caught.value)


def test_tables_that_do_not_fit_together_are_refused_in_words(cluster):
    frame = table(300)
    parts = ragged(frame)
    refused(ValueError, ["17 partitions", "y 2", "same way"], parts[list("abcd")], dd.from_pandas(frame["y"], npartitions=2))
    refused(TypeError, ["pandas", "Dask"], parts[list("abcd")], frame["y"])
    refused(ValueError, ['no column "z"', "a, b, c, d, y"], parts, "z")
    shifted = ragged(frame, seed=2)
    refused(ValueError, ["partition 1: X has", "rows and y", "same way"], parts[list("abcd")], shifted["y"])
    other = [frame.iloc[:100], frame.iloc[100:][["a", "b", "c", "y"]]]
    refused(ValueError, ["partitions 1 and 2", "different columns"], dd.from_map(lambda p: p, other, meta=frame.iloc[:0]))
    mixed = [frame.iloc[:100].assign(a="text"), frame.iloc[100:]]
    refused(ValueError, ['column "a"', "category", "number"], dd.from_map(lambda p: p, mixed, meta=frame.iloc[:0]))
    refused(ValueError, ["no rows"], parts[parts.a > 2])


def test_bad_cells_are_refused_with_the_partition_and_the_row(cluster):
    frame = table(12000)
    frame.loc[11000, "y"] = np.inf
    refused(ValueError, ["partition", "row 11001", '"y"'], ragged(frame))
    frame["y"] = "text"
    refused(ValueError, ["partition ", "y contains a cell that is not a number"], ragged(frame))


def test_rows_that_do_not_fit_one_worker_are_refused_before_they_are_gathered(cluster):
    with pytest.raises(ValueError, match=r"method lasso needs all 20000 rows on one worker.*GiB"):
        shrimp.dask.ShrimpRegressor(method="lasso", memory=0.001).fit(ragged(table()), "y")
    frame = table(20000).assign(y=lambda frame: frame.y > 0)
    with pytest.raises(ValueError, match="a classifier needs all 20000 rows"):
        shrimp.dask.ShrimpClassifier(memory=0.001).fit(ragged(frame), "y")


def test_methods_that_need_rows_in_memory_refuse_collections(cluster):
    parts = ragged(table(300))
    model = shrimp.dask.ShrimpRegressor(quick_error=True).fit(parts, "y")
    with pytest.raises(TypeError, match="rows in memory"):
        model.explain(parts[list("abcd")])
    with pytest.raises(TypeError, match="accepts only X"):
        model.predict(parts[list("abcd")], return_std=True)


def test_rows_that_are_not_of_dask_are_fitted_here():
    frame = table(300)
    found = shrimp.dask.ShrimpRegressor(quick_error=True).fit(frame[list("abcd")], frame["y"])
    expected = shrimp.ShrimpRegressor(quick_error=True).fit(frame[list("abcd")], frame["y"])
    assert found.model_.to_json() == expected.model_.to_json()


@pytest.mark.parametrize("lazily", [False, True])
def test_validation_rows_may_be_partitions_or_in_memory(cluster, lazily):
    frame, judging = table(600), table(300, seed=8)
    names = list("abcd")
    options = {"quick_error": True, "max_order": 2, "input_transform": "none", "target_transform": "identity"}
    parts = ragged(judging) if lazily else judging
    found = shrimp.dask.ShrimpRegressor(**options).fit(ragged(frame), "y", X_val=parts[names], y_val=parts["y"])
    expected = shrimp.ShrimpRegressor(**options).fit(frame[names], frame["y"], X_val=judging[names], y_val=judging["y"])
    expect_same(found, expected, frame[names])
