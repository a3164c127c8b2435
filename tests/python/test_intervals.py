"""Uncertainty of predictions: standard deviations, intervals, bands."""

import pickle

import numpy as np
import pytest
import shrimp
from shrimp import KrrRegressor, MainEffectDisplay, ShrimpRegressor
from sklearn.linear_model import LinearRegression


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    return X, 3 * np.sin(2 * X[:, 0]) + X[:, 1] + 0.4 * random.normal(size=rows)


@pytest.fixture(scope="module")
def model():
    return ShrimpRegressor(quick_error=True).fit(*noisy(300, 1))


def test_intervals_contain_the_wanted_fraction_of_new_rows(model):
    X, y = noisy(2000, 2)
    for level in [0.5, 0.9]:
        bounds = model.predict_interval(X, level)
        assert bounds.shape == (2000, 2)
        assert np.mean((bounds[:, 0] <= y) & (y <= bounds[:, 1])) == pytest.approx(level, abs=0.07)
    assert np.array_equal(model.predict_interval(X), model.predict_interval(X, level=0.9))


def test_standard_deviations_are_those_of_the_target_around_its_prediction(model):
    X, y = noisy(2000, 2)
    prediction, deviation = model.predict(X, return_std=True)
    assert np.array_equal(prediction, model.predict(X))
    assert np.mean(((y - prediction) / deviation) ** 2) == pytest.approx(1, abs=0.2)


def test_the_standard_deviation_of_a_line_is_that_of_least_squares():
    """The prediction of y at x varies by σ²(1 + 1/m + (x − mean)²/Σ(x − mean)²), as textbooks have it."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 1))
    y = 2 * X[:, 0] + random.normal(size=60)
    line = ShrimpRegressor(method="shrimp", basis="linear", order=1, standardize=False).fit(X, y - y.mean())
    rows = np.array([[0.0], [1.0], [3.0]])
    _, deviation = line.predict(rows, return_std=True)
    # No constant next to the basis function, but that of the target's mean.
    expected = np.sqrt(1 + 1 / 60 + rows[:, 0] ** 2 / (X[:, 0] ** 2).sum())
    assert deviation / deviation[0] == pytest.approx(expected / expected[0], rel=1e-5)
    residual = LinearRegression().fit(X, y).predict(X) - y
    assert deviation[0] == pytest.approx(residual.std() * expected[0], rel=0.5)  # Six held-out rows determine σ.


def test_what_is_wrong_is_refused(model):
    X, _ = noisy(10, 3)
    for level in [0, 1, 2, -1, np.nan]:
        with pytest.raises(ValueError, match="between 0 and 1"):
            model.predict_interval(X, level)
    with pytest.raises(ValueError):
        model.predict_interval(X[:, :2])
    with pytest.warns(UserWarning, match="may undercover"):
        model.predict_interval(X, 0.9999)


def test_rows_outside_the_training_range_are_warned_of_and_less_sure(model):
    rows = np.array([[0, 0, 0], [5, 0, 0]], dtype=float)
    with pytest.warns(shrimp.OutsideRangeWarning):
        bounds = model.predict_interval(rows)
    width = bounds[:, 1] - bounds[:, 0]
    assert width[1] > 2 * width[0]


def test_models_keep_their_intervals_when_saved_and_pickled(model, tmp_path):
    X, _ = noisy(50, 4)
    model.save(tmp_path / "model.json")
    for again in [ShrimpRegressor.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))]:
        assert np.array_equal(again.predict_interval(X), model.predict_interval(X))


def test_partial_fit_makes_a_model_surer():
    model = ShrimpRegressor(quick_error=True).partial_fit(*noisy(300, 1))
    before = model.sobol_
    model.partial_fit(*noisy(5000, 5))
    after = model.sobol_
    widths = [table["first_high"][0] - table["first_low"][0] for table in (before, after)]
    assert widths[1] < widths[0] / 2
    X, y = noisy(2000, 2)
    bounds = model.predict_interval(X)
    assert np.mean((bounds[:, 0] <= y) & (y <= bounds[:, 1])) == pytest.approx(0.9, abs=0.06)


def test_indices_have_bounds_and_exact_fits_have_none(model):
    table = model.sobol_
    assert (table["first_low"] <= table["first"]).all() and (table["total"] <= table["total_high"]).all()
    X, _ = noisy(300, 6)
    exact = ShrimpRegressor(quick_error=True).fit(X, 3 * np.sin(2 * X[:, 0]) + X[:, 1])
    assert exact.sobol_["first_low"].isna().all()
    bounds = exact.predict_interval(X)
    assert (bounds[:, 1] - bounds[:, 0]).max() < 1e-3


def test_curves_have_bands_where_coefficients_are_known(model):
    display = MainEffectDisplay.from_estimator(model, "x1")
    lower, upper = display.band
    assert (lower < display.values).all() and (display.values < upper).all()
    assert len(display.ax_.collections) >= 2
    kernel = KrrRegressor().fit(*noisy(100, 1))
    assert MainEffectDisplay.from_estimator(kernel).band is None
    assert kernel.predict_interval(np.zeros((1, 3))).shape == (1, 2)
