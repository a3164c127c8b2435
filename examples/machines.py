#!/usr/bin/env python3
"""Writes tables of machines: whether they failed, and the number of faults in their hours of operation.

    python3 examples/machines.py [FOLDER]

The log odds of failure are 3 sin(2 load) + 2 temperature · age − 1, and a machine has exp(load − 1) faults per hour.
Humidity has no effect.
"""

import csv
import math
import pathlib
import random
import sys

NAMES = ["load", "temperature", "age", "humidity"]


def poisson(source, mean):
    """Poisson random number by Knuth's method: multiplies uniform numbers until the product is at most exp(−mean)."""
    product, count = source.random(), 0
    while product > math.exp(-mean):
        product *= source.random()
        count += 1
    return count


def write(path, names, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for part, rows, seed in [("train", 800, 1), ("test", 2000, 2)]:
        source = random.Random(seed)
        failures, faults = [], []
        for _ in range(rows):
            load, temperature, age, humidity = inputs = [round(source.uniform(-1, 1), 4) for _ in NAMES]
            odds = 3 * math.sin(2 * load) + 2 * temperature * age - 1
            failures.append([*inputs, int(source.random() < 1 / (1 + math.exp(-odds)))])
            hours = source.choice([1, 2, 5, 10])
            faults.append([*inputs, hours, poisson(source, hours * math.exp(load - 1))])
        write(folder / f"failures_{part}.csv", [*NAMES, "fails"], failures)
        write(folder / f"faults_{part}.csv", [*NAMES, "hours", "faults"], faults)


main()
