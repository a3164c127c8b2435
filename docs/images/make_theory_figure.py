#!/usr/bin/env python3
"""Draws docs/images/theory.png: two bounds of the paper against random draws, from the command line's own output.

    python3 docs/images/make_theory_figure.py build/release/bin/shrimp
"""

import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FEATURES = 200


def theory(*arguments):
    command = [sys.argv[1], "theory", *map(str, arguments), "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def coherences(d):
    """Measured coherence, and the proof's assumption, for s = 1 and a variance of 1.2 times the minimum."""
    least = ((41**0.5 / 2) ** (2 / d) - 1) / 2
    gamma = (1.2 * least) ** 0.5
    proof = theory("bound", "--d", d, "--s", 1, "--gamma", gamma, "--N", FEATURES)["constants"]
    drawn = theory("coherence", "--m", int(proof["m"]), "--d", d, "--q", d, "--gamma", gamma, "--sigma2", 1, "--N", FEATURES)
    return drawn["coherence"], proof["coherence_bound"], proof["coherence_allowed"]


def eigenvalues(q):
    answer = theory("eigenvalues", "--m", 20, "--N", 400, "--q", q, "--runs", 20)
    return answer["largest_drawn"], answer["largest_at_least"], answer["constants"]["largest_at_least_published"]


def main():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    inputs = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 400]
    measured, assumed, allowed = zip(*map(coherences, inputs))
    left.semilogx(inputs, measured, "ko-", label="measured")
    left.semilogx(inputs, assumed, "k--", label="assumed by the proof")
    left.semilogx(inputs, allowed, color="0.6", label="maximum for s = 1")
    left.set(xlabel="inputs d", ylabel=f"coherence of {FEATURES} features", ylim=(0, 1.05))
    left.legend(frameon=False, loc="lower left")

    orders = [1, 2, 3, 4, 5, 7, 10, 15, 20, 40]
    drawn, corrected, published = zip(*map(eigenvalues, orders))
    right.loglog(orders, drawn, "ko-", label="random draws, mean of 20")
    right.loglog(orders, corrected, "k--", label="lower bound, corrected proof")
    right.loglog(orders, published, color="0.6", label="lower bound as published")
    right.set(xlabel="order q, with m = 20 and N = 400", ylabel="largest eigenvalue of $AA^*/N$")
    right.set_yticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    right.minorticks_off()
    right.legend(frameon=False)
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(pathlib.Path(__file__).parent / "theory.png", dpi=120)


if __name__ == "__main__":
    main()
