"""Gamma, Tweedie and quantile losses through the command line, against scikit-learn."""

import json
import re

import numpy as np
import pytest
from functions import write_csv
from sklearn.linear_model import GammaRegressor, PoissonRegressor, QuantileRegressor, TweedieRegressor
from sklearn.metrics import mean_gamma_deviance, mean_pinball_loss, mean_poisson_deviance, mean_tweedie_deviance

FAST = ["--method", "auto", "--quick-error", "--max-order", 1, "--transform", "none", "-q"]
POWER, LEVEL = 1.3, 0.8
OPTIONS = {"gamma": [], "poisson": [], "tweedie": ["--tweedie-power", POWER], "quantile": ["--quantile", LEVEL]}


def table(loss, rows=400, seed=1):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    mu = np.exp(1 + X[:, 0] + 0.5 * np.sin(3 * X[:, 1]))
    if loss == "gamma":
        return X, random.gamma(4, mu / 4)
    if loss == "poisson":
        return X, random.poisson(mu).astype(float)
    if loss == "tweedie":
        return X, np.array([random.gamma(2, 1, size).sum() for size in random.poisson(mu / 2)])
    return X, mu + (1 + X[:, 2]) * random.normal(size=rows)


SCORES = {
    "gamma": ("deviance", mean_gamma_deviance),
    "poisson": ("deviance", mean_poisson_deviance),
    "tweedie": ("deviance", lambda y, p: mean_tweedie_deviance(y, p, power=POWER)),
    "quantile": ("pinball_loss", lambda y, p: mean_pinball_loss(y, p, alpha=LEVEL)),
}
LINEAR = {
    "gamma": GammaRegressor(alpha=0, tol=1e-12, max_iter=1000, solver="newton-cholesky"),
    "poisson": PoissonRegressor(alpha=0, tol=1e-12, max_iter=1000, solver="newton-cholesky"),
    "tweedie": TweedieRegressor(power=POWER, alpha=0, tol=1e-12, max_iter=1000, link="log", solver="newton-cholesky"),
    "quantile": QuantileRegressor(quantile=LEVEL, alpha=0),
}
# A quantile is fitted with a smoothed loss.
PRECISION = {"gamma": 1e-6, "poisson": 1e-6, "tweedie": 1e-6, "quantile": 0.01}


@pytest.fixture(scope="module")
def fitted(shrimp, tmp_path_factory):
    """By loss: the folder of a table and its model, and the JSON of the fit, validated on the table itself."""
    models = {}
    for loss, options in OPTIONS.items():
        folder = tmp_path_factory.mktemp(loss)
        write_csv(folder / "train.csv", *table(loss))
        where = ["--validation", folder / "train.csv", "--output", folder / "m.json"]
        run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", loss, *options, *FAST, *where, "--json")
        assert run.returncode == 0, run.stderr
        models[loss] = folder, json.loads(run.stdout)
    return models


def predictions(shrimp, model, path):
    return np.array(shrimp("predict", model, path, "-q").stdout.split()[1:], dtype=float)


@pytest.mark.parametrize("loss", OPTIONS)
def test_evaluate_prints_the_metric_of_the_loss(shrimp, fitted, loss):
    folder, _ = fitted[loss]
    scores = json.loads(shrimp("evaluate", folder / "m.json", folder / "train.csv", "--json", "-q").stdout)
    key, metric = SCORES[loss]
    assert scores[key] == pytest.approx(metric(table(loss)[1], predictions(shrimp, folder / "m.json", folder / "train.csv")))


@pytest.mark.parametrize("loss", OPTIONS)
def test_the_linear_baseline_is_that_of_scikit_learn(fitted, loss):
    key, metric = SCORES[loss]
    X, y = table(loss)
    expected = metric(y, LINEAR[loss].fit(X, y).predict(X))
    assert fitted[loss][1][f"baseline_linear_{key}"] == pytest.approx(expected, rel=PRECISION[loss])


@pytest.mark.parametrize("loss", OPTIONS)
def test_a_fit_is_better_than_a_linear_model(fitted, loss):
    key, _ = SCORES[loss]
    results = fitted[loss][1]
    assert results[f"validation_{key}"] < 0.97 * results[f"baseline_linear_{key}"] < results[f"baseline_mean_{key}"]


