"""Row weights and ridge, through the command line, against repeated rows and NumPy's normal equations."""

import json

import numpy as np
import pytest
from functions import write_csv
from model_matrix import matrix, read_model


def test_a_row_of_weight_two_counts_as_two_rows(fit_model, predictions, data, train, tmp_path):
    x, y = data
    counts = np.where(np.arange(len(y)) < 20, 2, 1)
    write_csv(tmp_path / "weighted.csv", np.column_stack([x, counts]), y, ["x1", "x2", "x3", "count"])
    write_csv(tmp_path / "repeated.csv", np.repeat(x, counts, axis=0), np.repeat(y, counts))
    options = ["--method", "min-l2", "--features", 12, "--validation", train]
    weighted = fit_model(tmp_path / "weighted.csv", tmp_path / "weighted.json", *options, "--weights", "count")
    repeated = fit_model(tmp_path / "repeated.csv", tmp_path / "repeated.json", *options)
    assert json.loads(weighted.read_text())["inputs"] == ["x1", "x2", "x3"]
    assert predictions(weighted, train) == pytest.approx(predictions(repeated, train), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("weight", [1e-9, 2, 1e6])
def test_weights_that_are_all_the_same_are_no_weights(weight, fit_model, data, train, tmp_path):
    x, y = data
    write_csv(tmp_path / "weighted.csv", np.column_stack([x, np.full(len(y), weight)]), y, ["x1", "x2", "x3", "count"])
    weighted = fit_model(tmp_path / "weighted.csv", tmp_path / "weighted.json", "--weights", "count")
    assert weighted.read_bytes() == fit_model(train, tmp_path / "plain.json").read_bytes()


def test_an_unknown_weights_column_is_refused(shrimp, train):
    run = shrimp("fit", train, "--target", "y", "--weights", "x9")
    assert run.returncode == 2
    assert 'no column "x9" to use as weights' in run.stderr


def test_negative_weights_are_refused(shrimp, data, tmp_path):
    x, y = data
    write_csv(tmp_path / "table.csv", x, y)
    run = shrimp("fit", tmp_path / "table.csv", "--target", "y", "--weights", "x3", "--order", 1)
    assert run.returncode == 1
    assert "weight" in run.stderr


@pytest.mark.parametrize("features", [6, 200])
def test_ridge_is_the_solution_of_the_normal_equations(features, fit_model, data, train, tmp_path):
    x, y = data
    ridge = 0.05
    options = ["--method", "min-l2", "--features", features, "--ridge", ridge, "--no-standardize", "--validation", train]
    content = read_model(fit_model(train, tmp_path / "model.json", *options))
    A, c = matrix(content, x)
    expected = np.linalg.solve(A.T @ A + ridge * np.eye(A.shape[1]), A.T @ y)
    assert c == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_ridge_by_cross_validation_tells_which_it_chose(shrimp, train, tmp_path):
    run = shrimp("fit", train, "--target", "y", "--features", 60, "--ridge", "gcv", "--output", tmp_path / "model.json", "-q")
    assert run.returncode == 0, run.stderr
    content = json.loads((tmp_path / "model.json").read_text())
    assert content["options"]["ridge"] == "gcv"
    assert content["results"]["ridge"] > 0
