#!/usr/bin/env python3
"""Draws borehole.png, diabetes.png, district.png and calibration.png, which the tutorial and the guides show.

    build/venv-python/bin/python docs/images/make_example_figures.py
"""

import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import pandas
from matplotlib import pyplot
from shrimp import InteractionDisplay, MainEffectDisplay, ShrimpClassifier, ShrimpRegressor, TermsDisplay
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import load_diabetes

FOLDER = pathlib.Path(__file__).parent
EXAMPLES = FOLDER.parents[1] / "examples"


def inputs_and_target(table, target):
    return table.drop(columns=target), table[target]


def draw_borehole(tables):
    X, y = inputs_and_target(pandas.read_csv(tables / "borehole_train.csv"), "flow")
    model = ShrimpRegressor().fit(X, y)
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    TermsDisplay.from_estimator(model, max_terms=8, ax=axes[0])
    MainEffectDisplay.from_estimator(model, "r_w", X, ax=axes[1])
    InteractionDisplay.from_estimator(model, ax=axes[2])
    figure.savefig(FOLDER / "borehole.png", dpi=120)


def draw_diabetes():
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    model = ShrimpRegressor(quick_error=True).fit(X, y.rename("progression"))
    figure, axes = pyplot.subplots(1, 4, figsize=(14.4, 3.2), layout="constrained")
    TermsDisplay.from_estimator(model, min_fraction=0.01, ax=axes[0])
    for name, ax in zip(["s5", "bmi", "bp"], axes[1:]):
        MainEffectDisplay.from_estimator(model, name, X, ax=ax)
    figure.savefig(FOLDER / "diabetes.png", dpi=120)


def draw_district(tables):
    X, y = inputs_and_target(pandas.read_csv(tables / "flats.csv"), "rent")
    model = ShrimpRegressor(quick_error=True).fit(X, y)
    figure = MainEffectDisplay.from_estimator(model, "district", X).figure_
    figure.set_size_inches(5.5, 3.9)
    figure.tight_layout()
    figure.savefig(FOLDER / "district.png", dpi=100)


def draw_calibration(tables):
    train, test = (pandas.read_csv(tables / f"failures_{part}.csv") for part in ("train", "test"))
    model = ShrimpClassifier(quick_error=True).fit(*inputs_and_target(train, "fails"))
    figure, ax = pyplot.subplots(figsize=(4.4, 4), layout="constrained")
    CalibrationDisplay.from_estimator(model, *inputs_and_target(test, "fails"), n_bins=10, strategy="quantile", name="Shrimp", ax=ax)
    ax.set(xlabel="predicted probability of a failure", ylabel="fraction of machines that failed")
    figure.savefig(FOLDER / "calibration.png", dpi=100)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder)
        for script in ("borehole.py", "flats.py", "machines.py"):
            subprocess.run([sys.executable, EXAMPLES / script, tables], check=True)
        draw_borehole(tables)
        draw_diabetes()
        draw_district(tables)
        draw_calibration(tables)


if __name__ == "__main__":
    main()