@pytest.mark.parametrize(("loss", "unit"), [("gamma", 1e12), ("gamma", 1e-12), ("tweedie", 1e9), ("quantile", 2.0**-20)])
def test_predictions_have_the_unit_of_the_target(shrimp, fitted, tmp_path, loss, unit):
    folder, _ = fitted[loss]
    X, y = table(loss)
    write_csv(tmp_path / "train.csv", X, unit * y)
    fit = ["--loss", loss, *OPTIONS[loss], *FAST, "--validation", tmp_path / "train.csv", "--output", tmp_path / "m.json"]
    assert shrimp("fit", tmp_path / "train.csv", "--target", "y", *fit).returncode == 0
    scaled = predictions(shrimp, tmp_path / "m.json", tmp_path / "train.csv")
    assert scaled == pytest.approx(unit * predictions(shrimp, folder / "m.json", folder / "train.csv"), rel=1e-3)


def test_rates_of_rare_events_do_not_depend_on_the_unit_of_exposure(shrimp, tmp_path):
    random = np.random.default_rng(3)
    X, y = table("poisson")
    found = []
    for unit in (1.0, 1e9):
        exposure = unit * random.uniform(1, 2, len(y)) if unit == 1.0 else 1e9 * exposure
        header = "x1,x2,x3,time,y"
        np.savetxt(tmp_path / "t.csv", np.c_[X, exposure, y], delimiter=",", header=header, comments="", fmt="%.17g")
        fit = ["--loss", "poisson", "--exposure", "time", *FAST, "--output", tmp_path / "m.json"]
        assert shrimp("fit", tmp_path / "t.csv", "--target", "y", *fit).returncode == 0
        found.append(unit * predictions(shrimp, tmp_path / "m.json", tmp_path / "t.csv"))
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_the_given_fraction_of_new_targets_is_below_a_quantile(shrimp, fitted):
    folder, _ = fitted["quantile"]
    X, y = table("quantile", 4000, 2)
    write_csv(folder / "new.csv", X, y)
    below = np.mean(y < predictions(shrimp, folder / "m.json", folder / "new.csv"))
    # 400 training rows: a standard error of 0.02 from the constant alone.
    assert below == pytest.approx(LEVEL, abs=0.05)


@pytest.mark.parametrize(
    ("loss", "y", "parts"),
    [
        ("gamma", [0.0, 1.0, 2.0], ["row 1", "number above 0", "tweedie"]),
        ("tweedie", [1.0, -1.0, 2.0], ["row 2", "number of 0 or more"]),
        ("tweedie", [0.0, 0.0, 0.0], ["every value", "is 0"]),
    ],
)
def test_targets_outside_the_range_of_a_loss_are_refused(shrimp, tmp_path, loss, y, parts):
    write_csv(tmp_path / "t.csv", np.arange(3.0 * 20).reshape(60, 1), np.tile(y, 20))
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", "--loss", loss, *FAST)
    assert run.returncode == 1
    for part in parts:
        assert part in run.stderr


@pytest.mark.parametrize(("flag", "value"), [("--quantile", "1"), ("--quantile", "x"), ("--tweedie-power", "2")])
def test_parameters_of_losses_have_ranges(shrimp, fitted, flag, value):
    run = shrimp("fit", fitted["quantile"][0] / "train.csv", "--target", "y", *FAST, flag, value)
    assert run.returncode == 2
    assert flag[2:] in run.stderr


@pytest.mark.parametrize("verb", ["inspect", "explain", "sensitivity", "report", "export"])
@pytest.mark.parametrize("loss", ["gamma", "tweedie", "quantile"])
def test_every_verb_takes_models_of_these_losses(shrimp, fitted, tmp_path, verb, loss):
    folder, _ = fitted[loss]
    more = {"report": ["--data", folder / "train.csv", "--output", tmp_path / "r.html"], "export": ["--to", "python"]}
    more |= {"explain": [folder / "train.csv"]}
    run = shrimp(verb, folder / "m.json", *more.get(verb, []))
    assert run.returncode == 0, run.stderr
    assert verb == "export" or not re.search(r"\bnan\b", run.stdout)


def test_intervals_of_a_quantile_are_refused(shrimp, fitted):
    folder, _ = fitted["quantile"]
    run = shrimp("predict", folder / "m.json", folder / "train.csv", "--interval", "0.9")
    assert run.returncode == 2 and run.stdout == ""
    assert "loss quantile" in run.stderr and "a low and a high quantile" in run.stderr
