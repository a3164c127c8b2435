"""partial_fit against summarize and merge, and with scikit-learn's habits."""

import copy
import json
import pickle

import numpy as np
import pytest
from estimators import REGRESSORS
from functions import write_csv
from shrimp import LassoRegressor, MinL2Regressor, ShrimpRegressor
from sklearn.base import clone


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    return X, 10 + np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * random.normal(size=rows)


def coefficients(model):
    return np.array([c for *_, c in model.columns])


def relative_gap(model, other):
    c = coefficients(other)
    return np.abs(coefficients(model) - c).max() / np.abs(c).max()


UPDATABLE = [e for e in REGRESSORS if hasattr(e, "partial_fit")]


def test_methods_whose_coefficients_are_a_least_squares_fit_have_it():
    names = {type(estimator).__name__ for estimator in UPDATABLE}
    assert names == {"ShrimpRegressor", "MinL2Regressor", "RandomPruneRegressor", "ImpLinearRegressor", "StlsqRegressor"}
    assert not hasattr(ShrimpRegressor(method="lasso"), "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit"):
        LassoRegressor().partial_fit(*noisy(20, 1))


@pytest.mark.parametrize("estimator", [ShrimpRegressor(quick_error=True), MinL2Regressor(features=10)], ids=["auto", "min-l2"])
def test_is_what_merged_summaries_of_all_rows_give(estimator, shrimp_program, tmp_path):
    parts = [noisy(120, 1), noisy(1, 2), noisy(300, 3)]
    fitted = clone(estimator).partial_fit(*parts[0])
    fitted.save(tmp_path / "first.json")
    for X, y in parts[1:]:
        assert fitted.partial_fit(X, y) is fitted
    write_csv(tmp_path / "all.csv", *(np.concatenate(both) for both in zip(*parts)))
    shrimp_program("summarize", tmp_path / "first.json", tmp_path / "all.csv", "--output", tmp_path / "all.summary")
    shrimp_program("merge", tmp_path / "first.json", tmp_path / "all.summary", "--output", tmp_path / "all.json")
    merged = type(estimator).load(tmp_path / "all.json")
    assert relative_gap(fitted.model_, merged.model_) < 1e-9
    assert fitted.summary_.rows == 421 and fitted.summary_.folds == 7
    assert fitted.train_mse_ == pytest.approx(merged.train_mse_, rel=1e-9)
    assert fitted.validation_mse_ > fitted.train_mse_ * 0.9 and fitted.validation_se_ > 0
    assert fitted.model_.results["rows"] == 421


def test_weights_are_repetitions():
    X, y = noisy(100, 1)
    more, targets = noisy(50, 2)
    first = ShrimpRegressor(quick_error=True).partial_fit(X, y)
    weighted = copy.deepcopy(first).partial_fit(more, targets, np.full(50, 2))
    repeated = copy.deepcopy(first).partial_fit(np.repeat(more, 2, axis=0), np.repeat(targets, 2))
    assert relative_gap(weighted.model_, repeated.model_) < 1e-9


def test_copies_go_their_own_way():
    first = ShrimpRegressor(quick_error=True).partial_fit(*noisy(100, 1))
    for other in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        other.partial_fit(*noisy(50, 2))
        assert other.summary_.rows == 150 and first.summary_.rows == 100
        assert relative_gap(other.model_, first.model_) > 0


@pytest.mark.parametrize("estimator", UPDATABLE, ids=lambda estimator: type(estimator).__name__)
def test_goes_on_from_files_and_in_the_command_line(estimator, shrimp_program, tmp_path):
    first = clone(estimator).partial_fit(*noisy(100, 1))
    first.save(tmp_path / "model.json", summary=tmp_path / "rows.summary")
    loaded = type(estimator).load(tmp_path / "model.json", summary=tmp_path / "rows.summary").partial_fit(*noisy(60, 2))
    write_csv(tmp_path / "new.csv", *noisy(60, 2))
    shrimp_program("update", tmp_path / "model.json", tmp_path / "new.csv", "--summary", tmp_path / "rows.summary")
    updated = type(estimator).load(tmp_path / "model.json", summary=tmp_path / "rows.summary")
    first.partial_fit(*noisy(60, 2))
    X, _ = noisy(50, 3)
    for other in (loaded, updated):
        assert other.summary_.rows == 160
        assert other.predict(X) == pytest.approx(first.predict(X), rel=1e-9)


def test_goes_on_from_fit():
    fitted = ShrimpRegressor(quick_error=True).fit(*noisy(100, 1)).partial_fit(*noisy(60, 2))
    begun = ShrimpRegressor(quick_error=True).partial_fit(*noisy(100, 1)).partial_fit(*noisy(60, 2))
    assert fitted.model_.to_json() == begun.model_.to_json()
    assert fitted.fit(*noisy(80, 3)).summary_.rows == 80


def test_large_models_have_sufficient_statistics_after_partial_fit():
    large = MinL2Regressor(features=200).fit(*noisy(30, 1))
    assert large.n_basis_functions_ > 300 and not hasattr(large, "summary_")
    with pytest.raises(ValueError, match="Call partial_fit for the first rows as well"):
        large.partial_fit(*noisy(30, 2))
    assert clone(large).partial_fit(*noisy(30, 1)).partial_fit(*noisy(30, 2)).summary_.rows == 60


def test_rows_of_one_group_stay_in_one_fold():
    X, y = noisy(90, 1)
    grouped = ShrimpRegressor(quick_error=True).fit(X, y, groups=np.arange(90) % 3)
    assert grouped.summary_.folds == 3


def test_bad_rows_change_nothing(tmp_path):
    estimator = ShrimpRegressor(quick_error=True, target_transform="log").partial_fit(*noisy(100, 1))
    before = estimator.model_.to_json()
    X, y = noisy(5, 2)
    for bad, words in [((X[:, :2], y), "features"), ((X, -y), "row 1: the target"), ((X, y, -np.ones(5)), "weight")]:
        with pytest.raises(ValueError, match=words):
            estimator.partial_fit(*bad)
    assert estimator.model_.to_json() == before and estimator.summary_.rows == 100
    estimator.save(tmp_path / "model.json", summary=tmp_path / "rows.summary")
    estimator.partial_fit(X, y).save(tmp_path / "later.json")
    with pytest.raises(ValueError, match="saved together"):
        ShrimpRegressor.load(tmp_path / "later.json", summary=tmp_path / "rows.summary")
    with pytest.raises(ValueError, match="no sufficient statistics"):
        ShrimpRegressor.load(tmp_path / "later.json").save(tmp_path / "a.json", summary=tmp_path / "b")
    (tmp_path / "rows.summary").write_bytes((tmp_path / "rows.summary").read_bytes()[:-3])
    with pytest.raises(ValueError, match="is truncated"):
        ShrimpRegressor.load(tmp_path / "model.json", summary=tmp_path / "rows.summary")
    assert json.loads((tmp_path / "later.json").read_text())["results"]["rows"] == 105
