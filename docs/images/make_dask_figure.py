#!/usr/bin/env python3
"""Draws docs/images/dask-passes.png: the requests of a fit on a cluster, and the replies of its workers.

    build/venv-python/bin/python docs/images/make_dask_figure.py
"""

import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.patches import FancyBboxPatch

INK, BLUE, PALE, GREEN = "#222222", "#3b6ea5", "#e8eef5", "#5b8c5a"
WORKERS = [("worker 1", ["1", "4", "6"]), ("worker 2", ["2", "3"]), ("worker 3", ["5", "7", "8"])]
PASSES = [
    ("1  schema", "numbers of rows,\ncolumn types", "a few hundred bytes\nper partition"),
    ("2  sample", "a seed and\na threshold", "rows with the smallest numbers:\n3 × the rows of the search"),
    ("search", "on the worker of the fit", ""),
    ("3  statistics", "the selected\nbasis functions", "AᵀA and Aᵀy,\nsummed on each worker"),
]


def box(axes, x, y, width, height, color, edge="none"):
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.08", fc=color, ec=edge, lw=1.2))


def worker(axes, y, name, partitions):
    box(axes, 9.4, y, 3.4, 1.15, PALE)
    axes.text(9.55, y + 0.88, name, fontsize=10, color=INK, va="center")
    for k, number in enumerate(partitions):
        box(axes, 9.6 + 1.02 * k, y + 0.14, 0.85, 0.5, "white", BLUE)
        axes.text(10.025 + 1.02 * k, y + 0.39, number, fontsize=10, color=BLUE, ha="center", va="center")


def arrow(axes, start, end, color):
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.3})


def main():
    figure, axes = pyplot.subplots(figsize=(9.6, 5.2), layout="constrained")
    axes.set(xlim=(0, 13), ylim=(-0.4, 6.7))
    axes.axis("off")
    box(axes, 0.1, 0, 2.6, 6.2, PALE)
    axes.text(1.4, 6.45, "the fit, a task on one worker", fontsize=10, color=INK, ha="center", va="center")
    axes.text(11.1, 6.45, "partitions stay on their workers", fontsize=10, color=INK, ha="center", va="center")
    for k, (name, partitions) in enumerate(WORKERS):
        worker(axes, 4.6 - 2.1 * k, name, partitions)
    for k, (name, request, reply) in enumerate(PASSES):
        y = 5.35 - 1.55 * k
        axes.text(0.35, y, name, fontsize=12, color=INK, va="center", weight="bold")
        if not reply:
            axes.text(2.95, y, request, fontsize=9.5, color=INK, va="center")
            continue
        arrow(axes, (2.8, y + 0.28), (9.2, y + 0.28), BLUE)
        arrow(axes, (9.2, y - 0.28), (2.8, y - 0.28), GREEN)
        axes.text(3.15, y, request, fontsize=9.5, color=BLUE, va="center", linespacing=1.1)
        axes.text(9.0, y, reply, fontsize=9.5, color=GREEN, va="center", ha="right", linespacing=1.1)
    axes.text(0.1, -0.25, "The client sends the graph of the partitions and receives the model. No row reaches the client or the scheduler.", fontsize=9.5, color=INK)
    figure.savefig(pathlib.Path(__file__).with_name("dask-passes.png"), dpi=130)


main()
