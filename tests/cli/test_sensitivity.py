"""`shrimp sensitivity` and `shrimp explain`: indices, shares over rows, and rows taken apart."""

import csv
import io
import json
import math

import numpy as np
import pytest
from functions import write_csv


@pytest.fixture(scope="module")
def run(shrimp):
    """Runs the program, which ends with this code."""

    def checked(*arguments, code=0):
        done = shrimp(*arguments)
        assert done.returncode == code, done.stderr
        return done

    return checked


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sensitivity")


@pytest.fixture(scope="module")
def product(folder, run):
    """A clean fit of x1 + 2 x2 + 3 x1 x2 on [0, 1]², with an input that does nothing."""
    X = np.random.default_rng(1).uniform(size=(400, 3))
    write_csv(folder / "train.csv", X, X[:, 0] + 2 * X[:, 1] + 3 * X[:, 0] * X[:, 1])
    run("fit", "--method", "auto", folder / "train.csv", "--target", "y", "--output", folder / "model.json", "--quick-error", "-q")
    return folder / "model.json"


def test_indices_of_a_polynomial_are_its_own(product, run):
    found = json.loads(run("sensitivity", product, "--inputs", "uniform(0,1)", "--json").stdout)
    # f_1 = (1 + 3/2)(x1 − 1/2), f_2 = (2 + 3/2)(x2 − 1/2), f_12 = 3 (x1 − 1/2)(x2 − 1/2).
    variances = [2.5**2 / 12, 3.5**2 / 12, 9 / 144]
    first, second, pair = np.array(variances) / sum(variances)
    by_name = {row["name"]: row for row in found["inputs"]}
    assert by_name["x1"]["first"] == pytest.approx(first, abs=1e-6)
    assert by_name["x1"]["total"] == pytest.approx(first + pair, abs=1e-6)
    assert by_name["x2"]["first"] == pytest.approx(second, abs=1e-6)
    assert by_name["x3"]["total"] == pytest.approx(0, abs=1e-6)
    assert by_name["x1"]["first_low"] is None and by_name["x1"]["total_high"] is None
    assert found["terms"][0]["variables"] == ["x2"]
    assert found["terms"][2]["fraction"] == pytest.approx(pair, abs=1e-6)
    assert found["variance"] == pytest.approx(sum(variances), rel=1e-6)


def test_uniform_means_the_training_range(product, run):
    named = json.loads(run("sensitivity", product, "--inputs", "uniform(0,1)", "--json").stdout)
    ranged = json.loads(run("sensitivity", product, "--inputs", "uniform", "--json").stdout)
    for a, b in zip(named["inputs"], ranged["inputs"]):
        assert a["total"] == pytest.approx(b["total"], abs=0.01)


def test_the_table_shows_inputs_and_terms(product, run):
    text = run("sensitivity", product, "--inputs", "uniform(0,1)").stdout
    assert text.startswith("y: Sobol' indices for independent inputs, distributed as uniform(0,1).")
    assert "(x1, x2)    3.90 %" in text


@pytest.fixture(scope="module")
def dependent(folder, run):
    """y = 2 x1 + x2, where both have the correlation 0.8."""
    random = np.random.default_rng(2)
    x1 = random.normal(size=2000)
    X = np.column_stack([x1, 0.8 * x1 + 0.6 * random.normal(size=2000)])
    y = 2 * X[:, 0] + X[:, 1]
    write_csv(folder / "dependent.csv", X, y)
    run("fit", "--method", "auto", folder / "dependent.csv", "--target", "y", "--output", folder / "dependent.json", "--quick-error", "-q")
    return X, folder


def test_shares_over_rows_hold_the_covariance(dependent, run):
    X, folder = dependent
    found = json.loads(
        run("sensitivity", folder / "dependent.json", "--data", folder / "dependent.csv", "--json").stdout
    )
    C = np.cov(X.T, bias=True)
    variance = 4 * C[0, 0] + C[1, 1] + 4 * C[0, 1]
    x1, x2 = found["inputs"]
    assert x1["first_structural"] == pytest.approx(4 * C[0, 0] / variance, abs=1e-6)
    assert x1["first_correlative"] == pytest.approx(2 * C[0, 1] / variance, abs=1e-6)
    assert x2["total"] == pytest.approx((C[1, 1] + 2 * C[0, 1]) / variance, abs=1e-6)
    assert sum(term["fraction"] for term in found["terms"]) == pytest.approx(1)


def test_dependence_is_told_in_the_summary_and_warned_of(dependent, product, run):
    _, folder = dependent
    model = json.loads((folder / "dependent.json").read_text())
    assert model["results"]["covariance_fraction"] == pytest.approx(4 * 0.8 / (5 + 4 * 0.8), abs=0.02)
    assert "is covariance between terms" in " ".join(run("inspect", folder / "dependent.json").stdout.split())
    assert "covariance" not in run("inspect", product).stdout
    assert "--data TRAIN.csv" in run("sensitivity", folder / "dependent.json").stderr
    assert run("sensitivity", folder / "dependent.json", "-q").stderr == ""
    assert run("sensitivity", product).stderr == ""


