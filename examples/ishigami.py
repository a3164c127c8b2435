#!/usr/bin/env python3
"""Writes the tables of the Ishigami function of three inputs, with seven irrelevant inputs.

y = sin(x1) + 7 sin(x2)^2 + 0.1 x3^4 sin(x1), x uniform on [-pi, pi]^10. The effects are x1, x2 and the interaction
(x1, x3); x4 … x10 have no effect.

    python3 examples/ishigami.py FOLDER
"""

import math
import pathlib
import random
import sys

INPUTS = 10


def ishigami(x):
    return math.sin(x[0]) + 7 * math.sin(x[1]) ** 2 + 0.1 * x[2] ** 4 * math.sin(x[0])


def write_table(path, rows, generator):
    names = [f"x{k + 1}" for k in range(INPUTS)] + ["y"]
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        for _ in range(rows):
            x = [generator.uniform(-math.pi, math.pi) for _ in range(INPUTS)]
            file.write(",".join(repr(value) for value in [*x, ishigami(x)]) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(2022)
    write_table(folder / "ishigami_train.csv", 700, generator)
    write_table(folder / "ishigami_test.csv", 300, generator)


if __name__ == "__main__":
    main()
