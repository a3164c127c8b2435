"""How our fit's time grows with m, N and the number of steps, each doubled three times."""

import numpy as np

import figures
import reference
from timing import RULE

D, Q, FUNCTION = 100, 2, "f7"
M, N, RATE = 700, 5000, 0.2
ROWS = [350, 700, 1400, 2800]
FEATURES = [2500, 5000, 10000, 20000]
RATES = [0.4, 0.2, 0.1, 0.05]  # Halving the rate about doubles the number of steps.
TALL = (20000, 10, 1000, 2, "f7")


def columns_drawn(d, N, q):
    return 2 * len(reference.draw_weights(d, N, q, np.random.default_rng(0)))


def exponent(sizes, seconds):
    """b of seconds ≈ a sizes^b, by least squares of the logarithms."""
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]


def time_fits(context, cases, q, d, function):
    """Seconds for each (m, N, rate)."""
    seconds = []
    for m, features, rate in cases:
        table = context.programs.write_sample(function, m, d)
        options = ["--order", q, "--features", features, "--prune", rate]
        seconds.append(context.programs.fit_timing(table, *options).seconds)
    return seconds


def measure_axis(context, sizes, cases):
    seconds = time_fits(context, cases, Q, D, FUNCTION)
    return {"sizes": sizes, "seconds": seconds, "exponent": exponent(sizes, seconds)}


def measure_tall_steps(context):
    m, d, features, q, function = TALL
    seconds = time_fits(context, [(m, features, rate) for rate in RATES], q, d, function)
    steps = [len(reference.path_sizes(columns_drawn(d, features, q), rate)) for rate in RATES]
    slopes, covariance = np.polyfit(steps, seconds, 1, cov=True)
    fit = seconds[RATES.index(RATE)]
    return {
        "sizes": steps,
        "seconds": seconds,
        "seconds_per_step": slopes[0],
        "share_of_fit": slopes[0] / fit,
        "standard_error_of_share": np.sqrt(covariance[0, 0]) / fit,
    }


def measure(context):
    steps = [len(reference.path_sizes(columns_drawn(D, N, Q), rate)) for rate in RATES]
    columns = [columns_drawn(D, features, Q) for features in FEATURES]
    return {
        "m": measure_axis(context, ROWS, [(m, N, RATE) for m in ROWS]),
        "columns": measure_axis(context, columns, [(M, features, RATE) for features in FEATURES]),
        "steps": measure_axis(context, steps, [(M, N, rate) for rate in RATES]),
        "tall_steps": measure_tall_steps(context),
    }


def describe(result):
    def cells(axis):
        return [f"{size}: {seconds:.3g} s" for size, seconds in zip(axis["sizes"], axis["seconds"])]

    axes = ["m", "columns", "steps"]
    rows = [[name, *cells(result[name]), figures.at_most(result[name]["exponent"])] for name in axes]
    tall = result["tall_steps"]
    rows.append([f"steps at {TALL[:4]}", *cells(tall), ""])
    header = [f"growth around m = {M}, d = {D}, N = {N}, q = {Q}, p = {RATE}", "", "", "", "", "exponent"]
    return f"""{figures.table(header, rows)}
{TALL[:4]}: an extra pruning step takes {1e3 * tall["seconds_per_step"]:.3g} ms, \
{figures.at_most(100 * tall["share_of_fit"])} % of the fit at p = {RATE} (the slope over the steps; its standard error
is {figures.at_most(100 * tall["standard_error_of_share"])} %: a slope within it says nothing).
{RULE}."""
