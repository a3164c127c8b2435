#!/usr/bin/env python3
"""Draws docs/images/waterfall.png: one prediction of docs/how-to/sensitivity.md taken apart.

    build/venv-python/bin/python docs/images/make_waterfall_figure.py
"""

import pathlib

import matplotlib

matplotlib.use("Agg")
from shrimp import ShrimpRegressor, WaterfallDisplay
from sklearn.datasets import load_diabetes

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = ShrimpRegressor(quick_error=True).fit(X, y)
figure = WaterfallDisplay.from_estimator(model, X, row=0).figure_
figure.savefig(pathlib.Path(__file__).with_name("waterfall.png"), dpi=90)
