#!/usr/bin/env python3
"""Writes the tables of the tutorial: simulated flow of water through a borehole, with eight inputs.

    python3 examples/borehole.py FOLDER [RUNS]
"""

import csv
import math
import pathlib
import random
import sys

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
RUNS, TESTS = 200, 2000


def simulate(x):
    """Flow in m³/year. Represents a simulation that takes hours."""
    log = math.log(x["r"] / x["r_w"])
    return (2 * math.pi * x["T_u"] * (x["H_u"] - x["H_l"])) / (
        log * (1 + 2 * x["L"] * x["T_u"] / (log * x["r_w"] ** 2 * x["K_w"]) + x["T_u"] / x["T_l"])
    )


def write_table(path, rows, generator):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, [*LIMITS, "flow"])
        writer.writeheader()
        for _ in range(rows):
            x = {name: generator.uniform(*limits) for name, limits in LIMITS.items()}
            writer.writerow(x | {"flow": simulate(x)})


def write_tables(folder, runs=RUNS):
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "borehole_train.csv", runs, random.Random(0))
    write_table(folder / "borehole_test.csv", TESTS, random.Random(1))


if __name__ == "__main__":
    write_tables(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."), *map(int, sys.argv[2:]))
