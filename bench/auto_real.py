"""The default method on the paper's real data sets, against SALSA, the paper's numbers and other regressions."""

import statistics

import numpy as np

import figures
import tabular_peers
from auto_model import fit_and_evaluate, found, in_few_words
from cache import Cache
from splits import load_split, read_manifest, seeds_of

# The test MSE that the paper prints for SHRIMP.
PRINTED = {
    "propulsion": 1.02e-06,
    "galaxy": 5.41e-06,
    "airfoil": 2.65e-01,
    "ccpp": 6.55e-02,
    "insulin": 1.24,
    "telemonit": 6.00e-02,
    "housing": 3.94e-01,
    "skillcraft": 5.81e-01,
}
SALSA = ["--method", "salsa", "--folds", 5, "--no-standardize"]
# At most `ratio` times the rival's mean error on at least `sets` data sets.
BARS = {"printed": (1.0, 7), "SALSA": (1.0, 6), "boosting": (1.0, 5), "Lasso": (1.05, 8)}
MOST_OF_RIDGE = 1.2  # On every split.
QUICK_SETS, QUICK_SEEDS = ["propulsion", "housing"], [0]


def measure_peers(context, cache, name, seed, train, test):
    """The test error of each by name."""
    functions = tabular_peers.ALL if context.peers == "all" else tabular_peers.QUICK

    def error_of(predict):
        return lambda: float(np.mean((predict(*train, test[0], seed) - test[1]) ** 2))

    def salsa():
        return fit_and_evaluate(context.programs, f"real_{name}_{seed}_salsa", train, test, *SALSA)["mse"]

    errors = {"SALSA": cache.get(f"{name} {seed} SALSA", salsa)}
    return errors | {peer: cache.get(f"{name} {seed} {peer}", error_of(predict)) for peer, predict in functions.items()}


def measure_split(context, cache, name, description, seed):
    train, test = load_split(context.data, description, seed)
    return {
        "seed": seed,
        "auto": fit_and_evaluate(context.programs, f"real_{name}_{seed}", train, test),
        "peers": measure_peers(context, cache, name, seed, train, test),
    }


def measure_set(context, cache, name, description):
    seeds = QUICK_SEEDS if context.quick else seeds_of(description)
    splits = [measure_split(context, cache, name, description, seed) for seed in seeds]
    means = {"auto": statistics.mean(split["auto"]["mse"] for split in splits), "printed": PRINTED[name]}
    for peer in splits[0]["peers"]:
        means[peer] = statistics.mean(split["peers"][peer] for split in splits)
    worst = max(split["auto"]["mse"] / split["peers"]["ridge"] for split in splits)
    return {"name": name, "mean_test_mse": means, "worst_of_ridge": worst, "splits": splits}


def measure(context):
    if context.data is None:
        return None
    cache = Cache(context.programs.folder / "real_peers")
    manifest = read_manifest(context.data)
    return [measure_set(context, cache, name, manifest[name]) for name in (QUICK_SETS if context.quick else PRINTED)]


def row(result, columns):
    means, splits = result["mean_test_mse"], result["splits"]
    least = min(means.values())
    counts = [len(found(split["auto"]["terms"])) for split in splits]
    return [
        result["name"],
        *(f"{means[name]:.3g}" + ("*" if means[name] == least else "") for name in columns),
        str(counts[0]) if min(counts) == max(counts) else f"{min(counts)}-{max(counts)}",
        f"{max(split['auto']['seconds'] for split in splits):.1f} s",
        figures.at_most(result["worst_of_ridge"]),
    ]


def describe_bar(results, rival, ratio, sets):
    """How many data sets meet it, and which do not."""
    fails = [
        f"{result['name']} ({figures.at_most(result['mean_test_mse']['auto'] / result['mean_test_mse'][rival])})"
        for result in results
        if result["mean_test_mse"]["auto"] > ratio * result["mean_test_mse"][rival]
    ]
    bound = rival if ratio == 1.0 else f"{ratio} x {rival}"
    met = f"{len(results) - len(fails)} of {len(results)}"
    return f"At most {bound}: {met}, bar {sets}; above: {in_few_words(fails, most=8)}."


def describe_ridge_bar(results):
    fails = [
        f"{result['name']} {split['seed']} ({figures.at_most(split['auto']['mse'] / split['peers']['ridge'])})"
        for result in results
        for split in result["splits"]
        if split["auto"]["mse"] > MOST_OF_RIDGE * split["peers"]["ridge"]
    ]
    return f"Splits above {MOST_OF_RIDGE} x ridge: {in_few_words(fails, most=8)}."


def describe(results):
    if results is None:
        return "auto on real data: skipped, for neither --data nor SHRIMP_DATA names their folder"
    columns = list(results[0]["mean_test_mse"])
    header = ["auto, real data", *columns, "terms", "longest", "worst/ridge"]
    bars = "\n".join(describe_bar(results, rival, *bar) for rival, bar in BARS.items())
    return f"""{figures.table(header, (row(result, columns) for result in results))}
Mean test MSE over five splits (galaxy: its one), * the least; auto: all defaults, its number of terms, longest fit.
SALSA: ours, 5 folds; printed: the paper's SHRIMP; boosting: scikit-learn's histograms; GP-ARD: at most 1000 rows.
{bars}
{describe_ridge_bar(results)}"""
