"""The default method on wide and on tall tables."""

import numpy as np

import figures
from auto_model import SMALLEST_SHARE, fit_and_evaluate, found, in_few_words
from programs import sample
from true_terms import compare

FUNCTION, TEST = "f3", 600
CASES = [(2000, 1000, 0.0), (100_000, 20, 0.05)]  # m, d, noise as a part of std(y)
QUICK_CASES = [(300, 50, 0.0), (2000, 20, 0.05)]


def measure_case(context, m, d, noise):
    x, truth = sample(FUNCTION, m + TEST, d, 0)
    y = truth[:m] + noise * truth.std() * np.random.default_rng(1).normal(size=m)
    result = fit_and_evaluate(context.programs, f"scale_{m}_{d}", (x[:m], y), (x[m:], truth[m:]))
    return {"case": [m, d], "noise": noise} | result | compare(FUNCTION, d, found(result["terms"]))


def measure(context):
    return [measure_case(context, *case) for case in (QUICK_CASES if context.quick else CASES)]


def describe(results):
    rows = [
        [
            str(tuple(result["case"])),
            f"{100 * result['noise']:.0f} %",
            f"{result['seconds']:.1f} s",
            f"{result['mse']:.1e}",
            in_few_words(found(result["terms"])),
            in_few_words(result["false"]),
            in_few_words(result["missing"]),
        ]
        for result in results
    ]
    header = [f"auto on {FUNCTION}, (m, d)", "noise", "time", "MSE to the truth", "terms", "false", "missing"]
    return f"""{figures.table(header, rows)}
One seed, all defaults; terms with a purified share above {SMALLEST_SHARE:.0e}."""
