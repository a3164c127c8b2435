"""Categories, dates and missing cells as scikit-learn's users have them."""

import warnings

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from shrimp import LassoRegressor, ShrimpRegressor
from sklearn.utils import get_tags

EFFECTS = {"a": 0.0, "b": 1.0, "c": -1.0}


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    rows = 150
    X = pandas.DataFrame({"x": random.uniform(-1, 1, rows), "c": random.choice(list(EFFECTS), rows), "z": random.uniform(-1, 1, rows)})
    y = X.x + X.c.map(EFFECTS) + X.z + 0.02 * random.normal(size=rows)
    y[::5] += 1 - X.z[::5]
    X.loc[::5, "z"] = np.nan
    return X, y.rename("y")


@pytest.fixture(scope="module")
def model(table):
    return ShrimpRegressor(quick_error=True).fit(*table)


def test_text_and_missing_cells_are_learnt_from(table, model):
    X, y = table
    assert model.score(X, y) > 0.99
    assert set(model.terms_.term) >= {"x", "c", "z", "missing(z)"}
    assert list(model.feature_names_in_) == ["x", "c", "z"]


@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.astype({"c": "category"}),
        lambda X: X.astype({"c": "string"}),
        polars.from_pandas,
        lambda X: polars.from_pandas(X).with_columns(polars.col("c").cast(polars.Categorical)),
        pyarrow.Table.from_pandas,
    ],
    ids=["categorical", "string", "polars", "polars categorical", "arrow"],
)
def test_all_table_libraries_predict_the_same(table, model, convert):
    X, _ = table
    np.testing.assert_array_equal(model.predict(convert(X)), model.predict(X))


def test_parts_of_predictions_add_up(table, model):
    X, _ = table
    np.testing.assert_allclose(model.predict_terms(X).sum(axis=1), model.predict(X), atol=1e-9)


def test_unseen_levels_take_the_mean_effect_with_a_warning(table, model):
    X, _ = table
    new = X.head(2).assign(c=["b", "new"])
    with pytest.warns(UserWarning, match='"c" has a level that the training rows did not contain .*"new"'):
        model.predict(new)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X.head(2))


def test_a_saved_model_knows_its_levels(table, model, tmp_path):
    X, _ = table
    model.save(tmp_path / "model.json")
    again = ShrimpRegressor.load(tmp_path / "model.json")
    assert list(again.feature_names_in_) == ["x", "c", "z"]
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_arrays_may_have_nan_and_objects(table):
    X, y = table
    numbers = X[["x", "z"]].to_numpy()
    assert np.isfinite(ShrimpRegressor(quick_error=True).fit(numbers, y).predict(numbers)).all()
    objects = X[["x", "c"]].to_numpy(dtype=object)
    assert ShrimpRegressor(quick_error=True).fit(objects, y).score(objects, y) > 0.5


def test_dates_are_days():
    days = pandas.date_range("2024-01-01", periods=60, freq="D")
    X = pandas.DataFrame({"when": days})
    y = np.arange(60.0)
    assert ShrimpRegressor(quick_error=True).fit(X, y).score(X, y) > 0.99


def test_a_mixed_column_is_refused_with_its_row():
    X = pandas.DataFrame({"x": [1, 2, "three", 4]})
    with pytest.raises(ValueError, match='column "x", row 3: "three" is not a number'):
        ShrimpRegressor().fit(X, [1.0, 2.0, 3.0, 4.0])


def test_the_tags_describe_accepted_inputs():
    tags = get_tags(ShrimpRegressor()).input_tags
    assert tags.allow_nan and tags.categorical and tags.string
    assert not get_tags(LassoRegressor()).input_tags.allow_nan


def test_other_methods_refuse_missing_cells(table):
    X, y = table
    with pytest.raises(ValueError, match='column "z", row 1: the cell is empty'):
        LassoRegressor().fit(X[["x", "z"]], y)


@pytest.mark.parametrize("convert", [lambda X: X, lambda X: X.astype({"c": "category"}), polars.from_pandas, lambda X: X.to_numpy()],
                         ids=["pandas", "categorical", "polars", "array"])  # fmt: skip
def test_an_exported_module_takes_the_same_tables(table, model, convert):
    X, _ = table
    X = X.assign(c=X.c.mask(X.index == 3))
    module = {}
    exec(model.export(to="python"), module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        np.testing.assert_allclose(module["predict"](convert(X)), model.predict(X), rtol=1e-12)
