"""Gamma, Tweedie and quantile losses through the command line, against scikit-learn."""

import json
import re
import shutil

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
    rows = shrimp("predict", model, path, "-q").stdout.split()[1:]
    return np.array([row.split(",")[0] for row in rows], dtype=float)


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


@pytest.mark.parametrize(("loss", "unit"), [("gamma", 2.0**40), ("gamma", 2.0**-40), ("tweedie", 2.0**30), ("quantile", 2.0**-20)])
def test_predictions_have_the_unit_of_the_target(shrimp, fitted, tmp_path, loss, unit):
    # Powers of 2 change no digit: other units may tip a choice between nearly equal models.
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
    time = random.uniform(1, 2, len(y))
    for unit in (1.0, 2.0**30):
        exposure = unit * time
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


@pytest.fixture(scope="module", params=["logistic", "poisson", "gamma", "tweedie", "huber"])
def case(request, shrimp, tmp_path_factory):
    """A folder with a table in two parts, and fits to all rows and to the old ones, with sufficient statistics."""
    loss = request.param
    folder = tmp_path_factory.mktemp(loss)
    X, y = table({"logistic": "quantile", "huber": "quantile"}.get(loss, loss), 600)
    y = np.where(y > np.median(y), "yes", "no") if loss == "logistic" else y
    for name, rows in {"all": slice(None), "old": slice(400), "new": slice(400, None)}.items():
        lines = [",".join([*map(repr, map(float, x)), str(value)]) for x, value in zip(X[rows], y[rows])]
        (folder / f"{name}.csv").write_text("\n".join(["x1,x2,x3,y", *lines, ""]))
    options = ["--loss", loss, *(["--tweedie-power", POWER] if loss == "tweedie" else []), *FAST]
    for name in ("all", "old"):
        files = ["--output", folder / f"{name}.json", "--summary", folder / f"{name}.summary"]
        assert shrimp("fit", folder / f"{name}.csv", "--target", "y", *options, *files).returncode == 0
    return folder


class TestSufficientStatistics:
    """Of models under other losses than squared error."""

    def score(self, shrimp, model, path):
        scores = json.loads(shrimp("evaluate", model, path, "--json", "-q").stdout)
        return next(scores[key] for key in ("log_loss", "deviance", "mse") if key in scores)

    def test_an_update_comes_close_to_a_fit_to_all_rows(self, shrimp, case, tmp_path):
        model, summary = shutil.copy(case / "old.json", tmp_path), shutil.copy(case / "old.summary", tmp_path)
        run = shrimp("update", model, case / "new.csv", "--summary", summary, "--json", "-q")
        assert json.loads(run.stdout)["rows"] == 600
        before, after, best = (self.score(shrimp, m, case / "all.csv") for m in (case / "old.json", model, case / "all.json"))
        assert after < max(before, 1.02 * best)

    def test_merged_parts_give_the_model_of_the_whole(self, shrimp, case, tmp_path):
        model = case / "old.json"
        for name in ("old", "new", "all"):
            assert shrimp("summarize", model, case / f"{name}.csv", "--output", tmp_path / name).returncode == 0
        merge = ["merge", model, tmp_path / "old", tmp_path / "new", "--output", tmp_path / "parts.json"]
        assert shrimp(*merge).returncode == 0
        assert shrimp("merge", model, tmp_path / "all", "--output", tmp_path / "all.json").returncode == 0
        parts, whole = (predictions(shrimp, tmp_path / f"{name}.json", case / "all.csv") for name in ("parts", "all"))
        assert parts == pytest.approx(whole, rel=1e-8)

    def test_a_fit_to_its_rows_stands_still(self, shrimp, case, tmp_path):
        fitted = json.loads((case / "all.json").read_text())["results"]
        size = json.loads(shrimp("inspect", case / "all.json", "--json").stdout)["basis_functions"]
        simplify = ["simplify", case / "all.json", "--basis-functions", size, "--data", case / "all.csv", "--json"]
        result = json.loads(shrimp(*simplify, "--output", tmp_path / "same.json", "-q").stdout)
        same, before = (predictions(shrimp, model, case / "all.csv") for model in (tmp_path / "same.json", case / "all.json"))
        # Fits end at a relative change of their loss of 1e-10, and the loss is quadratic near its minimum.
        assert same == pytest.approx(before, rel=1e-3, abs=1e-4)
        key = next(key for key in result["after"] if key.startswith("train_") and key not in ("train_mse", "train_r2"))
        assert result["after"][key] == pytest.approx(fitted[key], rel=1e-6)

    def test_rows_refine_a_simplified_model_beyond_one_step(self, shrimp, case, tmp_path):
        scores = {}
        for name, rows in {"data": ["--data", case / "all.csv"], "summary": ["--summary", case / "all.summary"]}.items():
            simplify = ["simplify", case / "all.json", "--terms", 1, *rows, "--output", tmp_path / f"{name}.json", "-q"]
            assert shrimp(*simplify).returncode == 0
            scores[name] = self.score(shrimp, tmp_path / f"{name}.json", case / "all.csv")
        if not case.name.startswith("huber"):  # Its scores are squared errors.
            assert scores["data"] <= scores["summary"] * (1 + 1e-3)


def test_statistics_of_another_loss_are_refused(shrimp, fitted, tmp_path):
    folder, _ = fitted["gamma"]
    assert shrimp("summarize", folder / "m.json", folder / "train.csv", "--output", tmp_path / "s").returncode == 0
    squared = json.loads((folder / "m.json").read_text())
    squared["options"]["loss"] = "squared"
    (tmp_path / "m.json").write_text(json.dumps(squared))
    run = shrimp("merge", tmp_path / "m.json", tmp_path / "s", "--output", tmp_path / "o.json")
    assert run.returncode == 1
    assert "another loss" in run.stderr


def test_quantiles_and_exposures_have_no_sufficient_statistics(shrimp, fitted, tmp_path):
    folder, _ = fitted["quantile"]
    run = shrimp("summarize", folder / "m.json", folder / "train.csv", "--output", tmp_path / "s")
    assert run.returncode == 1
    assert "loss quantile" in run.stderr
    more = ["--loss", "poisson", "--exposure", "x1", "--output", tmp_path / "m.json", "--summary", tmp_path / "s"]
    run = shrimp("fit", fitted["poisson"][0] / "train.csv", "--target", "y", *FAST, *more)
    assert run.returncode == 1
    assert "exposures" in run.stderr
