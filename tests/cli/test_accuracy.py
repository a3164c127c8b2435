import json
import statistics

import numpy as np
import pytest
import scipy.linalg

from functions import FUNCTIONS, sample, write_csv
from model_matrix import matrix, read_model

# Bars for the paper's low-dimensional functions: d = 10, m = 140, N = 10000, p = 0.2, true q.
BARS = {"f1": 2e-20, "f2": 1e-28, "f3": 1e-14, "f4": 1e-9, "f6": 5e-2, "f7": 1e-5}


@pytest.mark.parametrize("name, bar", BARS.items())
def test_the_functions_of_the_paper_are_learnt_to_their_accuracy(shrimp, fit_model, tmp_path, name, bar):
    train, test = tmp_path / "train.csv", tmp_path / "test.csv"
    order = FUNCTIONS[name][1]
    errors = []
    for seed in range(5):
        x, y = sample(name, 200, 10, seed)
        write_csv(train, x[:140], y[:140])
        write_csv(test, x[140:], y[140:])
        options = ["--order", order, "--features", 10000, "--prune", 0.2, "--no-standardize", "--seed", seed]
        model = fit_model(train, tmp_path / "model.json", *options)
        errors.append(json.loads(shrimp("evaluate", model, test, "--target", "y", "--json").stdout)["mse"])
    assert statistics.median(errors) <= bar


CASES = {
    "wide": (["--features", 150, "--sigma2", 25], 40),
    "tall": (["--features", 10, "--sigma2", 9], 120),
    "square": (["--features", 20, "--sigma2", 25], 40),
    "wide and rank-deficient": (["--features", 60, "--basis", "identity"], 40),
    "tall and rank-deficient": (["--features", 20, "--basis", "identity"], 120),
}


@pytest.mark.parametrize("options, rows", CASES.values(), ids=CASES)
def test_the_minimum_norm_solution_is_that_of_gelsy(fit_model, tmp_path, options, rows):
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, (rows, 5))
    x[:, 4] = x[:, 3]
    y = np.cos(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * rng.normal(size=rows)
    write_csv(tmp_path / "table.csv", x, y)
    options = [*options, "--method", "min-l2", "--no-standardize"]
    model = read_model(fit_model(tmp_path / "table.csv", tmp_path / "model.json", *options))
    A, c = matrix(model, x)
    cutoff = max(A.shape) * np.finfo(float).eps
    expected, _, rank, _ = scipy.linalg.lstsq(A, y, cond=cutoff, lapack_driver="gelsy")
    assert (rank < min(A.shape)) == ("identity" in options)
    scale = np.linalg.norm(y)
    assert np.linalg.norm(A @ c - y) == pytest.approx(np.linalg.norm(A @ expected - y), rel=1e-9, abs=1e-11 * scale)
    assert np.linalg.norm(c) == pytest.approx(np.linalg.norm(expected), rel=1e-9)