def test_contributions_of_rows_sum_to_predictions(product, folder, run):
    table = folder / "train.csv"
    predicted = [float(line) for line in run("predict", product, table).stdout.split()[1:]]
    for flags in ([], ["--by-input"]):
        rows = list(csv.DictReader(io.StringIO(run("explain", product, table, *flags).stdout)))
        assert len(rows) == len(predicted)
        for row, y in zip(rows, predicted):
            values = {name: float(value) for name, value in row.items()}
            assert values.pop("prediction") == pytest.approx(y)
            assert math.fsum(values.values()) == pytest.approx(y, abs=1e-8)
    assert set(rows[0]) == {"intercept", "x1", "x2", "x3", "prediction"}


def test_one_row_is_a_table_with_the_largest_part_first(product, folder, run):
    found = json.loads(run("explain", product, folder / "train.csv", "--row", "2", "--json").stdout)["rows"]
    assert [row["row"] for row in found] == [2]
    parts = {", ".join(part["variables"]): part["contribution"] for part in found[0]["terms"]}
    largest = max(parts, key=lambda name: abs(parts[name]))
    assert found[0]["sum"] == pytest.approx(found[0]["prediction"])
    lines = run("explain", product, folder / "train.csv", "--row", "2").stdout.splitlines()
    first = lines.index("") + 1
    assert lines[0].startswith("row 2 of ") and lines[first].startswith("  intercept")
    assert lines[first + 1].split()[0].strip("(,") == largest.split(",")[0]
    assert float(lines[-1].split()[1]) == pytest.approx(found[0]["prediction"], rel=1e-5)


def test_parts_of_a_target_in_another_form_are_said_to_be_of_that(folder, run):
    X = np.random.default_rng(3).uniform(size=(300, 2))
    write_csv(folder / "log.csv", X, np.exp(2 * X[:, 0] + X[:, 1]))
    run("fit", "--method", "auto", folder / "log.csv", "--target", "y", "--target-transform", "log", "--output", folder / "log.json", "-q")
    text = run("explain", folder / "log.json", folder / "log.csv", "--row", "1").stdout
    assert "contributions are on the scale of log(y)" in text
    assert run("sensitivity", folder / "log.json").stdout.startswith("log(y): Sobol' indices")
    row = json.loads(run("explain", folder / "log.json", folder / "log.csv", "--row", "1", "--json").stdout)["rows"][0]
    assert math.exp(row["sum"]) == pytest.approx(row["prediction"], rel=1e-3)


def test_rows_outside_the_training_range_are_warned_of(product, folder, run):
    write_csv(folder / "far.csv", np.array([[5.0, 0.5, 0.5]]), np.array([0.0]))
    assert "clipped to it: x1 (1)" in run("explain", product, folder / "far.csv", "--row", "1").stderr


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--inputs", "x9=uniform(0,1)"], 'no input "x9"'),
        (["--inputs", "x1=uniform(1,0)"], "not above the lower limit"),
        (["--inputs", "x1=beta(1,2)"], "there is no distribution beta(1,2)"),
        (["--inputs", "uniform", "--data", "x.csv"], "exclude each other"),
    ],
)
def test_wrong_distributions_are_refused(flags, words, product, run):
    done = run("sensitivity", product, *flags, code=2)
    assert words in done.stderr and done.stdout == ""


@pytest.mark.parametrize("row", ["0", "401"])
def test_a_row_that_is_not_there_is_refused(row, product, folder, run):
    assert "has 400 data rows" in run("explain", product, folder / "train.csv", "--row", row, code=2).stderr


def test_a_model_without_marginals_is_refused(product, folder, run):
    model = json.loads(product.read_text())
    del model["marginals"]
    (folder / "bare.json").write_text(json.dumps(model))
    for command in (["sensitivity"], ["explain"]):
        table = [folder / "train.csv"] if command == ["explain"] else []
        done = run(*command, folder / "bare.json", *table, code=1)
        assert "marginal distributions of the inputs" in done.stderr and "Fit it again." in done.stderr


def test_a_table_that_lacks_a_column_is_refused(product, folder, run):
    (folder / "lacks.csv").write_text("x1,x3\n0.1,0.2\n0.3,0.4\n")
    for arguments in (["sensitivity", product, "--data", folder / "lacks.csv"], ["explain", product, folder / "lacks.csv"]):
        assert "x2" in run(*arguments, code=1).stderr


def test_a_file_that_is_no_model_is_refused(folder, run):
    (folder / "none.json").write_text("{}")
    assert run("sensitivity", folder / "none.json", code=3).stdout == ""
