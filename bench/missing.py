"""Missing cells: our fit of a table with holes, beside our fits of the same table filled by scikit-learn's imputers."""

import statistics

import numpy as np
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer

import figures
from auto_model import fit_and_evaluate
from programs import FUNCTIONS, sample

TRAIN, TEST, D, SEEDS = 500, 1000, 6, 1
SHARE, NOISE = 0.3, 0.05  # Of the cells, at random; of std(y).
MOST_RATIO = 1.3
IMPUTERS = {
    "mean": lambda seed: SimpleImputer(),
    "nearest": lambda seed: KNNImputer(),
    "iterative": lambda seed: IterativeImputer(random_state=seed, max_iter=20),
}


def draw(function, seed):
    """Noisy rows to fit and rows of the truth, both with holes."""
    x, truth = sample(function, TRAIN + TEST, D, seed)
    random = np.random.default_rng([seed, 4])
    x[random.uniform(size=x.shape) < SHARE] = np.nan
    y = truth[:TRAIN] + NOISE * truth.std() * random.normal(size=TRAIN)
    return (x[:TRAIN], y), (x[TRAIN:], truth[TRAIN:])


def measure_seed(context, function, seed):
    train, test = draw(function, seed)

    def error(name, train, test):
        # The error that a fit tells is not what is measured here; without it, models are the same and come sooner.
        return fit_and_evaluate(context.programs, f"missing_{function}_{seed}_{name}", train, test, "--quick-error")["mse"]

    errors = {"ours": error("ours", train, test)}
    for name, imputer in IMPUTERS.items():
        fitted = imputer(seed).fit(train[0])
        filled = [(fitted.transform(x), y) for x, y in (train, test)]
        errors[name] = error(name, *filled)
    errors["constant"] = float(np.mean((test[1] - train[1].mean()) ** 2))
    return errors


def measure(context):
    functions = ["f3"] if context.quick else list(FUNCTIONS)
    seeds = range(1 if context.quick else SEEDS)
    return [
        {"function": function, "runs": [measure_seed(context, function, seed) for seed in seeds]} for function in functions
    ]


def mean_errors(case):
    return {name: statistics.mean(run[name] for run in case["runs"]) for name in case["runs"][0]}


def row(case):
    errors = mean_errors(case)
    ratio = errors["ours"] / min(errors[name] for name in IMPUTERS)
    return [
        case["function"],
        *(f"{error:.3g}" for error in errors.values()),
        figures.at_most(ratio),
        figures.met(ratio <= MOST_RATIO),
    ]


def describe(cases):
    header = ["missing", *mean_errors(cases[0]), "ours/best", f"<= {MOST_RATIO}"]
    return f"""{figures.table(header, map(row, cases))}
{TRAIN} rows to fit and {TEST} to test by, d = {D}, noise of {100 * NOISE:.0f} % of std(y), {100 * SHARE:.0f} % of the cells of both missing at
random; mean MSE of {len(cases[0]["runs"])} seeds, of the truth. The others: filled by scikit-learn's SimpleImputer, KNNImputer or
IterativeImputer, then our own fit; constant: the mean of y."""
