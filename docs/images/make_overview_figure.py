#!/usr/bin/env python3
"""Draws docs/images/overview.png, README's first picture: a table, and the terms that are found in it.

    build/venv-python/bin/python docs/images/make_overview_figure.py
"""

import pathlib
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import pandas
from matplotlib import pyplot
from shrimp import InteractionDisplay, MainEffectDisplay, ShrimpRegressor, TermsDisplay

sys.path.append(str(pathlib.Path(__file__).parents[2] / "examples"))
import borehole

SHOWN = ["r_w", "H_u", "L", "flow"]


def read_runs():
    with tempfile.TemporaryDirectory() as folder:
        borehole.write_tables(pathlib.Path(folder))
        return pandas.read_csv(pathlib.Path(folder) / "borehole_train.csv")


def draw_table(ax, runs):
    rows = [[f"{value:.3g}" if abs(value) < 1 else f"{value:.0f}" for value in row] for row in runs[SHOWN].head(5).values]
    cells = [[*row[:2], "…", *row[2:]] for row in rows]
    table = ax.table([*cells, ["…"] * 5], colLabels=[*SHOWN[:2], "…", *SHOWN[2:]], loc="center", cellLoc="center", edges="horizontal")
    table.auto_set_font_size(False)
    table.set_fontsize(10)
    table.scale(1, 1.45)
    for (row, column), cell in table.get_celld().items():
        cell.set_edgecolor("0.8")
        if row == 0 or column == 4:
            cell.set_text_props(weight="bold")
    ax.set_title(f"{len(runs)} runs of a simulation", fontsize=11)
    ax.axis("off")


def main():
    runs = read_runs()
    X, y = runs.drop(columns="flow"), runs["flow"]
    model = ShrimpRegressor(random_state=0).fit(X, y)
    figure, axes = pyplot.subplots(
        1, 5, figsize=(13, 2.9), layout="constrained", gridspec_kw={"width_ratios": [1.25, 0.18, 1, 1, 1.15]}
    )
    draw_table(axes[0], runs)
    axes[1].axis("off")
    axes[1].annotate("", (1, 0.5), (0, 0.5), arrowprops={"arrowstyle": "-|>", "lw": 2.5, "color": "0.35"})
    TermsDisplay.from_estimator(model, min_fraction=0.009, ax=axes[2])
    axes[2].set_title("terms by fraction of variance", fontsize=11)
    MainEffectDisplay.from_estimator(model, "r_w", X, ax=axes[3])
    axes[3].set_title("a main effect", fontsize=11)
    InteractionDisplay.from_estimator(model, ax=axes[4])
    axes[4].set_title("an interaction", fontsize=11)
    figure.savefig(pathlib.Path(__file__).with_name("overview.png"), dpi=100)


if __name__ == "__main__":
    main()
