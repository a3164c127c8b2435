"""Complex data: the path against NumPy's complex least squares, and the model file read without our code."""

import json
import subprocess

import numpy as np
import pytest


@pytest.fixture
def run(binary, tmp_path):
    program = binary.parents[1] / "tests" / "complex_fit"

    def write(name, matrix):
        path = tmp_path / name
        with open(path, "wb") as file:
            np.array(matrix.shape, dtype=np.uint64).tofile(file)
            np.ascontiguousarray(matrix.T, dtype=np.float64).tofile(file)
        return path

    def call(mode, *arguments):
        paths = [
            write(f"{k}.bin", argument) if isinstance(argument, np.ndarray) else argument
            for k, argument in enumerate(arguments)
        ]
        return subprocess.run([program, mode, *map(str, paths)], check=True, capture_output=True, text=True).stdout

    return call


def parts(y):
    return np.column_stack([y.real, y.imag])


@pytest.mark.parametrize("shape", [(20, 80), (60, 40)])
def test_every_step_of_a_complex_path_is_the_pseudo_inverse_solution(run, shape):
    random = np.random.default_rng(3)
    x, w = random.uniform(-1, 1, (shape[0], 3)), random.normal(size=(shape[1], 3)) * 3
    A = np.exp(1j * x @ w.T)
    y = random.normal(size=shape[0]) + 1j * random.normal(size=shape[0])
    kept = np.arange(shape[1])
    for step in json.loads(run("path", A.real.copy(), A.imag.copy(), parts(y), 0.2)):
        assert step["columns"] == kept.tolist()
        c, _, rank, _ = np.linalg.lstsq(A[:, kept], y, rcond=max(shape) * np.finfo(float).eps)
        ours = np.array(step["coefficients"]) @ [1, 1j]
        assert step["rank"] == rank
        np.testing.assert_allclose(ours, c, atol=1e-8 * np.abs(c).max())
        assert step["train_mse"] == pytest.approx(np.mean(np.abs(A[:, kept] @ c - y) ** 2), abs=1e-14)
        drop = max(1, round(0.2 * len(kept)))
        kept = np.sort(kept[np.argsort(np.abs(ours), kind="stable")[drop:]])


def test_a_complex_model_file_predicts_in_numpy_what_it_predicts_in_the_library(run, tmp_path):
    random = np.random.default_rng(4)
    x = random.uniform(-2, 2, (100, 4))
    y = np.exp(2j * x[:, 0]) * np.cos(x[:, 1]) + 1j * x[:, 2]
    run("model", x, parts(y), 1, tmp_path / "model.json", tmp_path / "out.bin")
    predicted = np.fromfile(tmp_path / "out.bin")[2:].reshape(2, -1)
    model = json.loads((tmp_path / "model.json").read_text())
    z = (x - np.array(model["input_mean"])) / np.array(model["input_scale"])
    total = sum(
        (feature["exp"] @ np.array([1, 1j])) * np.exp(1j * z[:, feature["variables"]] @ np.array(feature["weights"]))
        for feature in model["features"]
    )
    expected = model["target_mean"] @ np.array([1, 1j]) + model["target_scale"] * total
    np.testing.assert_allclose(predicted[0] + 1j * predicted[1], expected, rtol=1e-10, atol=1e-12)
    assert np.mean(np.abs(expected - y) ** 2) < 0.05 * np.var(y)
