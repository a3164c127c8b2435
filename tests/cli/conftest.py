import os
import pathlib
import subprocess

import numpy as np
import pytest

import exported
from functions import write_csv


def pytest_addoption(parser):
    try:
        parser.addoption(
            "--rewrite",
            action="store_true",
            help="replace outputs of the documentation that differ from a run (test_documented_output.py)",
        )
    except ValueError:  # The tests of the other folder have added it.
        pass


@pytest.fixture(scope="session")
def repository():
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def binary(repository):
    path = os.environ.get("SHRIMP_BIN", repository / "build" / "release" / "bin" / "shrimp")
    return pathlib.Path(path).resolve(strict=True)


@pytest.fixture(scope="session")
def environment():
    """Without the caller's own settings, which would change what is tested. Most tests are of the paper's method; those
    of the default one say --method auto."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("SHRIMP_")}
    return own | {"SHRIMP_METHOD": "shrimp"}


@pytest.fixture(scope="session")
def shrimp(binary, environment):
    """Runs the program and returns its CompletedProcess."""

    def run(*arguments, stdin="", variables=None, stdout=subprocess.PIPE):
        return subprocess.run(
            [binary, *map(str, arguments)],
            input=stdin,
            env=environment | (variables or {}),
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            timeout=300,
        )

    return run


@pytest.fixture(scope="session")
def fit_model(shrimp):
    """Fits quietly, with few features unless told otherwise, and returns the path of the model."""

    def fit(table, model, *options, target="y"):
        few = () if "--features" in options else ("--features", 60)
        run = shrimp("fit", table, "--target", target, "--output", model, "-q", *few, *options)
        assert run.returncode == 0, run.stderr
        return model

    return fit


@pytest.fixture(scope="session")
def predictions(shrimp):
    def predict(model, table):
        run = shrimp("predict", model, table)
        assert run.returncode == 0, run.stderr
        header, *values = run.stdout.splitlines()
        assert header == "prediction"
        return np.array(values, float)

    return predict


@pytest.fixture(scope="session")
def data():
    """60 rows of y = x1 x2 + x3."""
    x = np.random.default_rng(1).uniform(-1, 1, (60, 3))
    return x, x[:, 0] * x[:, 1] + x[:, 2]


@pytest.fixture(scope="session")
def train(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "train.csv"
    write_csv(path, *data)
    return path


@pytest.fixture(scope="session")
def model(fit_model, train, tmp_path_factory):
    return fit_model(train, tmp_path_factory.mktemp("model") / "model.json")


@pytest.fixture(scope="module")
def export(shrimp, tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports")

    def write(model, to, *options):
        path = folder / f"{len(os.listdir(folder))}{exported.SUFFIX[to]}"
        run = shrimp("export", model, "--to", to, "--output", path, *options)
        assert run.returncode == 0, run.stderr
        assert run.stdout == "" and run.stderr == ""
        return path

    return write
