#!/usr/bin/env python3
"""Interprets a small, noisy table: the progression of diabetes in 442 patients, ten measurements each.

Most of the variance of the target is noise, and all models predict about equally well. The interpretation is what differs.

    python examples/python/noisy_table.py [FOLDER]
"""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from shrimp import MainEffectDisplay, ShrimpRegressor, TermsDisplay
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", default=".", type=pathlib.Path)
    arguments = parser.parse_args()

    data = load_diabetes(as_frame=True, scaled=False)
    X, y = data.data, data.target.rename("progression")

    model = ShrimpRegressor(random_state=0)
    peers = {"shrimp": model, "ridge": RidgeCV(), "boosted trees": HistGradientBoostingRegressor()}
    print("R² in 5-fold cross-validation:")
    for name, estimator in peers.items():
        scores = cross_val_score(estimator, X, y, cv=5)
        print(f"  {name:14}{scores.mean():.3f} ± {scores.std() / len(scores) ** 0.5:.3f}")

    model.fit(X, y)
    print("\nTerms:")
    terms = model.terms_.query("fraction > 0.01")[["term", "basis_functions", "fraction"]]
    print(terms.to_string(index=False, formatters={"fraction": "{:.1%}".format}))

    print("\nContributions to the prediction for one patient:")
    parts = model.predict_terms(X.iloc[[0]]).iloc[0]
    largest = parts.drop("intercept").abs().nlargest(5).index
    print(parts[["intercept", *largest]].round(1).to_string())
    print(f"prediction   {parts.sum():.1f}")

    names = [name for name in model.terms_["term"] if not name.startswith("(")][:3]
    figure, axes = pyplot.subplots(1, 1 + len(names), figsize=(3.6 * (1 + len(names)), 3.2), layout="constrained")
    TermsDisplay.from_estimator(model, min_fraction=0.01, ax=axes[0])
    for name, ax in zip(names, axes[1:]):
        MainEffectDisplay.from_estimator(model, name, X, ax=ax)
    figure.savefig(arguments.folder / "noisy_table.png", dpi=120)
    print("\nWritten: noisy_table.png")


if __name__ == "__main__":
    main()
