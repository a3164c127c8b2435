"""Tables and targets of unusual types: they are understood, or refused with the reason and a remedy."""

import datetime

import numpy as np
import pandas
import polars
import pytest
from shrimp import ShrimpClassifier, ShrimpRegressor, SparseRandomFeatures, WaterfallDisplay
from sklearn.feature_selection import RFE, SelectFromModel

FAST = {"quick_error": True, "max_order": 1, "input_transform": "none"}


def numbers(rows=80):
    X = np.random.default_rng(0).uniform(-1, 1, (rows, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1]


@pytest.fixture(scope="module")
def by_number():
    """A model of a table whose columns are called by numbers."""
    X, y = numbers()
    return ShrimpRegressor(**FAST).fit(pandas.DataFrame(X, columns=[1, 2, 7]), y)


def test_columns_called_by_numbers_keep_their_names(by_number, tmp_path):
    X, _ = numbers()
    frame = pandas.DataFrame(X, columns=[1, 2, 7])
    assert set(by_number.terms_["term"]) <= {"1", "2", "7"} and "1" in set(by_number.terms_["term"])
    assert list(by_number.explain(frame, by="input").columns) == ["intercept", "1", "2", "7"]
    assert not hasattr(by_number, "feature_names_in_")  # As scikit-learn has it.
    expected = by_number.predict(frame)
    np.testing.assert_array_equal(by_number.predict(X), expected)
    by_number.save(tmp_path / "model.json")
    loaded = ShrimpRegressor.load(tmp_path / "model.json")
    used = [int(name) for name in loaded.feature_names_in_]
    np.testing.assert_array_equal(loaded.predict(frame[used]), expected)
    frame.iloc[4, 1] = np.inf
    with pytest.raises(ValueError, match='column "2", row 5'):
        by_number.predict(frame)


def test_columns_called_by_numbers_come_in_the_order_of_the_fit(by_number):
    X, _ = numbers()
    with pytest.raises(ValueError, match='column 1 of X is "2", but "1" in the fit'):
        by_number.predict(pandas.DataFrame(X, columns=[2, 1, 7]))


def test_periods_are_dates():
    X, y = numbers(120)
    days = pandas.date_range("2024-01-01", periods=120, freq="D")
    periods = pandas.DataFrame({"a": X[:, 0], "day": days.to_period("D")})
    dates = pandas.DataFrame({"a": X[:, 0], "day": days})
    target = y + 0.01 * np.arange(120)
    fitted = ShrimpRegressor(**FAST).fit(periods, target)
    np.testing.assert_array_equal(fitted.predict(periods), ShrimpRegressor(**FAST).fit(dates, target).predict(dates))


REFUSED = {
    "durations": (
        lambda X: X.assign(a=pandas.to_timedelta(np.arange(80), unit="h")),
        'column "a" contains durations.\nGive numbers, such as seconds',
    ),
    "durations in an array": (
        lambda X: X.assign(a=[datetime.timedelta(hours=k) for k in range(80)]).astype(object).to_numpy(),
        'column "x1", row 1: "0 days 00:00:00" is a duration',
    ),
    "durations of polars": (
        lambda X: polars.DataFrame({"a": [datetime.timedelta(hours=k) for k in range(80)], "b": X["b"].to_numpy()}),
        'column "a", row 1: "0:00:00" is a duration',
    ),
    "text among numbers": (
        lambda X: X.astype(object).assign(a=["n/k", *range(79)]),
        'column "a", row 2: "0" is a number in a column of text.\nGive the column cells of one type',
    ),
    "numbers among text": (
        lambda X: X.astype(object).assign(a=[*range(79), "many"]),
        'column "a", row 80: "many" is not a number.\nGive the column cells of one type',
    ),
    "dates among numbers": (
        lambda X: X.astype(object).assign(a=[*range(79), datetime.date(2024, 1, 1)]),
        'column "a", row 80: "2024-01-01" is not a number',
    ),
    "lists": (lambda X: X.astype(object).assign(a=[[1]] * 80), 'column "a", row 1: a cell of type list'),
    "complex numbers": (lambda X: X.astype(complex), "a cell of type complex"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_columns_that_are_no_numbers_text_or_dates_are_refused(kind):
    make, message = REFUSED[kind]
    X, y = numbers()
    with pytest.raises(ValueError) as refusal:
        ShrimpRegressor(**FAST).fit(make(pandas.DataFrame(X, columns=list("abc"))), y)
    assert message in str(refusal.value)


@pytest.mark.parametrize("estimator", [ShrimpRegressor(**FAST), ShrimpClassifier(**FAST), SparseRandomFeatures()], ids=str)
def test_a_lazy_frame_is_to_be_collected(estimator):
    X, y = numbers()
    with pytest.raises(TypeError, match=r"LazyFrame.*\nGive X.collect\(\)"):
        estimator.fit(polars.LazyFrame(X, schema=list("abc")), y > 0)
    if not isinstance(estimator, SparseRandomFeatures):
        with pytest.raises(TypeError, match=r"y is a polars LazyFrame.*\nGive y.collect\(\)"):
            estimator.fit(X, polars.LazyFrame({"y": y > 0}))


TARGETS = {
    "text": (["cheap"] * 79 + ["dear"], 'row 1: "cheap" is not a number.\nGive numbers, or use ShrimpClassifier for classes'),
    "one text among numbers": ([*range(79), "many"], 'row 80: "many" is not a number.\nGive numbers, or use'),
    "dates": (pandas.date_range("2024-01-01", periods=80), 'is not a number.\nGive numbers, such as days'),
    "durations": (np.arange(80).astype("timedelta64[s]"), 'is not a number.\nGive numbers, such as days'),
    "periods": (pandas.Series(pandas.period_range("2024-01", periods=80, freq="M")), '"2024-01" is not a number.\nGive numbers'),
}  # fmt: skip


@pytest.mark.parametrize("kind", TARGETS)
def test_the_target_of_a_regressor_is_numbers(kind):
    y, message = TARGETS[kind]
    for method in ("auto", "lasso"):
        with pytest.raises(ValueError) as refusal:
            ShrimpRegressor(method=method).fit(numbers()[0], y)
        assert message in str(refusal.value)


@pytest.mark.parametrize("missing", [None, np.nan, pandas.NA], ids=str)
def test_a_missing_class_is_named_with_its_row(missing):
    X, _ = numbers()
    y = np.array(["up", "down"] * 40, dtype=object)
    y[2] = missing
    for labels in (y, pandas.Series(y), y.tolist()):
        with pytest.raises(ValueError, match="y, row 3: the class is missing.\nDrop the row"):
            ShrimpClassifier(**FAST).fit(X, labels)


def test_classes_of_text_and_numbers_are_refused():
    X, _ = numbers()
    with pytest.raises(ValueError, match=r"text and numbers as classes: 'up' in row 1, 1 in row 2"):
        ShrimpClassifier(**FAST).fit(X, np.array(["up", 1] * 40, dtype=object))


def test_an_order_that_contradicts_max_order_is_refused():
    X, y = numbers()
    with pytest.raises(ValueError, match="max_order 1 contradicts order 2, which means max_order .*\nGive one of the two"):
        ShrimpRegressor(max_order=1, order=2).fit(X, y)
    assert ShrimpRegressor(max_order=1, order=1, quick_error=True).fit(X, y).score(X, y) > 0.9


def test_a_file_that_is_not_there_is_a_file_not_found_error(tmp_path, by_number):
    by_number.save(tmp_path / "model.json")
    for load in (
        lambda: ShrimpRegressor.load(tmp_path / "none.json"),
        lambda: ShrimpRegressor.load(tmp_path / "model.json", tmp_path / "none.sum"),
        lambda: ShrimpClassifier.load(str(tmp_path / "none.json")),
        lambda: ShrimpRegressor().fit_table(tmp_path / "none.csv", "y"),
        lambda: ShrimpRegressor().fit_table(tmp_path / "none.parquet", "y"),
        lambda: by_number.predict_table(tmp_path / "none.csv"),
    ):
        with pytest.raises(FileNotFoundError, match=r"none\.\w+: the file does not exist.\nGive"):
            load()


@pytest.fixture(scope="module")
def flats():
    """A table with a text column, informative missing cells, a date, and a constant."""
    random = np.random.default_rng(0)
    rows = 240
    X = pandas.DataFrame({
        "same": 1.0,
        "year": np.where(random.uniform(size=rows) < 0.3, np.nan, random.uniform(1900, 2020, rows)),
        "town": random.choice(["x", "y", "z"], rows),
        "area": random.uniform(20, 100, rows),
        "day": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(random.integers(0, 300, rows), unit="D"),
    })  # fmt: skip
    y = X["area"] / 10 - 3 * X["year"].isna() + 2 * (X["town"] == "x") + 0.1 * random.normal(size=rows)
    with pytest.warns(UserWarning, match="same"):
        return X, ShrimpRegressor(quick_error=True, max_order=2).fit(X, y)


def test_explanations_by_input_have_the_columns_of_the_table(flats):
    X, model = flats
    parts = model.explain(X, by="input")
    assert list(parts.columns) == ["intercept", *X.columns] and list(parts.index) == list(X.index)
    np.testing.assert_allclose(parts.sum(axis=1), model.predict(X), rtol=1e-9)
    assert (parts["same"] == 0).all()
    lacking = X["year"].isna()
    assert parts.loc[lacking, "year"].mean() < parts.loc[~lacking, "year"].mean() - 2
    slopes = model.gradient(X[~lacking])
    assert slopes.shape == X[~lacking].shape and model.clipped(X).shape == X.shape
    assert slopes[:, 3] == pytest.approx(0.1, abs=0.03) and (slopes[:, 0] == 0).all()
    display = WaterfallDisplay.from_estimator(model, X, 0, by="input")
    assert any(name.startswith("area = ") for name in display.names)


def test_importances_are_the_fraction_of_variance_of_all_terms_with_a_column(flats):
    X, model = flats
    importances = dict(zip(X.columns, model.feature_importances_))
    for column in X.columns:
        own = [
            share
            for inputs, share in zip(model.terms_["inputs"], model.terms_["fraction"])
            if any(name in (column, f"missing({column})") or name.startswith(f"{column}") for name in inputs)
        ]
        assert importances[column] == pytest.approx(sum(own)), column
    assert importances["same"] == 0 and importances["year"] > 0.1


def test_columns_are_selected_by_their_importances():
    X, y = numbers()
    X = np.column_stack([np.random.default_rng(1).uniform(-1, 1, (80, 2)), X[:, :2]])
    select = SelectFromModel(ShrimpRegressor(**FAST)).fit(X, y)
    assert select.get_support().tolist() == [False, False, True, True]
    assert RFE(ShrimpRegressor(**FAST), n_features_to_select=2, step=2).fit(X, y).get_support().tolist()[:2] == [False, False]


def test_the_bar_gives_no_time_before_it_is_known(capsys, monkeypatch):
    from shrimp import _progress

    now = [0.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    bar = _progress.ProgressBar()
    bar.in_place = True
    for seconds, done in ((1.0, 0.0005), (1.5, 0.4), (5.0, 0.01), (6.0, 0.5)):
        now[0] = seconds
        bar(done, "round 1", 0, 0.0)
    shown = capsys.readouterr().err.split("\r")
    assert ["left" in line for line in shown[1:]] == [False, False, False, True]
    assert "6 s left" in shown[-1] and "validation MSE" not in shown[-1]
