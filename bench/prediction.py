"""Rows a second of Model::predict, against NumPy and against the sines and cosines alone."""

import json

import numpy as np

import figures
from programs import read_weights
from timing import repeat, seconds_of

ROWS, D, BLOCK = 1_000_000, 10, 4096


def predict_by_numpy(X, W, cosines, sines):
    """In blocks that stay in cache."""
    prediction = np.empty(len(X))
    for first in range(0, len(X), BLOCK):
        Z = X[first : first + BLOCK] @ W.T
        prediction[first : first + BLOCK] = np.cos(Z) @ cosines + np.sin(Z) @ sines
    return prediction


def make_model(context):
    """50 weight vectors, each with a cosine and a sine: 100 columns."""
    path = context.programs.folder / "hundred_columns.json"
    table = context.programs.write_sample("f7", 400, D)
    context.programs.fit(table, "--method", "min-l2", "--order", 3, "--features", 50, "--output", path)
    return path


def measure(context):
    model = make_model(context)
    features = json.loads(model.read_text())["features"]
    cosines, sines = (np.array([feature[name] for feature in features]) for name in ["cos", "sin"])
    X = np.random.default_rng(0).uniform(-1, 1, (ROWS, D))
    ours = context.programs.helper("predict_throughput", model, context.programs.write_matrix("predict.bin", X))
    arguments = (X, read_weights(model), cosines, sines)
    if not np.isclose(predict_by_numpy(*arguments).mean(), ours["mean"], rtol=1e-9):
        raise RuntimeError("NumPy and the library predict different values")
    peer = repeat(lambda: seconds_of(predict_by_numpy, *arguments), at_least=5)
    return {
        "columns": ours["columns"],
        "rows_per_second": {"ours": ROWS / ours["seconds"], "numpy": ROWS / peer.seconds},
        "ours/numpy": peer.seconds / ours["seconds"],
        "share_of_cos_sin_bound": ours["cos_sin_seconds"] / ours["seconds"],
    }


def describe(result):
    rates = result["rows_per_second"]
    rows = [
        [
            f"{rates['ours']:.3g}",
            f"{rates['numpy']:.3g}",
            figures.at_least(result["ours/numpy"]),
            f"{figures.at_least(100 * result['share_of_cos_sin_bound'])} %",
        ]
    ]
    header = ["prediction: our rows/s", "NumPy's rows/s", "ours/NumPy", "of the cos/sin bound"]
    return f"""{figures.table(header, rows)}
{ROWS:,} rows, d = {D}, {result["columns"]} Fourier columns of order 3, medians of 5 runs. The bound: the library's own
vector cosines and sines of as many numbers on as many threads, and nothing else."""
