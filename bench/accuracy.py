"""Our fits against gelsy at every step: the same weights, rows and rows to choose by."""

import itertools
import json
import statistics

import numpy as np

import figures
import reference
from programs import FUNCTIONS, read_weights, sample, write_csv

TRAIN, VALIDATION, TEST, D, N, RATE, SEEDS = 126, 14, 60, 10, 10000, 0.2, 10
COMPARED_STEPS = 10
COMPARED_FUNCTIONS = ["f3", "f4", "f5", "f6", "f7"]
SMALLEST = 1e-25  # Errors below are rounding alone.


class Problem:
    """One function and seed, as tables for the command line and as matrices for gelsy."""

    def __init__(self, programs, name, seed):
        self.programs = programs
        self.options = ["--order", FUNCTIONS[name][1], "--features", N, "--seed", seed]
        x, y = sample(name, TRAIN + VALIDATION + TEST, D, seed)
        splits = np.split(np.arange(len(y)), [TRAIN, TRAIN + VALIDATION])
        self.tables = [programs.folder / f"accuracy_{part}.csv" for part in ["train", "validation", "test"]]
        for path, rows in zip(self.tables, splits):
            write_csv(path, x[rows], y[rows])
        self.W = self._weights()
        self.A = [reference.features(x[rows], self.W) for rows in splits]
        self.y = [y[rows] for rows in splits]

    def _weights(self):
        """The minimum-norm model keeps every weight vector that was drawn, in drawing order."""
        model = self.programs.folder / "accuracy_weights.json"
        self.programs.fit(self.tables[0], "--method", "min-l2", *self.options, "--output", model)
        return read_weights(model)

    def our_test_mse(self):
        train, validation, test = self.tables
        model = self.programs.folder / "accuracy_model.json"
        self.programs.fit(train, "--validation", validation, "--prune", RATE, *self.options, "--output", model)
        return json.loads(self.programs.shrimp("evaluate", model, test, "--target", "y", "--json").stdout)["mse"]

    def gelsy_path(self):
        """The test error of the step with the least validation error, and the sets kept by the first steps."""
        (A, A_validation, A_test), (y, y_validation, y_test) = self.A, self.y
        steps = list(reference.walk(A, y, RATE, reference.solve_by_gelsy))
        best = min(reversed(steps), key=lambda step: reference.mean_squared_error(A_validation, y_validation, *step))
        kept = [columns for columns, _ in itertools.islice(steps, 1, 1 + COMPARED_STEPS)]
        return reference.mean_squared_error(A_test, y_test, *best), kept

    def our_kept_sets(self):
        supports = [tuple(np.flatnonzero(row)) for row in self.W]
        numbers = {support: number for number, support in enumerate(dict.fromkeys(supports))}
        groups = np.tile([numbers[support] for support in supports], 2)
        paths = [
            self.programs.write_matrix("kept_A.bin", self.A[0]),
            self.programs.write_matrix("kept_y.bin", self.y[0][:, None]),
            self.programs.write_matrix("kept_groups.bin", groups[:, None]),
        ]
        return self.programs.helper("kept_sets", *paths, RATE, COMPARED_STEPS)


def first_difference(ours, theirs):
    """The step, from 1, whose kept sets differ, and how many of its columns do; None if none."""
    for step, (a, b) in enumerate(zip(ours, theirs, strict=True), start=1):
        missing = len(set(a).difference(b.tolist()))
        if missing:
            return {"step": step, "columns": missing, "of": len(b)}
    return None


def measure_function(context, name):
    ours, gelsy, differences = [], [], []
    for seed in range(SEEDS):
        problem = Problem(context.programs, name, seed)
        ours.append(problem.our_test_mse())
        error, kept = problem.gelsy_path()
        gelsy.append(error)
        if name in COMPARED_FUNCTIONS:
            differences.append(first_difference(problem.our_kept_sets(), kept))
    medians = {"ours": statistics.median(ours), "gelsy": statistics.median(gelsy)}
    return {
        "function": name,
        "test_mse": {"ours": ours, "gelsy": gelsy},
        "median_test_mse": medians,
        "ours/gelsy": medians["ours"] / medians["gelsy"],
        "first_differences": differences,
    }


def measure(context):
    return [measure_function(context, name) for name in FUNCTIONS]


def describe_sets(differences):
    if not differences:
        return "-"
    found = [difference for difference in differences if difference]
    if not found:
        return f"none in {COMPARED_STEPS}"
    first = min(found, key=lambda difference: difference["step"])
    return f"step {first['step']} ({first['columns']} of {first['of']}), {len(found)} of {len(differences)} seeds"


def row(result):
    medians = result["median_test_mse"]
    below = max(medians.values()) < SMALLEST
    return [
        result["function"],
        f"{medians['ours']:.2e}",
        f"{medians['gelsy']:.2e}",
        figures.at_most(result["ours/gelsy"]) + (" (rounding)" if below else ""),
        describe_sets(result["first_differences"]),
    ]


def describe(results):
    header = ["accuracy", "our test MSE", "gelsy path's", "ours/gelsy", "first difference of kept sets"]
    return f"""{figures.table(header, map(row, results))}
d = {D}, {TRAIN} rows to fit, {VALIDATION} to choose by, {TEST} to test; N = {N}, p = {RATE}, true q; medians over
{SEEDS} seeds; the same weights for both. (rounding): both below {SMALLEST:.0e}. Kept sets: of the first \
{COMPARED_STEPS} steps, the earliest difference of any seed."""
