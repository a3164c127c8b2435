#!/usr/bin/env python3
"""Draws docs/images/ishigami.png: the example's prune path and terms, from the command line's own output.

    python3 docs/images/make_path_figure.py build/release/bin/shrimp FOLDER_WITH_THE_EXAMPLE
"""

import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def run(*command):
    return json.loads(subprocess.check_output([str(part) for part in command]))


def main():
    shrimp, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    data = [folder / "ishigami_train.csv", "--target", "y", "--order", "1-2", "--features", "2000", "--json", "-q"]
    path = run(shrimp, "path", *data, "--test", folder / "ishigami_test.csv")
    terms = run(shrimp, "fit", *data)["terms"][:4]

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=[1.6, 1])
    columns = [step["basis_functions"] for step in path["steps"]]
    left.loglog(columns, [step["test_mse"] for step in path["steps"]], "k-", label="test")
    left.loglog(columns, [step["validation_mse"] for step in path["steps"]], "k--", label="validation")
    chosen = path["steps"][path["chosen"]]
    left.plot(chosen["basis_functions"], chosen["validation_mse"], "ko", markerfacecolor="white", markersize=9, label="chosen")
    left.invert_xaxis()
    left.set(xlabel="basis functions", ylabel="mean squared error", title="pruning the Ishigami example")
    left.legend(frameon=False)

    names = ["(" + ", ".join(t["variables"]) + ")" if len(t["variables"]) > 1 else t["variables"][0] for t in terms]
    right.barh(names[::-1], [100 * term["fraction"] for term in terms[::-1]], color="0.35")
    right.set(xlabel="fraction of variance, %", title="selected terms")
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(pathlib.Path(__file__).parent / "ishigami.png", dpi=120)


if __name__ == "__main__":
    main()
