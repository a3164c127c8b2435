"""Data of every kind, weights, and what is refused."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import sklearn
from estimators import REGRESSORS
from shrimp import LassoRegressor, ShrimpRegressor, SparseRandomFeatures, SrfeRegressor
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning


@pytest.fixture(scope="module")
def prediction(data):
    X, y = data
    return ShrimpRegressor(features=100, quick_error=True).fit(X, y).predict(X)


def memory_mapped(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


KINDS = {
    "row-major": lambda X, folder: np.ascontiguousarray(X),
    "column-major": lambda X, folder: np.asfortranarray(X),
    "every second row of a larger array": lambda X, folder: np.repeat(X, 2, axis=0)[::2],
    "reversed columns of reversed columns": lambda X, folder: np.ascontiguousarray(X[:, ::-1])[:, ::-1],
    "read-only": lambda X, folder: read_only(X),
    "memory-mapped": memory_mapped,
    "lists": lambda X, folder: X.tolist(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_every_layout_give_the_same_model(kind, data, prediction, tmp_path):
    X, y = data
    other = KINDS[kind](X, tmp_path)
    assert np.array_equal(ShrimpRegressor(features=100, quick_error=True).fit(other, y).predict(other), prediction)


FRAMES = {
    "pandas": lambda X, y: (pandas.DataFrame(X, columns=list("abcd")), pandas.Series(y)),
    "pandas of several types": lambda X, y: (
        pandas.DataFrame({name: pandas.array(X[:, j], dtype="Float64") for j, name in enumerate("abcd")}),
        pandas.Series(y),
    ),
    "polars": lambda X, y: (polars.DataFrame(X, schema=list("abcd")), polars.Series(y)),
    "Arrow": lambda X, y: (pyarrow.table(dict(zip("abcd", X.T))), pyarrow.array(y)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_dataframes_give_the_same_model_with_their_names(kind, data, prediction):
    X, y = FRAMES[kind](*data)
    fitted = ShrimpRegressor(features=100, quick_error=True).fit(X, y)
    assert np.array_equal(fitted.predict(X), prediction)
    assert list(fitted.feature_names_in_) == list("abcd")
    assert fitted.n_features_in_ == 4
    assert list(fitted.predict_terms(X).columns[1:]) == list(fitted.terms_["term"])


def test_contributions_are_dataframes_of_the_library_of_the_data(data):
    X, y = data
    frame, series = FRAMES["polars"](X, y)
    fitted = ShrimpRegressor(features=100, quick_error=True).fit(frame, series)
    parts = fitted.predict_terms(frame)
    assert isinstance(parts, polars.DataFrame) and parts.columns == ["intercept", *fitted.terms_["term"]]
    assert parts.sum_horizontal().to_numpy() == pytest.approx(fitted.predict(frame), abs=1e-9)
    other = pandas.DataFrame(X, columns=list("abcd"), index=[f"row {i}" for i in range(len(y))])
    assert list(fitted.predict_terms(other).index) == list(other.index)
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(fitted.predict_terms(other), polars.DataFrame)
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(fitted.predict_terms(frame), pandas.DataFrame)


def test_lists_are_taken_apart_too(data):
    X, y = data
    fitted = ShrimpRegressor(features=100, quick_error=True).fit(X, y)
    pandas.testing.assert_frame_equal(fitted.predict_terms(X.tolist()), fitted.predict_terms(X))


def test_single_precision_is_taken_as_it_is(data):
    X, y = data
    single = X.astype(np.float32)
    fitted = ShrimpRegressor(features=100, quick_error=True).fit(single, y)
    same = ShrimpRegressor(features=100, quick_error=True).fit(single.astype(np.float64), y)
    assert np.array_equal(fitted.predict(single), same.predict(single.astype(np.float64)))


def test_integers_are_numbers():
    X = np.arange(60).reshape(30, 2)
    assert ShrimpRegressor(features=30).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.9


def switched():
    """A switch of 0 and 1 between two numbers, and a target that hangs on it."""
    random = np.random.default_rng(2)
    X = random.uniform(-1, 1, (60, 3))
    X[:, 1] = X[:, 1] > 0
    return X, np.where(X[:, 1] == 1, X[:, 0], -X[:, 2])


SWITCHES = {
    "NumPy": lambda X: np.column_stack([X[:, 0].astype(object), X[:, 1].astype(bool), X[:, 2]]),
    "pandas": lambda X: pandas.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(bool), "c": X[:, 2]}),
    "pandas with missing values allowed": lambda X: pandas.DataFrame(
        {"a": X[:, 0], "b": pandas.array(X[:, 1].astype(bool), dtype="boolean"), "c": X[:, 2]}
    ),
    "pandas on Arrow": lambda X: pandas.DataFrame(
        {"a": X[:, 0], "b": pandas.array(X[:, 1].astype(bool), dtype="bool[pyarrow]"), "c": X[:, 2]}
    ),
    "polars": lambda X: polars.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(bool), "c": X[:, 2]}),
    "Arrow": lambda X: pyarrow.table({"a": X[:, 0], "b": X[:, 1].astype(bool), "c": X[:, 2]}),
}


@pytest.mark.parametrize("kind", SWITCHES)
def test_true_and_false_are_one_and_zero(kind):
    X, y = switched()
    plain = ShrimpRegressor(features=50).fit(X, y).predict(X)
    other = SWITCHES[kind](X)
    assert np.array_equal(ShrimpRegressor(features=50).fit(other, y).predict(other), plain)


@pytest.mark.parametrize("kind", [
    lambda y: y,
    lambda y: pandas.Series(y),
    lambda y: pandas.Series(pandas.array(y, dtype="boolean")),
    lambda y: polars.Series(y),
], ids=["NumPy", "pandas", "pandas with missing values allowed", "polars"])  # fmt: skip
def test_a_target_of_true_and_false_is_one_and_zero(kind):
    X, _ = switched()
    on = X[:, 0] > 0
    plain = ShrimpRegressor(features=50).fit(X, on.astype(float)).predict(X)
    assert np.array_equal(ShrimpRegressor(features=50).fit(X, kind(on)).predict(X), plain)


def test_all_inputs_may_be_true_and_false():
    X = np.random.default_rng(0).uniform(size=(40, 3)) > 0.5
    y = X[:, 0] + 2.0 * X[:, 1]
    assert np.array_equal(ShrimpRegressor().fit(X, y).predict(X), ShrimpRegressor().fit(X + 0.0, y).predict(X + 0.0))


NOT_A_NUMBER = "Give numeric columns only, or ignore this one."
EMPTY = "Fill it, drop the row, or ignore the column."
NOT_FINITE = "Drop the row, or ignore the column."


def with_cell(X, value):
    """Row 8 of the third column is another."""
    cells = X.astype(object)
    cells[7, 2] = value
    return cells


def frame_with_cell(X, value, names="abcd"):
    frame = pandas.DataFrame(X, columns=list(names), dtype=object if isinstance(value, str) else None)
    frame.iloc[7, 2] = value
    return frame


def polars_with_cell(X, value):
    columns = {name: X[:, j].tolist() for j, name in enumerate("abcd")}
    columns["c"] = [None if k == 7 and value is None else str(x) if isinstance(value, str) else x
                    for k, x in enumerate(columns["c"])]  # fmt: skip
    if value is not None:
        columns["c"][7] = value
    return polars.DataFrame(columns)


BAD_CELLS = {
    "text": (lambda X: with_cell(X, "abc"), f'column "x3", row 8: "abc" is not a number.\n{NOT_A_NUMBER}'),
    "bytes": (lambda X: with_cell(X, b"abc"), f'column "x3", row 8: "abc" is not a number.\n{NOT_A_NUMBER}'),
    "None": (lambda X: with_cell(X, None), f'column "x3", row 8: the cell is empty.\n{EMPTY}'),
    "NaN": (lambda X: with_cell(X, np.nan).astype(float),
            f'column "x3", row 8: "NaN" is not a finite number.\n{NOT_FINITE}'),
    "infinity": (lambda X: with_cell(X, np.inf).astype(float),
                 f'column "x3", row 8: "inf" is not a finite number.\n{NOT_FINITE}'),
    "text in a list": (lambda X: with_cell(X, "abc").tolist(),
                       f'column "x3", row 8: "abc" is not a number.\n{NOT_A_NUMBER}'),
    "pandas text": (lambda X: frame_with_cell(X, "abc"), f'column "c", row 8: "abc" is not a number.\n{NOT_A_NUMBER}'),
    "pandas missing": (lambda X: frame_with_cell(X, np.nan), f'column "c", row 8: the cell is empty.\n{EMPTY}'),
    "pandas NA": (lambda X: frame_with_cell(X, np.nan).convert_dtypes(),
                  f'column "c", row 8: the cell is empty.\n{EMPTY}'),
    "pandas dates": (lambda X: pandas.DataFrame(X, columns=list("abcd")).assign(c=pandas.Timestamp("2020-05-17")),
                     f'column "c", row 1: "2020-05-17 00:00:00" is not a number.\n{NOT_A_NUMBER}'),
    "pandas categories": (lambda X: pandas.DataFrame(X, columns=list("abcd")).assign(c="red").astype({"c": "category"}),
                          f'column "c", row 1: "red" is not a number.\n{NOT_A_NUMBER}'),
    "polars text": (lambda X: polars_with_cell(X, "abc"), f'column "c", row 8: "abc" is not a number.\n{NOT_A_NUMBER}'),
    "polars missing": (lambda X: polars_with_cell(X, None), f'column "c", row 8: the cell is empty.\n{EMPTY}'),
}  # fmt: skip


@pytest.mark.parametrize("spoil, words", BAD_CELLS.values(), ids=BAD_CELLS)
def test_a_bad_cell_is_refused_with_its_place_in_the_words_of_the_command_line(spoil, words, data):
    X, y = data
    bad = spoil(X)
    with pytest.raises(ValueError) as refused:
        ShrimpRegressor(method="shrimp", features=50).fit(bad, y)  # Method auto takes most of these.
    assert str(refused.value) == words
    names = list("abcd") if hasattr(bad, "columns") else None
    good = pandas.DataFrame(X, columns=names) if names else X
    with pytest.raises(ValueError) as refused:
        ShrimpRegressor(method="shrimp", features=50).fit(good, y).predict(bad)
    assert str(refused.value) == words
    with pytest.raises(ValueError) as refused:
        SparseRandomFeatures(features=50).fit(bad)
    assert str(refused.value) == words


BAD_TARGETS = {
    "text": (lambda y: np.where(np.arange(len(y)) == 4, "high", y.astype(str)), "y", '"high" is not a number.'),
    "objects": (lambda y: np.where(np.arange(len(y)) == 4, "high", y.astype(object)), "y", '"high" is not a number.'),
    "NaN": (lambda y: np.where(np.arange(len(y)) == 4, np.nan, y), "y", '"NaN" is not a finite number.'),
    "pandas": (lambda y: pandas.Series(np.where(np.arange(len(y)) == 4, np.nan, y), name="drag"), "drag",
               "the cell is empty."),
}  # fmt: skip


@pytest.mark.parametrize("spoil, name, words", BAD_TARGETS.values(), ids=BAD_TARGETS)
def test_a_bad_target_is_refused_with_its_place_in_the_words_of_the_command_line(spoil, name, words, data):
    X, y = data
    with pytest.raises(ValueError) as refused:
        ShrimpRegressor(features=50).fit(X, spoil(y))
    assert str(refused.value).startswith(f'column "{name}", row 5: {words}\n')


def test_a_bad_cell_among_validation_rows_is_refused_as_one_of_these(data):
    X, y = data
    with pytest.raises(ValueError, match='^validation data, column "x3", row 8: "abc" is not a number.\n'):
        ShrimpRegressor(features=50).fit(X, y, X_val=with_cell(X, "abc"), y_val=y)


def test_the_words_about_a_bad_cell_are_those_of_the_command_line(data, shrimp_refusal, tmp_path):
    X, y = data
    for value, spoiled in [("abc", with_cell(X, "abc")), ("inf", with_cell(X, np.inf))]:
        rows = [[*map(float, row), float(target)] for row, target in zip(X, y)]
        rows[7][2] = value
        (tmp_path / "table.csv").write_text("x1,x2,x3,x4,y\n" + "\n".join(",".join(map(str, row)) for row in rows))
        first, _ = shrimp_refusal("fit", tmp_path / "table.csv", "--target", "y")
        with pytest.raises(ValueError) as refused:
            ShrimpRegressor(features=50).fit(spoiled, y)
        own_first, _ = str(refused.value).split("\n")
        assert first.partition('"x3": ')[2] == own_first.partition("row 8: ")[2]


@pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda estimator: type(estimator).__name__)
def test_weights_are_repetition_to_the_last_bit(estimator, data):
    X, y = data
    random = np.random.default_rng(3)
    weights = random.integers(0, 4, len(y))
    order = random.permutation(np.repeat(np.arange(len(y)), weights))
    weighted = clone(estimator).fit(X, y, sample_weight=weights)
    repeated = clone(estimator).fit(X[order], y[order])
    assert weighted.model_.to_json() == repeated.model_.to_json()


def test_weights_of_one_are_no_weights(data):
    X, y = data
    with_ones = ShrimpRegressor(features=100, quick_error=True).fit(X, y, sample_weight=np.ones(len(y)))
    assert with_ones.model_.to_json() == ShrimpRegressor(features=100, quick_error=True).fit(X, y).model_.to_json()


@pytest.mark.parametrize("estimator", [ShrimpRegressor(), *REGRESSORS], ids=lambda estimator: str(estimator)[:30])
@pytest.mark.parametrize("weight", [1e-9, 2, 1e6])
def test_weights_that_are_all_the_same_are_no_weights(estimator, weight, data):
    X, y = data
    with_weights = clone(estimator).fit(X, y, sample_weight=np.full(len(y), weight))
    assert with_weights.model_.to_json() == clone(estimator).fit(X, y).model_.to_json()


def test_a_table_written_twice_is_the_table(data):
    X, y = data
    twice = ShrimpRegressor(features=100, quick_error=True).fit(np.tile(X, (2, 1)), np.tile(y, 2))
    assert twice.model_.to_json() == ShrimpRegressor(features=100, quick_error=True).fit(X, y).model_.to_json()


@pytest.mark.parametrize("estimator", [ShrimpRegressor(), *REGRESSORS], ids=lambda estimator: str(estimator)[:30])
def test_the_unit_of_weights_does_not_matter(estimator, data):
    X, y = data
    random = np.random.default_rng(3)
    y = y + 0.1 * random.normal(size=len(y))
    weights = random.integers(4, 16, len(y)) / 8
    fits = [clone(estimator).fit(X, y, sample_weight=unit * weights) for unit in (1, 2.0**-30, 2.0**-3)]
    assert fits[1].model_.to_json() == fits[0].model_.to_json() == fits[2].model_.to_json()
    counted = clone(estimator).fit(X, y, sample_weight=8 * weights)
    assert clone(estimator).fit(X, y, sample_weight=8e6 * weights).model_.to_json() == counted.model_.to_json()


def test_rows_of_weight_zero_are_as_good_as_gone(data):
    X, y = data
    some = np.arange(len(y)) % 3 > 0
    weighted = ShrimpRegressor(features=100, quick_error=True).fit(X, y, sample_weight=1e-9 * some)
    assert weighted.model_.to_json() == ShrimpRegressor(features=100, quick_error=True).fit(X[some], y[some]).model_.to_json()


def test_negative_weights_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="the weight -1 is not a number of 0 or more"):
        ShrimpRegressor(features=100, quick_error=True).fit(X, y, sample_weight=np.where(np.arange(len(y)) == 3, -1.0, 1.0))


def test_validation_rows_select_the_model(data):
    X, y = data
    fitted = ShrimpRegressor(features=100, quick_error=True).fit(X[:100], y[:100], X_val=X[100:], y_val=y[100:])
    residuals = fitted.predict(X[100:]) - y[100:]
    assert np.mean(residuals**2) == pytest.approx(fitted.validation_mse_, rel=1e-6)
    with pytest.raises(ValueError, match="only one of X_val and y_val is given"):
        ShrimpRegressor(features=100, quick_error=True).fit(X, y, X_val=X)


def test_too_large_values_are_refused_with_the_words_of_the_command_line(data):
    X, y = data
    with pytest.raises(ValueError, match='column "x2": 1e\\+200 is too large'):
        ShrimpRegressor(features=100, quick_error=True).fit(np.where(np.arange(4) == 1, 1e200, X), y)


def test_a_fit_larger_than_memory_is_refused(data):
    with pytest.raises(ValueError, match="of memory"):
        ShrimpRegressor(features=100000, memory=0.001, storage="keep").fit(*data)


def test_constant_inputs_are_warned_of(data):
    X, y = data
    with pytest.warns(UserWarning, match='input "x2" is constant over the training rows'):
        ShrimpRegressor(features=100, quick_error=True).fit(np.where(np.arange(4) == 1, 7.0, X), y)


def test_fits_that_do_not_converge_are_warned_of(data):
    X, y = data
    estimator = LassoRegressor(basis="fourier", features=200, max_iterations=1, tolerance=1e-12, alpha=1e-6)
    with pytest.warns(ConvergenceWarning, match="lasso did not converge: its relative duality gap is"):
        estimator.fit(X, y)
    assert not estimator.converged_


def test_random_features_approximate_their_kernel():
    X = np.random.default_rng(0).normal(size=(30, 3))
    features = SparseRandomFeatures(order=3, features=20000, sigma2=0.5).fit_transform(X)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert features @ features.T == pytest.approx(np.exp(-0.25 * distances), abs=0.03)


@pytest.mark.parametrize("basis", ["fourier", "cos", "sin", "relu", "tanh", "identity", "linear"])
def test_random_features_are_functions_of_their_weights(basis):
    X = np.random.default_rng(0).normal(size=(20, 5))
    sampler = SparseRandomFeatures(order=2, features=40, basis=basis).fit(X)
    t = X @ sampler.random_weights_.T.toarray()
    if len(sampler.random_offset_):
        t = t + sampler.random_offset_
    functions = {
        "fourier": lambda t: np.hstack([np.cos(t), np.sin(t)]),
        "cos": lambda t: np.sqrt(2) * np.cos(t),
        "sin": lambda t: np.sqrt(2) * np.sin(t),
        "relu": lambda t: np.maximum(t, 0),
        "tanh": np.tanh,
    }
    expected = functions.get(basis, lambda t: t)(t) / np.sqrt(t.shape[1])
    assert sampler.transform(X) == pytest.approx(expected, abs=1e-12)
    assert len(sampler.get_feature_names_out()) == expected.shape[1]


def test_random_features_come_out_as_dataframes():
    X = pandas.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=list("abc"))
    out = SparseRandomFeatures(features=10).set_output(transform="pandas").fit_transform(X)
    assert isinstance(out, pandas.DataFrame) and out.columns[0] == "sparserandomfeatures0"
    out = SparseRandomFeatures(features=10).set_output(transform="polars").fit_transform(X)
    assert isinstance(out, polars.DataFrame)
    frame = polars.DataFrame(X.to_numpy(), schema=list("abc"))
    assert isinstance(SparseRandomFeatures(features=10).set_output(transform="polars").fit_transform(frame), polars.DataFrame)


def test_random_features_refuse_several_candidates():
    with pytest.raises(ValueError, match="order names several candidates"):
        SparseRandomFeatures(order=[1, 2]).fit(np.eye(3))


def test_srfe_keeps_at_most_sparsity_basis_functions(data):
    assert SrfeRegressor(features=100, sparsity=7, eta=0.1).fit(*data).n_basis_functions_ <= 7
