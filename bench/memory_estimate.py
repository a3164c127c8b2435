"""What fits are said to need of memory beside what they take, for every method over several shapes.

    python3 bench/memory_estimate.py [--shapes N] [--seed S] [METHOD …]

--shapes draws N shapes for each method in the place of those below."""

import argparse
import pathlib
import random
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "build" / "release" / "bench" / "fit_memory"
# Rows, inputs, features: wide, tall, and with few inputs, whose columns have fewer dimensions than there are.
SHAPES = [(300, 10, 10000), (400, 3, 4000), (1000, 10, 1000), (3000, 20, 800), (5000, 10, 100), (10000, 5, 500)]
OF_METHOD = {
    "auto": [(300, 5, 10000), (1000, 10, 10000), (2500, 12, 10000), (10000, 10, 10000)],
    "srfe-s": [(400, 3, 4000), (800, 40, 500), (3000, 10, 50)],
    "krr": [(600, 5, 1), (1000, 10, 1), (2500, 10, 1)],
    "salsa": [(600, 5, 1), (1000, 10, 1), (2500, 10, 1)],
    "lasso": [(2000, 300, 1), (30000, 10, 1)],
    "imp-linear": [(2000, 300, 1), (30000, 10, 1)],
}
METHODS = ["auto", "shrimp", "min-l2", "srfe-s", "salsa", "ssam", "lasso", "imp-linear", "stlsq", "naive-prune",
           "random-prune", "krr", "harfe"]  # fmt: skip
MOST = 1.5  # Times what is taken.


def draw_shape(method, numbers):
    """Small enough for seconds."""
    rows = int(10 ** numbers.uniform(2.3, 4.5))
    if method in ("krr", "salsa", "auto"):
        return min(rows, 2500 if method == "salsa" else 5000), numbers.choice([2, 5, 10, 20]), 10000
    if method in ("lasso", "imp-linear"):
        return rows, int(10 ** numbers.uniform(0.7, 2.7)), 1
    inputs, features = numbers.choice([2, 3, 5, 8, 10, 15, 20, 40]), int(10 ** numbers.uniform(1.5, 4))
    small, large = sorted([rows, 2 * features])
    work = small * small * large
    if work > (1e9 if method in ("srfe-s", "ssam") else 1e11) or small * large > 3e7:
        return draw_shape(method, numbers)
    return rows, inputs, features


def measure(method, shape):
    """Bytes said, bytes taken, and the columns that were drawn."""
    command = [PROGRAM, method, *shape, 0.3]
    said, _, taken, columns = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout.split()
    return float(said), float(taken), int(columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    parser.add_argument("--shapes", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    ratios = []
    print("| method | rows | inputs | columns | said, MB | taken, MB | ratio |\n|---|---|---|---|---|---|---|")
    for method in chosen.methods or METHODS:
        numbers = random.Random(f"{chosen.seed} {method}")
        drawn = [draw_shape(method, numbers) for _ in range(chosen.shapes)]
        for shape in drawn or OF_METHOD.get(method, SHAPES):
            said, taken, columns = measure(method, shape)
            ratios.append(said / taken)
            print(f"| {method} | {shape[0]} | {shape[1]} | {columns} | {said / 1e6:.0f} | {taken / 1e6:.0f} | "
                  f"{ratios[-1]:.2f} |", flush=True)  # fmt: skip
    print(f"\n{len(ratios)} shapes: {sum(ratio < 1 for ratio in ratios)} took more than was said, "
          f"{sum(ratio > MOST for ratio in ratios)} were said to need more than {MOST} times as much; "
          f"least {min(ratios):.2f}, largest {max(ratios):.2f}.")  # fmt: skip


if __name__ == "__main__":
    main()
