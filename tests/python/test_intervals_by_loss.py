"""Intervals of probabilities, counts and amounts in Python."""

import numpy as np
import pytest
from scipy import stats
from shrimp import MainEffectDisplay, ShrimpClassifier, ShrimpRegressor

FAST = {"max_order": 1, "input_transform": "none"}


def two_classes(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    return X, np.where(random.random(rows) < 1 / (1 + np.exp(-2 * X[:, 0])), "up", "down")


def amounts(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    return X, random.gamma(2, np.exp(X[:, 0]) / 2)


@pytest.fixture(scope="module")
def classifier():
    return ShrimpClassifier(quick_error=True, **FAST).fit(*two_classes(300, 1))


@pytest.fixture(scope="module")
def regressor():
    return ShrimpRegressor(loss="gamma", **FAST).fit(*amounts(300, 1))


def test_bounds_of_probabilities_enclose_the_probability_of_the_second_class(classifier):
    X, _ = two_classes(200, 2)
    bounds = classifier.predict_interval(X, level=0.8)
    probability = classifier.predict_proba(X)[:, 1]
    assert bounds.shape == (200, 2)
    assert ((0 < bounds[:, 0]) & (bounds[:, 0] < probability) & (probability < bounds[:, 1]) & (bounds[:, 1] < 1)).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        classifier.predict_interval(X, level=1)


def test_more_than_two_classes_have_no_intervals():
    X = np.random.default_rng(0).uniform(-1, 1, (150, 2))
    model = ShrimpClassifier(quick_error=True, **FAST).fit(X, np.digitize(X[:, 0], [-0.3, 0.3]))
    with pytest.raises(ValueError, match="predict_interval needs two classes"):
        model.predict_interval(X)


def test_quantiles_of_amounts_are_those_of_scipy(regressor):
    """At the level where calibration hardly matters, bounds are near those of the gamma distribution with known mean."""
    X, y = amounts(2000, 2)
    lower, upper = regressor.predict_interval(X, level=0.9).T
    assert np.mean((lower <= y) & (y <= upper)) == pytest.approx(0.9, abs=0.05)
    expected = stats.gamma.ppf([0.05, 0.95], 2, scale=np.exp(X[:, :1]) / 2)
    np.testing.assert_allclose(np.median(np.log([lower, upper]).T - np.log(expected), axis=0), 0, atol=0.4)


def test_standard_deviations_of_amounts_are_proportional_to_their_means(regressor):
    X, _ = amounts(200, 2)
    prediction, deviation = regressor.predict(X, return_std=True)
    assert np.median(deviation / prediction) == pytest.approx(np.sqrt(0.5), rel=0.2)


def test_curves_of_log_odds_and_of_log_means_have_bands(classifier, regressor):
    for model in (classifier, regressor):
        display = MainEffectDisplay.from_estimator(model)
        lower, upper = display.band
        assert (lower <= display.values).all() and (display.values <= upper).all() and (lower < upper).any()
        assert np.isfinite(model.sobol_["first_high"]).all()


def test_counts_with_an_exposure_have_intervals_for_an_exposure_of_one():
    random = np.random.default_rng(1)
    X = random.uniform(-1, 1, (400, 2))
    for hours in (np.full(400, 5.0), random.uniform(1, 9, 400)):
        y = random.poisson(hours * np.exp(1 + X[:, 0])).astype(float)
        model = ShrimpRegressor(loss="poisson", **FAST).fit(X, y, exposure=hours)
        lower, upper = model.predict_interval(X, level=0.9).T
        new = random.poisson(np.exp(1 + X[:, 0]))
        assert 0.87 < np.mean((lower <= new) & (new <= upper)) < 0.99
