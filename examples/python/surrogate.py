#!/usr/bin/env python3
"""Replaces a simulation by a model that can be read: water flow through a borehole, eight inputs, a few hundred runs.

    python examples/python/surrogate.py [FOLDER] [--runs M]
"""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas
from matplotlib import pyplot
from shrimp import InteractionDisplay, MainEffectDisplay, ShrimpRegressor, TermsDisplay

LIMITS = {
    "r_w": (0.05, 0.15),  # radius of the borehole, m
    "r": (100, 50000),  # radius of influence, m
    "T_u": (63070, 115600),  # transmissivity of the upper aquifer, m²/year
    "H_u": (990, 1110),  # its potentiometric head, m
    "T_l": (63.1, 116),  # transmissivity of the lower aquifer
    "H_l": (700, 820),  # its head
    "L": (1120, 1680),  # length of the borehole, m
    "K_w": (9855, 12045),  # hydraulic conductivity, m/year
}


def simulate(x):
    """Flow in m³/year: a stand-in for a program that takes hours."""
    log = np.log(x["r"] / x["r_w"])
    return (2 * np.pi * x["T_u"] * (x["H_u"] - x["H_l"])) / (
        log * (1 + 2 * x["L"] * x["T_u"] / (log * x["r_w"] ** 2 * x["K_w"]) + x["T_u"] / x["T_l"])
    )


def design(runs, seed):
    random = np.random.default_rng(seed)
    return pandas.DataFrame({name: random.uniform(*limits, runs) for name, limits in LIMITS.items()})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=400)
    arguments = parser.parse_args()

    X, new = design(arguments.runs, seed=0), design(2000, seed=1)
    y, truth = simulate(X).rename("flow"), simulate(new)

    model = ShrimpRegressor(random_state=0).fit(X, y)
    print(f"R² on 2000 new points: {model.score(new, truth):.5f}, with {model.n_columns_} columns")

    print("\nWhat drives the flow?")
    print(model.terms_.query("share > 0.001").to_string(index=False, formatters={"share": "{:.1%}".format}))

    nominal = pandas.DataFrame({name: [np.mean(limits)] for name, limits in LIMITS.items()})
    slopes = model.gradient(nominal)[0] * [high - low for low, high in LIMITS.values()]
    print("\nChange of the flow across an input's range, at the nominal point, in m³/year:")
    print(pandas.Series(slopes, index=list(LIMITS)).round(1).to_string())

    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    TermsDisplay.from_estimator(model, ax=axes[0])
    MainEffectDisplay.from_estimator(model, "r_w", X, ax=axes[1])
    InteractionDisplay.from_estimator(model, ax=axes[2])
    figure.savefig(arguments.folder / "surrogate.png", dpi=120)
    model.save(arguments.folder / "borehole.json")
    print(f"\nWritten: {arguments.folder / 'surrogate.png'}; {arguments.folder / 'borehole.json'}, which `shrimp predict` reads")


if __name__ == "__main__":
    main()
