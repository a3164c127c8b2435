#!/usr/bin/env python3
"""Draws docs/images/python-displays.png: every display on a model of the Ishigami function.

    build/venv-python/bin/python docs/images/make_python_figure.py
"""

import pathlib

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot
from shrimp import InteractionDisplay, MainEffectDisplay, PrunePathDisplay, ShrimpRegressor, SupportDisplay, TermsDisplay

X = np.random.default_rng(0).uniform(-np.pi, np.pi, (700, 6))
y = np.sin(X[:, 0]) + 7 * np.sin(X[:, 1]) ** 2 + 0.1 * X[:, 2] ** 4 * np.sin(X[:, 0])
model = ShrimpRegressor(method="shrimp", order="1-2", features=2000).fit(X, y)

figure, axes = pyplot.subplot_mosaic("ABC;DDE", figsize=(12, 6.4), layout="constrained")
PrunePathDisplay.from_estimator(model, ax=axes["A"])
TermsDisplay.from_estimator(model, ax=axes["B"])
MainEffectDisplay.from_estimator(model, "x2", X, ax=axes["C"])
SupportDisplay.from_estimator(model, ax=axes["D"])
InteractionDisplay.from_estimator(model, ax=axes["E"])
figure.savefig(pathlib.Path(__file__).with_name("python-displays.png"), dpi=90)
