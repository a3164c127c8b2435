#!/usr/bin/env python3
"""Replaces a simulation by an interpretable surrogate: water flow through a borehole, with eight inputs and a few hundred runs.

    python examples/python/surrogate.py [FOLDER] [--runs M]
"""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas
from matplotlib import pyplot
from shrimp import InteractionDisplay, MainEffectDisplay, ShrimpRegressor, TermsDisplay

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import borehole


def read_table(path):
    """The inputs and the target in a CSV file."""
    table = pandas.read_csv(path)
    return table.drop(columns="flow"), table["flow"]


def draw(model, X, path):
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    TermsDisplay.from_estimator(model, ax=axes[0])
    MainEffectDisplay.from_estimator(model, "r_w", X, ax=axes[1])
    InteractionDisplay.from_estimator(model, ax=axes[2])
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=borehole.RUNS)
    arguments = parser.parse_args()

    borehole.write_tables(arguments.folder, arguments.runs)
    X, y = read_table(arguments.folder / "borehole_train.csv")
    new, truth = read_table(arguments.folder / "borehole_test.csv")

    model = ShrimpRegressor(random_state=0).fit(X, y)
    print(f"R² on {len(new)} new points: {model.score(new, truth):.5f}")

    print("\nTerms with the largest fractions of variance:")
    terms = model.terms_.query("fraction > 0.005")[["term", "fraction"]]
    print(terms.to_string(index=False, formatters={"fraction": "{:.1%}".format}))

    nominal = pandas.DataFrame({name: [np.mean(limits)] for name, limits in borehole.LIMITS.items()})
    changes = model.gradient(nominal)[0] * [high - low for low, high in borehole.LIMITS.values()]
    print("\nGradient at the nominal point times the range of each input, in m³/year:")
    print(pandas.Series(changes, index=list(borehole.LIMITS)).round(1).to_string())

    draw(model, X, arguments.folder / "surrogate.png")
    model.save(arguments.folder / "borehole.json")
    print("\nWritten: surrogate.png; borehole.json, which `shrimp predict` reads")


if __name__ == "__main__":
    main()
