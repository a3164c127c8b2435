"""The default method on the paper's functions without noise: error, time and terms."""

import statistics

import figures
from auto_model import SMALLEST_SHARE, fit_and_evaluate, found, in_few_words
from programs import sample
from true_terms import compare

BARS = {"f1": 1e-18, "f2": 1e-24, "f3": 1e-18, "f4": 1e-16, "f5": 1e-4, "f6": 1e-6, "f7": 1e-16}
MOST_SECONDS = 60
TRAIN, TEST, D, SEEDS = 1400, 600, 100, 5
QUICK = 300, 100, 10, 1


def measure_seed(context, function, train, test, d, seed):
    x, y = sample(function, train + test, d, seed)
    to_fit, to_test = (x[:train], y[:train]), (x[train:], y[train:])
    result = fit_and_evaluate(context.programs, f"clean_{function}_{seed}", to_fit, to_test)
    return result | compare(function, d, found(result["terms"]))


def measure_function(context, function):
    train, test, d, seeds = QUICK if context.quick else (TRAIN, TEST, D, SEEDS)
    runs = [measure_seed(context, function, train, test, d, seed) for seed in range(seeds)]
    return {
        "function": function,
        "sizes": [train, test, d, seeds],
        "median_test_mse": statistics.median(run["mse"] for run in runs),
        "bar": BARS[function],
        "runs": runs,
    }


def measure(context):
    return [measure_function(context, function) for function in BARS]


def row(result):
    runs, mse = result["runs"], result["median_test_mse"]
    wrong = {kind: list(dict.fromkeys(term for run in runs for term in run[kind])) for kind in ["false", "missing"]}
    return [
        result["function"],
        f"{mse:.1e}",
        f"{result['bar']:.0e}",
        "yes" if mse <= result["bar"] else "NO",
        f"{max(run['mse'] for run in runs):.1e}",
        f"{statistics.median(run['seconds'] for run in runs):.1f} s",
        f"{max(run['seconds'] for run in runs):.1f} s",
        f"{sum(not run['false'] and not run['missing'] for run in runs)} of {len(runs)}",
        in_few_words(wrong["false"]),
        in_few_words(wrong["missing"]),
    ]


def describe(results):
    header = ["auto, no noise", "test MSE", "bar", "met", "worst", "time", "longest", "exact terms", "false", "missing"]
    train, test, d, seeds = results[0]["sizes"]
    return f"""{figures.table(header, map(row, results))}
d = {d}, {train} rows to fit, {test} to test, medians of {seeds} seeds, all defaults, no order given; the bar on time: \
{MOST_SECONDS} s.
Terms: those with a purified share above {SMALLEST_SHARE:.0e}; false and missing ones of any seed."""
