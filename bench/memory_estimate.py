"""What fits are said to need of memory beside what they take, for every method over several shapes.

    python3 bench/memory_estimate.py [METHOD …]
"""

import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "build" / "release" / "bench" / "fit_memory"
SHAPES = [(300, 5, 500), (300, 10, 10000), (1000, 10, 1000), (5000, 10, 100), (10000, 5, 500)]  # Rows, inputs, features.
OF_METHOD = {
    "auto": [(300, 5, 10000), (1000, 10, 10000), (10000, 10, 10000)],
    "srfe-s": [(300, 5, 500), (300, 10, 10000), (3000, 10, 50)],
    "krr": [(300, 5, 1), (1000, 10, 1), (2000, 10, 1)],
    "salsa": [(300, 5, 1), (1000, 10, 1)],
    "lasso": [(300, 5, 1), (2000, 300, 1)],
    "imp-linear": [(300, 5, 1), (2000, 300, 1)],
}
METHODS = ["auto", "shrimp", "min-l2", "srfe-s", "salsa", "ssam", "lasso", "imp-linear", "stlsq", "naive-prune",
           "random-prune", "krr", "harfe"]  # fmt: skip


def main():
    print("| method | rows | inputs | columns | said, MB | taken, MB | ratio |\n|---|---|---|---|---|---|---|")
    for method in sys.argv[1:] or METHODS:
        for rows, inputs, features in OF_METHOD.get(method, SHAPES):
            command = [PROGRAM, method, rows, inputs, features, 0.3]
            said, _, taken, columns = subprocess.run(
                [*map(str, command)], capture_output=True, text=True, check=True
            ).stdout.split()
            ratio = float(said) / float(taken)
            print(f"| {method} | {rows} | {inputs} | {columns} | {float(said) / 1e6:.0f} | {float(taken) / 1e6:.0f} | "
                  f"{ratio:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
