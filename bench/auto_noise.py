"""The default method under noise: against an oracle that knows the terms, and on targets that are noise alone."""

import json
import statistics

import numpy as np

import figures
import oracle
from auto_model import SMALLEST_SHARE, fit_and_evaluate, found, in_few_words, order_of
from cache import Cache
from programs import sample
from true_terms import TRUE_TERMS, compare

FUNCTIONS = ["f3", "f4", "f5", "f6", "f7"]
SEEDS = {0.01: 5, 0.05: 10, 0.1: 5}  # By the noise, as a part of std(y).
TRAIN, TEST, D = 1000, 1000, 20
PURE_NOISE_SEEDS = 20
SERIES, SERIES_INPUTS, SERIES_MEMORY = 500, 8, 0.9  # Rows and inputs of series x_t = 0.9 x_(t-1) + noise.
FEW_ROWS, FEW_INPUTS, FEW_SEEDS = 30, 5, 100
MOST_RATIO = 2
QUICK_TRAIN, QUICK_D, QUICK_SEEDS = 200, 6, {0.05: 1}


def draw(function, rows, d, level, seed):
    """Noisy rows to fit and rows of the truth."""
    x, truth = sample(function, rows + TEST, d, seed)
    noise = level * truth.std() * np.random.default_rng([seed, 1]).normal(size=rows)
    return (x[:rows], truth[:rows] + noise), (x[rows:], truth[rows:])


def measure_seed(context, cache, function, rows, d, level, seed):
    train, test = draw(function, rows, d, level, seed)
    result = fit_and_evaluate(context.programs, f"noise_{function}_{level}_{seed}", train, test)

    def oracle_mse():
        return float(np.mean((oracle.predict(*train, test[0], TRUE_TERMS[function](d)) - test[1]) ** 2))

    result["oracle_mse"] = cache.get(f"{function} {rows} {d} {level} {seed}", oracle_mse)
    result["ratio"] = result["mse"] / result["oracle_mse"]
    return result | compare(function, d, found(result["terms"]))


def measure_pure_noise(context, rows, d, seed):
    random = np.random.default_rng([seed, 2])
    data = random.uniform(-1, 1, (rows, d)), random.normal(size=rows)
    return found(fit_and_evaluate(context.programs, f"noise_pure_{seed}", data, data)["terms"])


def autoregressive(random, rows, columns):
    x = random.normal(size=(rows + 200, columns))
    for t in range(1, len(x)):
        x[t] += SERIES_MEMORY * x[t - 1]
    return x[200:]


def measure_series(context, seed):
    """Terms that are found in a series that has nothing to do with others."""
    random = np.random.default_rng([seed, 9])
    data = autoregressive(random, SERIES, SERIES_INPUTS), autoregressive(random, SERIES, 1)[:, 0]
    return found(fit_and_evaluate(context.programs, f"noise_series_{seed}", data, data, "--blocks")["terms"])


def measure_few_rows(context, seed):
    """Whether 30 rows of noise are fitted exactly."""
    random = np.random.default_rng([seed, 3])
    data = random.uniform(-1, 1, (FEW_ROWS, FEW_INPUTS)), random.normal(size=FEW_ROWS)
    terms = fit_and_evaluate(context.programs, "noise_few", data, data)["terms"]
    model = json.loads((context.programs.folder / "noise_few.json").read_text())
    return bool(terms) and model["results"]["ridge"] == 0


def measure(context):
    rows, d = (QUICK_TRAIN, QUICK_D) if context.quick else (TRAIN, D)
    seeds = QUICK_SEEDS if context.quick else SEEDS
    cache = Cache(context.programs.folder / "oracle")
    cases = [
        {
            "function": function,
            "noise": level,
            "runs": [measure_seed(context, cache, function, rows, d, level, seed) for seed in range(count)],
        }
        for function in FUNCTIONS
        for level, count in seeds.items()
    ]
    pure = [measure_pure_noise(context, rows, d, seed) for seed in range(2 if context.quick else PURE_NOISE_SEEDS)]
    count = 2 if context.quick else PURE_NOISE_SEEDS
    return {
        "sizes": [rows, d],
        "cases": cases,
        "terms_of_pure_noise": pure,
        "terms_of_series": [measure_series(context, seed) for seed in range(count)],
        "exact_fits_of_few_rows": sum(measure_few_rows(context, seed) for seed in range(5 if context.quick else FEW_SEEDS)),
    }


def interactions(terms):
    return [term for term in terms if order_of(term) > 1]


def row(case):
    runs = case["runs"]
    ratio = statistics.median(run["ratio"] for run in runs)
    wrong = {kind: list(dict.fromkeys(term for run in runs for term in run[kind])) for kind in ["false", "missing"]}
    return [
        f"{case['function']}, {100 * case['noise']:.0f} %",
        f"{statistics.median(run['mse'] for run in runs):.2e}",
        f"{statistics.median(run['oracle_mse'] for run in runs):.2e}",
        figures.at_most(ratio),
        "yes" if ratio <= MOST_RATIO else "NO",
        figures.at_most(max(run["ratio"] for run in runs)),
        f"{statistics.median(run['seconds'] for run in runs):.1f} s",
        f"{sum(not interactions(run['false']) for run in runs)} of {len(runs)}",
        in_few_words(wrong["false"]),
        in_few_words(wrong["missing"]),
    ]


def describe(result):
    header = ["auto, noise", "MSE", "oracle's", "ratio", f"<= {MOST_RATIO}", "worst ratio", "time"]
    header += ["no false pair", "false", "missing"]
    rows, d = result["sizes"]
    pure, series = result["terms_of_pure_noise"], result["terms_of_series"]
    return f"""{figures.table(header, map(row, result["cases"]))}
d = {d}, {rows} rows to fit, noise as a part of std(y); medians of the error on {TEST} rows without noise.
Oracle: kernel ridge regression on the true terms alone, scales and penalty by leave-one-out. Pairs: all interactions.
Terms: those with a purified share above {SMALLEST_SHARE:.0e}; false and missing ones of any seed.
Targets of noise alone: no term in {sum(not terms for terms in pure)} of {len(pure)} seeds. Series of {SERIES} rows that
depend on nothing but their past, with --blocks: no term in {sum(not terms for terms in series)} of {len(series)}.
Exact fits of {FEW_ROWS} rows of noise: {result["exact_fits_of_few_rows"]} of {FEW_SEEDS}."""
