"""Intervals under losses with a link: probabilities of classes, counts and amounts."""

import csv
import io
import json

import numpy as np
import pytest
from functions import write_csv
from scipy import stats

FAST = ["--method", "auto", "--max-order", 1, "-q"]
TARGETS = {
    "poisson": lambda random, mu: random.poisson(mu).astype(float),
    "gamma": lambda random, mu: random.gamma(2, mu / 2),
    "tweedie": lambda random, mu: np.array([random.gamma(1, 1, size).sum() for size in random.poisson(mu)]),
}


def table(loss, rows, seed):
    """Inputs, the mean of the target or the probability of class 1, and the target."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 3))
    f = 2 * np.sin(2 * x[:, 0]) + x[:, 1]
    if loss == "logistic":
        p = 1 / (1 + np.exp(-f))
        return x, p, (random.random(rows) < p).astype(float)
    mu = np.exp(1 + f / 2)
    return x, mu, TARGETS[loss](random, mu)


@pytest.fixture(scope="module")
def fitted(shrimp, tmp_path_factory):
    """By loss: a folder with a model, a table of new rows, and what its intervals are for."""
    models = {}
    for loss in ["logistic", *TARGETS]:
        folder = tmp_path_factory.mktemp(loss)
        x, _, y = table(loss, 400, 1)
        write_csv(folder / "train.csv", x, y)
        x, truth, y = table(loss, 2000, 2)
        write_csv(folder / "new.csv", x, y)
        options = ["--quick-error"] if loss == "logistic" else []
        run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", loss, *FAST, *options, "--output", folder / "m.json")
        assert run.returncode == 0, run.stderr
        models[loss] = folder, truth if loss == "logistic" else y
    return models


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "class"}


def intervals(shrimp, folder, level, path=None):
    run = shrimp("predict", folder / "m.json", path or folder / "new.csv", "--interval", level)
    assert run.returncode == 0, run.stderr
    return columns_of(run.stdout)


def uncertainty(folder):
    return json.loads((folder / "m.json").read_text())["uncertainty"]


# Of 400 rows quantiles have a deviation of 0.025 in the middle. Counts are discrete.
@pytest.mark.parametrize("loss", TARGETS)
def test_a_fraction_of_new_counts_and_amounts_lies_between_the_bounds(shrimp, fitted, loss):
    folder, y = fitted[loss]
    for level in [0.5, 0.8, 0.95]:
        found = intervals(shrimp, folder, level)
        closed = np.mean((found["lower"] <= y) & (y <= found["upper"]))
        assert closed > level - 0.05
        inside = np.mean((found["lower"] < y) & (y < found["upper"]))
        assert inside < level + 0.07


def test_probabilities_lie_between_the_bounds_and_are_unchanged(shrimp, fitted):
    folder, p = fitted["logistic"]
    plain = shrimp("predict", folder / "m.json", folder / "new.csv").stdout
    text = shrimp("predict", folder / "m.json", folder / "new.csv", "--interval", 0.9).stdout
    assert text.splitlines()[0] == "prediction,class,lower,upper"
    assert [line.split(",")[1] for line in text.splitlines()] == [line.split(",")[1] for line in plain.splitlines()]
    found = columns_of(text)
    np.testing.assert_allclose(found["prediction"], columns_of(plain)["prediction"], rtol=1e-12)
    assert ((0 < found["lower"]) & (found["lower"] < found["prediction"])).all()
    assert ((found["prediction"] < found["upper"]) & (found["upper"] < 1)).all()
    assert np.mean((found["lower"] <= p) & (p <= found["upper"])) > 0.75


def test_bands_of_probabilities_are_normal_on_the_scale_of_the_log_odds(shrimp, fitted):
    folder, _ = fitted["logistic"]
    widths = {}
    for level in [0.5, 0.99999]:
        found = intervals(shrimp, folder, level)
        odds = {name: np.log(values / (1 - values)) for name, values in found.items()}
        np.testing.assert_allclose(odds["upper"] - odds["prediction"], odds["prediction"] - odds["lower"], rtol=1e-6)
        widths[level] = (odds["upper"] - odds["lower"]) / stats.norm.ppf(0.5 + level / 2)
    np.testing.assert_allclose(widths[0.5], widths[0.99999], rtol=1e-6)


def test_counts_have_whole_numbers_for_bounds(shrimp, fitted):
    folder, _ = fitted["poisson"]
    found = intervals(shrimp, folder, 0.9)
    for name in ["lower", "upper"]:
        assert (found[name] == np.round(found[name])).all() and (found[name] >= 0).all()


def test_the_dispersion_is_that_of_the_simulation(fitted):
    for loss, expected in {"poisson": 1.0, "gamma": 0.5}.items():
        assert uncertainty(fitted[loss][0]).get("dispersion", 1.0) == pytest.approx(expected, rel=0.3)
    assert "dispersion" not in uncertainty(fitted["logistic"][0])


def test_overdispersed_counts_have_wider_intervals(shrimp, tmp_path):
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (1400, 3))
    y = random.negative_binomial(np.exp(1 + x[:, 0]) / 2, 1 / 3).astype(float)  # The variance is three times the mean.
    write_csv(tmp_path / "train.csv", x[:400], y[:400])
    write_csv(tmp_path / "new.csv", x[400:], y[400:])
    run = shrimp("fit", tmp_path / "train.csv", "--target", "y", "--loss", "poisson", *FAST, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert uncertainty(tmp_path)["dispersion"] == pytest.approx(3, rel=0.35)
    found = intervals(shrimp, tmp_path, 0.9)
    assert np.mean((found["lower"] <= y[400:]) & (y[400:] <= found["upper"])) > 0.86


def test_intervals_of_rates_are_those_of_counts_for_an_exposure_of_one(shrimp, tmp_path):
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (400, 2))
    hours = random.uniform(1, 9, 400)
    y = random.poisson(hours * np.exp(1 + x[:, 0])).astype(float)
    write_csv(tmp_path / "train.csv", np.column_stack([x, hours]), y, ["x1", "x2", "hours"])
    options = ["--loss", "poisson", "--exposure", "hours", *FAST]
    run = shrimp("fit", tmp_path / "train.csv", "--target", "y", *options, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert uncertainty(tmp_path).get("dispersion", 1.0) == pytest.approx(1, abs=0.35)
    found = intervals(shrimp, tmp_path, 0.9, tmp_path / "train.csv")
    new = random.poisson(np.exp(1 + x[:, 0]))
    assert 0.87 < np.mean((found["lower"] <= new) & (new <= found["upper"])) < 0.99


@pytest.mark.parametrize("loss", ["logistic", *TARGETS])
def test_rows_without_cells_and_far_outside_have_wider_finite_bounds(shrimp, fitted, tmp_path, loss):
    folder, _ = fitted[loss]
    (tmp_path / "rows.csv").write_text("x1,x2,x3\n0.1,0.2,0.3\n,0.2,0.3\n5,0.2,0.3\n1e200,0.2,0.3\n,,\n")
    run = shrimp("predict", folder / "m.json", tmp_path / "rows.csv", "--interval", 0.9, "-q")
    assert run.returncode == 0, run.stderr
    found = columns_of(run.stdout)
    assert all(np.isfinite(values).all() for values in found.values())
    plain = found["upper"][0] / found["lower"][0] if found["lower"][0] > 0 else np.inf
    assert found["upper"][3] > found["upper"][0] or plain == np.inf
    assert found["lower"][3] <= found["lower"][0]


@pytest.mark.parametrize("loss", TARGETS)
def test_a_quick_error_leaves_no_rows_to_calibrate_on(shrimp, fitted, tmp_path, loss):
    folder, _ = fitted[loss]
    options = ["--loss", loss, "--quick-error", *FAST]
    run = shrimp("fit", folder / "train.csv", "--target", "y", *options, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    run = shrimp("predict", tmp_path / "m.json", folder / "new.csv", "--interval", 0.9)
    assert run.returncode == 2 and f"with loss {loss} and quick-error" in run.stderr


@pytest.mark.parametrize("loss", ["logistic", *TARGETS])
def test_indices_and_fractions_have_bounds(shrimp, fitted, loss):
    folder, _ = fitted[loss]
    first = json.loads(shrimp("sensitivity", folder / "m.json", "--json").stdout)["inputs"][0]
    assert first["first_low"] < first["first"] < first["first_high"]
    term = json.loads(shrimp("inspect", folder / "m.json", "--json").stdout)["terms"][0]
    assert 0 <= term["low"] <= term["fraction"] <= term["high"] <= 1


@pytest.mark.parametrize("loss", ["logistic", *TARGETS])
def test_reports_draw_bands_and_test_the_coverage_of_targets(shrimp, fitted, tmp_path, loss):
    folder, _ = fitted[loss]
    run = shrimp("report", folder / "m.json", "--data", folder / "new.csv", "--output", tmp_path / "r.html", "-q")
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "r.html").read_text()
    assert "The band is a pointwise 90 % interval of the curve" in page
    assert ("Fraction of rows within their prediction intervals" in page) == (loss != "logistic")


def test_a_damaged_dispersion_is_refused(shrimp, fitted, tmp_path):
    folder, _ = fitted["gamma"]
    content = json.loads((folder / "m.json").read_text())
    content["uncertainty"]["dispersion"] = 0
    (tmp_path / "m.json").write_text(json.dumps(content))
    run = shrimp("predict", tmp_path / "m.json", folder / "new.csv")
    assert run.returncode == 3 and '"dispersion"' in run.stderr
