#!/usr/bin/env python3
"""Draws docs/images/dask-passes.png: what a fit on a cluster asks of its workers, and what they answer.

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
    ("1  look", "rows and kinds\nof columns", "a few hundred bytes\nof each partition"),
    ("2  draw", "a seed and\na largest number", "rows of the least numbers:\n3 × those searched"),
    ("search", "on the worker that drives the fit", ""),
    ("3  sum up", "the columns\nthat were found", "AᵀA and Aᵀy,\nadded up on each worker"),
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
    axes.text(11.1, 6.45, "partitions stay where they are", fontsize=10, color=INK, ha="center", va="center")
    for k, (name, partitions) in enumerate(WORKERS):
        worker(axes, 4.6 - 2.1 * k, name, partitions)
    for k, (name, question, answer) in enumerate(PASSES):
        y = 5.35 - 1.55 * k
        axes.text(0.35, y, name, fontsize=12, color=INK, va="center", weight="bold")
        if not answer:
            axes.text(2.95, y, question, fontsize=9.5, color=INK, va="center")
            continue
        arrow(axes, (2.8, y + 0.28), (9.2, y + 0.28), BLUE)
        arrow(axes, (9.2, y - 0.28), (2.8, y - 0.28), GREEN)
        axes.text(3.0, y, question, fontsize=9.5, color=BLUE, va="center", linespacing=1.1)
        axes.text(9.0, y, answer, fontsize=9.5, color=GREEN, va="center", ha="right", linespacing=1.1)
    axes.text(0.1, -0.25, "The client sends the graph of the partitions and gets the model; no row reaches it, nor the scheduler.", fontsize=9.5, color=INK)
    figure.savefig(pathlib.Path(__file__).with_name("dask-passes.png"), dpi=130)


main()
