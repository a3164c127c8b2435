"""Tables of which a model says little: what is refused, and what is said however quiet the program is."""

import json

import numpy as np
import pytest

from functions import write_csv


def weighted_table(folder, loss, weighted_rows):
    random = np.random.default_rng(1)
    x = random.normal(size=(40, 3))
    signal = x[:, 0] + random.normal(size=40)
    y = {"logistic": (signal > 0) * 1.0, "poisson": np.round(2 + np.abs(signal))}.get(loss, signal)
    weights = np.zeros(40)
    weights[:weighted_rows] = 1 + np.arange(weighted_rows)
    path = folder / f"{loss}-{weighted_rows}.csv"
    np.savetxt(path, np.column_stack([x, y, weights]), delimiter=",", header="a,b,c,y,w", comments="")
    return path


@pytest.mark.parametrize("loss", ["squared", "logistic", "poisson", "huber"])
@pytest.mark.parametrize("weighted_rows", [1, 2, 3])
def test_rows_of_weight_zero_are_as_good_as_absent(shrimp, tmp_path, loss, weighted_rows):
    table = weighted_table(tmp_path, loss, weighted_rows)
    process = shrimp("fit", table, "--target", "y", "--method", "auto", "--weights", "w", "--loss", loss, "--quick-error")
    if weighted_rows == 1 or loss == "logistic":
        assert process.returncode == 1
        assert "with a weight above 0" in process.stderr and "\n        Give " in process.stderr
    else:
        assert process.returncode == 0, process.stderr
        total = weighted_rows * (weighted_rows + 1) // 2  # Whole-number weights count repetitions.
        assert f"{total} rows" in " ".join(process.stdout.split())


@pytest.mark.parametrize("method", ["shrimp", "lasso", "krr", "stlsq"])
def test_one_weighted_row_is_refused_by_every_method(shrimp, tmp_path, method):
    process = shrimp("fit", weighted_table(tmp_path, "squared", 1), "--target", "y", "--weights", "w", "--method", method)
    assert process.returncode == 1 and "only one row with a weight above 0" in process.stderr


@pytest.mark.parametrize("loss", ["squared", "huber", "poisson"])
def test_equal_rows_with_weights_are_equal_rows(shrimp, tmp_path, loss):
    path = tmp_path / "equal.csv"
    path.write_text("a,b,y,w\n" + "1,2,3,2\n" * 3 + "5,6,7,0\n" * 30)
    process = shrimp("fit", path, "--target", "y", "--method", "auto", "--weights", "w", "--loss", loss, "-q")
    assert process.returncode == 0, process.stderr
    assert 'target "y" has the same value in every row' in process.stderr


def test_an_outlier_that_takes_all_of_the_variance_is_said_under_quiet(shrimp, tmp_path):
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (100, 2))
    y = x[:, 0].copy()
    y[41] = 1e30
    write_csv(tmp_path / "outlier.csv", x, y)
    told = shrimp("fit", tmp_path / "outlier.csv", "--target", "y", "--method", "auto", "-q", "--json", "--quick-error")
    assert told.returncode == 0
    assert 'target "y" is 1e+30 in row 42' in told.stderr
    assert ("the model has no terms" in told.stderr) == (not json.loads(told.stdout)["terms"])


def test_a_model_without_terms_is_said_under_quiet(shrimp, tmp_path):
    random = np.random.default_rng(3)
    write_csv(tmp_path / "noise.csv", random.normal(size=(60, 2)), random.normal(size=60))
    told = shrimp("fit", tmp_path / "noise.csv", "--target", "y", "--method", "auto", "-q", "--quick-error")
    assert told.stderr.startswith("shrimp: warning: the model has no terms: no effect on \"y\" was detected")


def test_a_budget_that_ends_before_the_first_term_is_not_called_a_lack_of_effects(shrimp, tmp_path):
    random = np.random.default_rng(3)
    x = random.normal(size=(3000, 10))
    write_csv(tmp_path / "classes.csv", x, (x[:, 0] + x[:, 1] * x[:, 2] > 0).astype(int))
    options = ["--method", "auto", "--loss", "logistic", "--budget", "0.001s", "-q"]
    told = shrimp("fit", tmp_path / "classes.csv", "--target", "y", *options)
    assert told.returncode == 0
    assert "the time budget ended the search before an effect on \"y\" was detected" in told.stderr
    assert "no effect on" not in told.stderr and "Give more seconds." in told.stderr


def latin_hypercube(rows, inputs, seed):
    random = np.random.default_rng(seed)
    return np.column_stack([(random.permutation(rows) + random.uniform(size=rows)) / rows for _ in range(inputs)])


def test_a_small_latin_hypercube_is_not_called_dependent(shrimp, tmp_path):
    for seed in range(3):
        x = latin_hypercube(80, 6, seed)
        y = x @ np.array([3, 3, 2, 2, 1, 1]) + 0.05 * np.random.default_rng(seed).normal(size=80)
        write_csv(tmp_path / "design.csv", x, y)
        told = shrimp("fit", tmp_path / "design.csv", "--target", "y", "--method", "auto", "-q", "--quick-error")
        assert told.returncode == 0 and "covariance between" not in " ".join(told.stdout.split())
