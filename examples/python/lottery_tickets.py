#!/usr/bin/env python3
"""Lottery tickets in random features: the paper's pruning curves.

Pruning by magnitude with refitting lowers the error by orders of magnitude before it rises. Pruning at random, or without
refitting, does not.

    python examples/python/lottery_tickets.py [FOLDER] [--features N]
"""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot
from shrimp import NaivePruneRegressor, RandomPruneRegressor, ShrimpRegressor

parser = argparse.ArgumentParser()
parser.add_argument("folder", nargs="?", default=".", type=pathlib.Path)
parser.add_argument("--features", type=int, default=5000)
arguments = parser.parse_args()

X = np.random.default_rng(0).uniform(-1, 1, (1140, 10))
y = (2 * X[:, 0] - 1) * (2 * X[:, 1] - 1)
train, test = slice(0, 140), slice(140, None)
options = dict(order=2, features=arguments.features, standardize=False)

figure, ax = pyplot.subplots(figsize=(5.2, 3.6), layout="constrained")
for name, estimator in {
    "by magnitude (SHRIMP)": ShrimpRegressor(method="shrimp", **options),
    "at random": RandomPruneRegressor(**options),
    "by magnitude, without refitting": NaivePruneRegressor(**options),
}.items():
    path = estimator.fit(X[train], y[train], X_val=X[test], y_val=y[test]).path_
    ax.loglog(path["basis_functions"], path["validation_mse"], label=name)
    best = path.loc[path["validation_mse"].idxmin()]
    sizes = f"{best['basis_functions']} of {path['basis_functions'][0]} basis functions"
    print(f"{name:32} minimum test error {best['validation_mse']:.2e} with {sizes}")
ax.invert_xaxis()
ax.set(xlabel="basis functions", ylabel="test error (MSE)")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, loc="lower left")
figure.savefig(arguments.folder / "lottery_tickets.png", dpi=120)
