"""Dependent rows: groups, and contiguous blocks of a time series."""

import warnings

import numpy as np
import pandas
import polars
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, cross_validate

from estimators import REGRESSORS
from shrimp import LassoRegressor, ShrimpRegressor


@pytest.fixture(scope="module")
def grouped():
    """20 patients of 10 rows each: rows of one patient hardly differ, and no input determines the level of a patient."""
    random = np.random.default_rng(5)
    patient = np.tile(np.arange(20), 10)
    X = random.normal(size=(20, 2))[patient] + 0.001 * random.normal(size=(200, 2))
    return X, random.normal(size=20)[patient] + 0.01 * random.normal(size=200), patient


@pytest.mark.parametrize("parameters", [{}, {"method": "shrimp"}, {"method": "krr"}], ids=str)
@pytest.mark.parametrize("choice", [{"validation": 0.3}, {"folds": 5}], ids=str)
def test_rows_of_a_group_do_not_predict_each_other(parameters, choice, grouped):
    X, y, patient = grouped
    few = {} if parameters.get("method") == "krr" else {"features": 200}
    estimator = ShrimpRegressor(**parameters, **few, **choice)
    together = clone(estimator).fit(X, y, groups=patient).validation_mse_
    assert together > 3 * clone(estimator).fit(X, y).validation_mse_
    assert together > 0.4 * np.var(y)


def test_the_error_of_folds_by_groups_is_like_that_of_scikit_learn(grouped):
    X, y, patient = grouped
    estimator = LassoRegressor(alpha=0.1, folds=5)
    own = clone(estimator).fit(X, y, groups=patient).validation_mse_
    scores = cross_validate(estimator, X, y, cv=GroupKFold(5), groups=patient, scoring="neg_mean_squared_error")
    assert own == pytest.approx(-scores["test_score"].mean(), rel=0.3)


@pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda estimator: type(estimator).__name__)
def test_every_regressor_takes_groups_and_blocks(estimator, data):
    X, y = data
    assert np.isfinite(clone(estimator).fit(X, y, groups=np.arange(len(y)) // 5).validation_mse_)
    in_order = clone(estimator).set_params(blocks=True).fit(X, y)
    assert in_order.get_params()["blocks"] is True
    assert in_order.model_.options["blocks"] == "true"


def test_groups_may_be_anything_and_only_equality_counts(grouped):
    X, y, patient = grouped
    names = [f"patient {p}" for p in patient]
    kinds = [
        patient + 1000,
        -patient.astype(np.int8),
        patient / 3,
        names,
        np.array(names, dtype=object),
        pandas.Series(names, dtype="category"),
        pandas.to_datetime("2020-01-01") + pandas.to_timedelta(patient, unit="D"),
        polars.Series(names),
    ]
    estimator = ShrimpRegressor(method="shrimp", features=50)
    expected = clone(estimator).fit(X, y, groups=patient).model_.to_json()
    for groups in kinds:
        assert clone(estimator).fit(X, y, groups=groups).model_.to_json() == expected


def test_groups_of_one_row_each_hold_out_as_many_rows(data):
    X, y = data
    estimator = ShrimpRegressor(method="shrimp", features=50, folds=len(y))
    alone = clone(estimator).fit(X, y, groups=np.arange(len(y)))
    assert alone.validation_mse_ == pytest.approx(clone(estimator).fit(X, y).validation_mse_, rel=1e-6)


def test_groups_of_the_wrong_length_are_refused_as_weights_are(data):
    X, y = data
    with pytest.raises(ValueError) as refused:
        ShrimpRegressor().fit(X, y, sample_weight=np.ones(len(y) - 1))
    with pytest.raises(ValueError) as own:
        ShrimpRegressor().fit(X, y, groups=np.ones(len(y) - 1))
    assert str(own.value) == str(refused.value).replace("sample_weight", "groups")


@pytest.mark.parametrize("missing", [None, np.nan, pandas.NA, pandas.NaT], ids=str)
def test_a_missing_group_is_refused_with_its_row(missing, data):
    X, y = data
    groups = np.array([str(i % 5) for i in range(len(y))], dtype=object)
    groups[3] = missing
    with pytest.raises(ValueError, match="groups, row 4: the group is missing"):
        ShrimpRegressor().fit(X, y, groups=groups)


def test_too_few_groups_and_groups_with_blocks_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="folds 5 is more than the 4 groups"):
        ShrimpRegressor(folds=5).fit(X, y, groups=np.arange(len(y)) % 4)
    with pytest.raises(ValueError, match="rows belong to one group, but two are needed"):
        ShrimpRegressor().fit(X, y, groups=np.zeros(len(y)))
    with pytest.raises(ValueError, match="groups and blocks exclude each other"):
        ShrimpRegressor(blocks=True).fit(X, y, groups=np.arange(len(y)) % 4)


def test_groups_are_routed(grouped):
    X, y, patient = grouped
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = ShrimpRegressor(method="shrimp", features=50).set_fit_request(groups=True)
        routed = cross_validate(estimator, X, y, params={"groups": patient}, return_estimator=True)["estimator"]
    own = cross_validate(ShrimpRegressor(method="shrimp", features=50), X, y, return_estimator=True)["estimator"]
    assert all(a.validation_mse_ > b.validation_mse_ for a, b in zip(routed, own))


def test_blocks_of_a_series_do_not_predict_their_neighbours(grouped):
    X, y, patient = grouped
    order = np.argsort(patient, kind="stable")
    estimator = ShrimpRegressor(method="shrimp", features=200, folds=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        apart = clone(estimator).fit(X[order], y[order]).validation_mse_
    assert clone(estimator).set_params(blocks=True).fit(X[order], y[order]).validation_mse_ > 3 * apart


def test_a_model_of_blocks_is_loaded_with_them(data, tmp_path):
    ShrimpRegressor(method="shrimp", features=50, blocks=True).fit(*data).save(tmp_path / "model.json")
    assert ShrimpRegressor.load(tmp_path / "model.json").blocks is True


def test_neighbours_with_similar_residuals_are_warned_of():
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 3))
    y = X[:, 0] + np.cumsum(random.normal(size=300))
    with pytest.warns(UserWarning, match="neighbouring rows have similar residuals .* option blocks"):
        LassoRegressor().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LassoRegressor(blocks=True).fit(X, y)
