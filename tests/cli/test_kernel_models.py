"""Models with kernel columns, and models with none at all, against a dictionary rebuilt in NumPy."""

import json

import numpy as np
import pytest
from sklearn.metrics.pairwise import laplacian_kernel

from functions import write_csv
from model_matrix import predict, read_model

# The first version whose files name kernels by "kernel". The seed is older, and its terms have keys of its version.
VERSION_6 = {"format_version": 6, "terms": []}


@pytest.fixture(scope="module")
def kernel_model(repository):
    return repository / "tests" / "fuzz" / "seeds" / "model_file" / "kernel.json"


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(700, 3))


@pytest.fixture(scope="module")
def table(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("kernel") / "table.csv"
    write_csv(path, rows, rows[:, 0], names=["a", "b", "c"])
    return path


@pytest.mark.parametrize("order", [0, 1, 2])
def test_predictions_are_those_of_numpy(predictions, kernel_model, rows, table, tmp_path, order):
    model = read_model(kernel_model) | {"kernel_order": order}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    assert predictions(path, table) == pytest.approx(predict(model, rows), rel=1e-12)


@pytest.mark.parametrize("kernel", ["matern-3/2", "laplacian"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_predictions_of_other_kernels_are_those_of_numpy(predictions, kernel_model, rows, table, tmp_path, kernel, order):
    model = read_model(kernel_model) | {"kernel_order": order, "kernel": kernel} | VERSION_6
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    assert predictions(path, table) == pytest.approx(predict(model, rows), rel=1e-12)


def test_products_of_laplacian_kernels_are_those_of_scikit_learn(predictions, kernel_model, rows, table, tmp_path):
    centres = np.random.default_rng(1).normal(size=(20, 3))
    coefficients = np.random.default_rng(2).normal(size=20)
    model = read_model(kernel_model) | {"kernel_order": 0, "kernel": "laplacian", "gamma": [0.4] * 3} | VERSION_6
    model["features"] = [
        {"variables": [0, 1, 2], "weights": list(centre), "kernel": c} for centre, c in zip(centres, coefficients)
    ]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    scaling = model["scaling"]
    z = (rows - scaling["input_mean"]) / scaling["input_scale"]
    expected = laplacian_kernel(z, centres, gamma=0.4) @ coefficients
    expected = scaling["target_mean"] + scaling["target_scale"] * expected
    assert predictions(path, table) == pytest.approx(expected, rel=1e-12)


def test_a_model_without_features_predicts_its_mean(shrimp, predictions, kernel_model, rows, table, tmp_path):
    model = read_model(kernel_model) | {"features": [], "terms": []}
    path = tmp_path / "constant.json"
    path.write_text(json.dumps(model))
    assert predictions(path, table) == pytest.approx(np.full(len(rows), 0.056))
    assert shrimp("inspect", path).returncode == 0
    assert shrimp("evaluate", path, table, "--target", "y").returncode == 0


def test_a_kernel_model_is_inspected_and_evaluated(shrimp, kernel_model, table):
    inspected = shrimp("inspect", kernel_model)
    assert inspected.returncode == 0, inspected.stderr
    assert "(b, c)" in inspected.stdout
    assert shrimp("evaluate", kernel_model, table, "--target", "y").returncode == 0
