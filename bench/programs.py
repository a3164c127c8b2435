"""Our own programs, and the files they read."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(REPOSITORY / "tests" / "cli"))

from functions import FUNCTIONS, sample, write_csv  # noqa: E402

from timing import repeat  # noqa: E402

# The caller's own settings would change what is measured.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SHRIMP_")}


class Programs:
    def __init__(self, build, folder):
        self.build = pathlib.Path(build)
        self.folder = pathlib.Path(folder)  # Where tables and models go.
        self.folder.mkdir(parents=True, exist_ok=True)

    def shrimp(self, *arguments, under=(), limit=None):
        """The standard output and error of the command line, run by the command `under`, for at most `limit` seconds."""
        command = [*under, self.build / "bin" / "shrimp", *map(str, arguments)]
        run = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=limit)
        if run.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {run.stderr}")
        return run

    def helper(self, name, *arguments):
        """What a program of this folder prints, read as JSON."""
        command = [self.build / "bench" / name, *map(str, arguments)]
        return json.loads(subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True).stdout)

    def fit(self, table, *options, under=()):
        method = [] if "--method" in options else ["--method", "shrimp"]
        return self.shrimp("fit", table, "--target", "y", *method, "--no-standardize", "-q", *options, under=under)

    def fit_timing(self, table, *options):
        """Of features, path, validation and refit: what the fit itself reports."""
        return repeat(lambda: json.loads(self.fit(table, "--json", *options).stdout)["seconds"], at_least=3)

    def write_sample(self, function, m, d, seed=0):
        """A table of the function's values; returns its path."""
        path = self.folder / f"{function}_{m}_{d}_{seed}.csv"
        write_csv(path, *sample(function, m, d, seed))
        return path

    def write_matrix(self, name, matrix):
        """The format of binary_matrix.hpp; returns the path."""
        path = self.folder / name
        with open(path, "wb") as file:
            np.array(matrix.shape, dtype=np.uint64).tofile(file)
            np.ascontiguousarray(matrix.T, dtype=np.float64).tofile(file)
        return path


def read_weights(model):
    """W (N×d) of a model file."""
    content = json.loads(pathlib.Path(model).read_text())
    W = np.zeros((len(content["features"]), len(content["inputs"])))
    for row, feature in zip(W, content["features"]):
        row[feature["variables"]] = feature["weights"]
    return W


__all__ = ["FUNCTIONS", "Programs", "REPOSITORY", "read_weights", "sample", "write_csv"]
