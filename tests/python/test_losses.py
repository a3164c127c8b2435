"""Losses of the regressor, and loss functions of the caller."""

import pickle

import numpy as np
import pytest
from shrimp import ShrimpRegressor
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

FAST = {"max_order": 1, "quick_error": True, "input_transform": "none"}


def expectile(y, f, level=0.8):
    """Asymmetric squared error; its minimiser is the expectile at the level (Newey and Powell, 1987)."""
    weight = np.where(y > f, level, 1 - level)
    return weight * (y - f) ** 2 / 2, weight * (f - y), weight


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (300, 3))
    return X, 1e3 * (5 + 2 * X[:, 0] + np.sin(3 * X[:, 1]) + random.exponential(size=300))


@pytest.fixture(scope="module")
def model(table):
    return ShrimpRegressor(loss=expectile, **FAST).fit(*table)


def test_a_loss_function_of_the_caller_is_minimised(model, table):
    X, y = table
    # The constant has no penalty: the gradients of the training rows sum to 0.
    _, gradient, weight = expectile(y, model.predict(X))
    assert abs(gradient.sum()) < 1e-4 * np.abs(gradient).sum()
    assert set(model.terms_["term"].head(2)) == {"x1", "x2"}
    assert np.mean(expectile(y, model.predict(X))[0]) < 0.6 * np.mean(expectile(y, np.full(len(y), y.mean()))[0])


def test_an_expectile_lies_above_the_mean(model, table):
    mean = ShrimpRegressor(**FAST).fit(*table)
    assert np.mean(model.predict(table[0]) - mean.predict(table[0])) > 100


def test_squared_error_written_in_python_gives_the_fit_of_a_robust_loss_without_outliers(table):
    X, _ = table
    y = X[:, 0] + np.random.default_rng(1).uniform(-0.1, 0.1, len(X))  # Huber's bound is beyond uniform noise.
    own = ShrimpRegressor(loss=lambda y, f: ((y - f) ** 2 / 2, f - y, np.ones(len(y))), **FAST).fit(X, y)
    huber = ShrimpRegressor(loss="huber", **FAST).fit(X, y)
    assert own.predict(X) == pytest.approx(huber.predict(X), abs=5e-3)


def test_estimators_with_a_loss_function_are_cloned_scored_and_saved(model, table, tmp_path):
    X, y = table
    assert clone(model).loss is expectile
    assert np.all(np.isfinite(cross_val_score(clone(model), X, y, cv=2)))
    assert pickle.loads(pickle.dumps(model)).predict(X) == pytest.approx(model.predict(X), rel=1e-12)
    model.save(tmp_path / "m.json")
    loaded = ShrimpRegressor.load(tmp_path / "m.json")
    assert loaded.predict(X) == pytest.approx(model.predict(X), rel=1e-12)
    assert loaded.loss == "custom"
    with pytest.raises(ValueError, match="Give both or neither"):
        loaded.fit(X, y)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda y, f: (y - f) ** 2, "three arrays"),
        (lambda y, f: (y, y), "three arrays"),
        (lambda y, f: (y, y, 1.0), "curvature that is not one number per row"),
        (lambda y, f: (y, y, np.full(len(y), np.nan)), "curvature that is not finite"),
    ],
)
def test_results_of_a_loss_function_are_checked(table, result, message):
    with pytest.raises(ValueError, match=message):
        ShrimpRegressor(loss=result, **FAST).fit(*table)


def test_an_error_in_a_loss_function_ends_the_fit(table):
    def broken(y, f):
        raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError, match="broken"):
        ShrimpRegressor(loss=broken, **FAST).fit(*table)


@pytest.mark.parametrize(("loss", "more"), [("gamma", {}), ("tweedie", {"tweedie_power": 1.2}), ("quantile", {"quantile": 0.9})])
def test_named_losses_have_parameters(table, loss, more):
    model = ShrimpRegressor(loss=loss, **more, **FAST).fit(*table)
    assert np.all(np.isfinite(model.predict(table[0])))
    key = "pinball_loss" if loss == "quantile" else "deviance"
    assert model.model_.results[f"validation_{key}"] < model.model_.results[f"baseline_mean_{key}"]
    assert key.replace("_", " ") in model._repr_html_()


def test_predictions_that_are_no_means_have_no_intervals(table):
    with pytest.raises(ValueError, match="quantile"):
        ShrimpRegressor(loss="quantile", **FAST).fit(*table).predict_interval(table[0])


@pytest.mark.parametrize("loss", ["poisson", "gamma", "huber"])
def test_models_under_other_losses_are_updated_and_simplified(loss):
    random = np.random.default_rng(2)
    X = random.uniform(-1, 1, (500, 3))
    mean = np.exp(1 + X[:, 0] + 0.1 * X[:, 1])
    y = random.poisson(mean).astype(float) if loss == "poisson" else random.gamma(4, mean / 4)
    model = ShrimpRegressor(loss=loss, **FAST).partial_fit(X[:400], y[:400]).partial_fit(X[400:], y[400:])
    assert model.summary_.rows == 500
    full = ShrimpRegressor(loss=loss, **FAST).fit(X, y)
    assert np.corrcoef(model.predict(X), full.predict(X))[0, 1] > 0.99
    smaller = full.simplify(X, y, terms=1)
    key = "huber_loss" if loss == "huber" else "deviance"
    assert list(smaller.terms_["term"]) == ["x1"]
    errors = smaller.simplified_[f"train_{key}"]
    assert errors["before"] <= errors["after"] < 1.2 * errors["before"]


def test_losses_without_sufficient_statistics_do_not_offer_updates():
    for loss in ("quantile", expectile):
        model = ShrimpRegressor(loss=loss)
        assert not hasattr(model, "partial_fit")
        assert not hasattr(model, "simplify")
