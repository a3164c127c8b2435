"""The path and the fit on the card and on the processor of the same machine, and what the card's time is made of.

Needs a build for the card: cmake --preset cuda && cmake --build --preset cuda. Also a program by itself, for machines that
have NumPy and nothing else: python3 bench/cuda.py.
"""

import json
import statistics

import numpy as np

import auto_long
import figures
import progress
from programs import REPOSITORY, Programs, write_csv

CASES = [  # function, m, d, N, q, runs on the card, runs on the processor
    ("f3", 140, 10, 10000, 2, 7, 3),
    ("f7", 1400, 100, 10000, 2, 7, 3),
    ("f7", 2000, 20, 10000, 3, 5, 1),
    ("f7", 20000, 10, 1000, 2, 5, 1),
    ("f7", 10000, 1000, 50000, 2, 3, 1),
]
ACCURACY = {"f1": 1, "f2": 1, "f3": 2, "f4 (run)": 2, "f5 (run)": 3, "f6": 2, "f7": 2}
KEPT = ["f3", "f4 (run)", "f5 (run)", "f6", "f7"]
STEPS = 10
KERNELS = [(200, 8), (500, 8), (1000, 20), (4000, 20)]  # Rows and inputs.
LAMBDAS = ",".join(f"{10.0**-k:g}" for k in range(5))


def few_terms(rows, inputs):
    """Curves and pairs of the first eight inputs, with noise."""
    random = np.random.default_rng(0)
    x = random.uniform(-1, 1, (rows, inputs))
    curves = np.sin(3 * x[:, 0]) + x[:, 5] ** 2
    pairs = 2 * x[:, 1] * x[:, 2] + np.cos(4 * x[:, 3] * x[:, 4]) + 0.5 * np.exp(-x[:, 6] - x[:, 7])
    return x, curves + pairs + 0.5 * random.normal(size=rows)


def arm(rows, inputs):
    """How far an arm of so many joints reaches, which no sum of functions of few inputs tells; hardly any noise."""
    random = np.random.default_rng(0)
    x = random.uniform(-1, 1, (rows, inputs))
    angles = np.cumsum(0.5 * np.pi * x, axis=1)
    reach = np.hypot(np.cos(angles).sum(axis=1), np.sin(angles).sum(axis=1))
    return x, reach + 0.05 * random.normal(size=rows)


def long_table(rows, inputs):
    return auto_long.draw(rows)[0]


FITS = [  # What is drawn, rows, inputs, options.
    (few_terms, 4000, 20, []),
    (few_terms, 2000, 1000, []),
    (arm, 40000, 8, []),
    (long_table, 1_000_000, 20, []),
    (arm, 9000, 6, ["--method", "krr", "--lambda", LAMBDAS]),
    (arm, 9000, 6, ["--method", "salsa", "--order", "2", "--lambda", LAMBDAS]),
]


def median_after_the_first(seconds):
    """The first run wakes the card up."""
    return statistics.median(seconds[1:] or seconds)


def measure_case(programs, function, m, d, N, q, runs, processor_runs):
    case = [function, m, d, N, q]
    ours = programs.helper("device_path", "path", "cuda", *case, runs)
    fit = programs.helper("device_path", "fit", "cuda", "shrimp", *case, min(runs, 3))
    processor = programs.helper("device_path", "path", "cpu", *case, processor_runs)
    return {
        "case": case,
        "columns": ours["columns"],
        "first": ours["seconds"][0],
        "path": median_after_the_first(ours["seconds"]),
        "fit": median_after_the_first(fit["seconds"]),
        "processor": statistics.median(processor["seconds"]),
    }


def measure_accuracy(programs, function, q):
    errors = [programs.helper("device_path", "fit", device, "shrimp", function, 140, 10, 10000, q, 1)["test_mse"]
              for device in ["cuda", "cpu"]]  # fmt: skip
    equal = None
    if function in KEPT:
        equal = [programs.helper("device_path", "kept", function, *size, 10000, 2, STEPS)["equal_steps"]
                 for size in [(140, 10), (1400, 100)]]  # fmt: skip
    return {"function": function, "errors": errors, "equal": equal}


def measure_fit(programs, draw, rows, inputs, options):
    """Twice on the card, the second time for the same file, and once on the processor."""
    table = programs.folder / "table.csv"
    write_csv(table, *draw(rows, inputs))
    runs, files = [], []
    for device in ["cuda", "cuda", "cpu"]:
        model = programs.folder / "model.json"
        done = programs.shrimp("fit", table, "--target", "y", "--json", "--output", model, "-q", "--device", device, *options)
        runs.append(json.loads(done.stdout))
        files.append(model.read_bytes())
    return {
        "case": f"{draw.__name__} {rows} x {inputs} {options[1] if options else 'auto'}",
        "card": runs[1]["seconds"],
        "processor": runs[2]["seconds"],
        "columns": [runs[1]["basis_functions"], runs[2]["basis_functions"]],
        "errors": [runs[1]["validation_mse"], runs[2]["validation_mse"]],
        "same": files[0] == files[1],
    }


