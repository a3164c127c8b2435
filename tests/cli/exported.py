"""Runs exported models where they are meant to run: compilers, NumPy, databases, onnxruntime."""

import ctypes
import itertools
import json
import shutil
import sqlite3
import subprocess

import numpy as np

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
NUMBERS = itertools.count()
SUFFIX = {"onnx": ".onnx", "c": ".c", "python": ".py", "sql": ".sql", "latex": ".tex"}
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def load_c(path, compiler="gcc"):
    library = path.with_name(f"{path.stem}-{next(NUMBERS)}.so")  # A name once loaded would give the old library.
    command = [compiler, *STRICT, "-O1", "-shared", "-fPIC", "-o", library, path, "-lm"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return ctypes.CDLL(str(library))


def call_c(library, X, name="shrimp_predict"):
    function = getattr(library, name)
    function.restype = ctypes.c_double
    X = np.ascontiguousarray(X, dtype=float)
    return np.array([function(row.ctypes.data_as(ctypes.POINTER(ctypes.c_double))) for row in X])


def run_c(path, X, compiler="gcc", name="shrimp_predict"):
    return call_c(load_c(path, compiler), X, name)


def run_python(path, X, name="predict"):
    module = {}
    exec(compile(path.read_text(), str(path), "exec"), module)
    return module[name](X)


def run_onnx(path, X):
    import onnxruntime

    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    return session.run(["y"], {"X": np.asarray(X, dtype=float)})[0]


def quoted(names):
    return ['"' + name.replace('"', '""') + '"' for name in names]


def fill_table(database, X, names, cells, types=()):
    """A table "rows" with its number in a column of its own."""
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(quoted(names), types or ["DOUBLE"] * len(names)))
    database.execute(f"CREATE TABLE rows (shrimp_row INTEGER, {columns})")
    marks = ", ".join("?" * (len(names) + 1))
    database.executemany(f"INSERT INTO rows VALUES ({marks})", [[k, *cells(row)] for k, row in enumerate(X)])


def query(database, path):
    found = database.execute(f"SELECT {path.read_text()} FROM rows ORDER BY shrimp_row").fetchall()
    return np.array([np.nan if value is None else value for (value,) in found])


def run_sqlite(path, X, names):
    database = sqlite3.connect(":memory:")
    fill_table(database, X, names, lambda row: map(float, row))
    return query(database, path)


def run_duckdb(path, X, names):
    import duckdb

    database = duckdb.connect(config={"threads": 1})
    fill_table(database, X, names, lambda row: map(float, row))
    return query(database, path)


def rounding_error(model):
    """Largest absolute difference that rounding explains: 1e-14 times the sum of the sizes of all parts of a prediction,
    which may cancel."""
    content = json.loads(model.read_text())
    ways = max(len(content["inputs"]), 1) ** 2 if content.get("kernel_order") else 1
    functions = ("cos", "sin", "relu", "tanh", "identity", "kernel", "step")
    total = sum(abs(feature.get(name, 0)) for feature in content["features"] for name in functions)
    return 1e-14 * (abs(content["scaling"]["target_mean"]) + content["scaling"]["target_scale"] * ways * total)
