import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "tests" / "cli"))

import matplotlib  # noqa: E402

matplotlib.use("Agg")

# Shells start background processes with SIGINT ignored. Python then leaves it ignored, and no test could interrupt a fit.
signal.signal(signal.SIGINT, signal.default_int_handler)


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
    return REPOSITORY


def _run(*arguments, check=True):
    binary = os.environ.get("SHRIMP_BIN", REPOSITORY / "build" / "release" / "bin" / "shrimp")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SHRIMP_")}
    command = [pathlib.Path(binary).resolve(strict=True), *map(str, arguments)]
    return subprocess.run(command, env=environment, check=check, capture_output=True, text=True)


@pytest.fixture(scope="session")
def run_program():
    """Runs the command line, which must succeed, and returns its CompletedProcess."""
    return _run


@pytest.fixture(scope="session")
def shrimp_program():
    """Runs the command line, which must succeed, and returns its standard output."""
    return lambda *arguments: _run(*arguments).stdout


@pytest.fixture(scope="session")
def shrimp_refusal():
    """Runs the command line, which must refuse, and returns the lines of its message."""

    def run(*arguments):
        refused = _run(*arguments, check=False)
        assert refused.returncode != 0 and not refused.stdout
        return refused.stderr.splitlines()

    return run


@pytest.fixture(scope="session")
def data():
    """150 rows of y = sin 3 x1 + x2 x3 and an idle input."""
    X = np.random.default_rng(1).uniform(-1, 1, (150, 4))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]


@pytest.fixture(scope="session")
def fitted(data):
    from shrimp import ShrimpRegressor

    return ShrimpRegressor(method="shrimp", order="1-2", features=300).fit(*data)