def measure(context):
    return measure_all(context.quick)


def measure_all(quick):
    programs = Programs(REPOSITORY / "build" / "cuda", REPOSITORY / "build" / "bench")
    results = {"card": programs.shrimp("--version", "-v").stdout.splitlines()[2], "cases": [], "accuracy": []}
    for case in CASES[:-1] if quick else CASES:
        results["cases"].append(measure_case(programs, *case))
        progress.report(row(results["cases"][-1]))
    results["peak"] = programs.helper("dgemm_peak")
    results["pieces"] = [programs.helper("device_path", "pieces", *case[1:5]) for case in [CASES[1], CASES[-1]]]
    results["kernels"] = [programs.helper("device_path", "kernel", m, d) for m, d in KERNELS]
    results["fits"] = []
    for case in FITS[:2] if quick else FITS:
        results["fits"].append(measure_fit(programs, *case))
        progress.report(fit_row(results["fits"][-1]))
    results["accuracy"] = [measure_accuracy(programs, function, q) for function, q in ACCURACY.items()]
    return results


def row(result):
    function, m, d, N, q = result["case"]
    times = [f"{result[name]:.3g} s" for name in ["path", "fit", "first", "processor"]]
    return [f"({m}, {d}, {N}, {q}) {function}", result["columns"], *times,
            figures.at_least(result["processor"] / result["path"])]  # fmt: skip


def piece_row(piece, peak):
    return [
        f"{piece['rows']} x {piece['columns']}",
        f"{1e3 * piece['evaluate']:.3g} ms",
        f"{piece['entries_per_second'] / 1e9:.0f} G/s",
        f"{1e3 * piece['gram']:.3g} ms",
        figures.at_least(100 * piece["gram_flops"] / peak["dgemm_flops"]) + " %",
        f"{1e3 * piece['factor']:.3g} ms",
        f"{1e3 * piece['solve']:.3g} ms",
        f"{piece['project_bytes'] / 1e12:.2f} TB/s",
        f"{piece['combine_bytes'] / 1e12:.2f} TB/s",
    ]


def kernel_row(result):
    names = ["card", "processor", "matrix", "factor", "solve", "triangle", "invert", "slopes"]
    return [f"{result['rows']} x {result['inputs']}", *(f"{1e3 * result[name]:.3g} ms" for name in names)]


def fit_row(result):
    card, processor = result["errors"]
    return [result["case"], f"{result['card']:.3g} s", f"{result['processor']:.3g} s",
            figures.at_least(result["processor"] / result["card"]), f"{result['columns'][0]} and {result['columns'][1]}",
            f"{processor:.4g}", f"{abs(card / processor - 1):.1e}", "yes" if result["same"] else "no"]  # fmt: skip


def accuracy_row(result):
    card, processor = result["errors"]
    equal = result["equal"]
    return [result["function"], f"{card:.3g}", f"{processor:.3g}", figures.at_most(card / processor),
            "-" if equal is None else f"{equal[0]} and {equal[1]} of {STEPS}"]  # fmt: skip


def describe(results):
    peak = results["peak"]
    cases = ["case (m, d, N, q)", "columns", "path", "whole fit", "first path", "processor", "processor/path"]
    pieces = ["A", "features", "entries", "Gram", "of dgemm", "Cholesky", "solve", "A'z", "Ac"]
    kernels = ["evidence", "card", "processor", "matrix", "Cholesky", "solve", "L triangle", "inverse", "slopes"]
    fits = ["whole fit", "card", "processor", "gain", "columns kept", "validation MSE", "gap", "same file twice"]
    accuracy = ["d = 10, 140 rows", "card", "processor", "ratio", "equal kept sets, d = 10 and 100"]
    return f"""{figures.table(cases, map(row, results["cases"]))}
path: features, whole path at p = 0.2 and held-out errors; whole fit: what `fit` reports, with drawing, refit and
intervals. Medians of 2 to 6 runs after the first, which wakes the card up; processor: the path on all cores.

{figures.table(pieces, (piece_row(piece, peak) for piece in results["pieces"]))}
dgemm: {peak["dgemm_flops"] / 1e12:.1f} TF/s; copy: {peak["copy_bytes"] / 1e12:.2f} TB/s, read and written. Features with the
upload of their weights. A'z and Ac read A once. Medians of 5.

{figures.table(kernels, map(kernel_row, results["kernels"]))}
A kernel's evidence with all its slopes, and what the card's is made of; L triangle: as many right-hand sides as rows.

{figures.table(fits, map(fit_row, results["fits"]))}
Seconds that the fit reports, one run each, the card's after one that wakes it up; gap: of the two validation errors, relative.

{figures.table(accuracy, map(accuracy_row, results["accuracy"]))}
Test MSE on 1000 rows; how many of the first {STEPS} steps keep the same columns. {results["card"]}."""


if __name__ == "__main__":
    print(describe(measure_all(False)))
