"""Calibration curve of a classifier: the figure of docs/how-to/classes-and-counts.md.

    python examples/python/calibration.py [FOLDER]
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot
from shrimp import ShrimpClassifier
from sklearn.calibration import CalibrationDisplay


def machines(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 4))
    odds = 3 * np.sin(2 * X[:, 0]) + 2 * X[:, 1] * X[:, 2] - 1
    return X, np.where(random.uniform(size=rows) < 1 / (1 + np.exp(-odds)), "fails", "holds")


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
model = ShrimpClassifier(quick_error=True).fit(*machines(800, 1))
figure, axes = pyplot.subplots(figsize=(4.5, 4.2), layout="constrained")
X, y = machines(20000, 2)
CalibrationDisplay.from_estimator(model, X, y, n_bins=10, strategy="quantile", pos_label="fails", name="machines", ax=axes)
axes.set(xlabel="predicted probability of failing", ylabel="fraction that failed")
figure.savefig(folder / "calibration.png", dpi=110)
