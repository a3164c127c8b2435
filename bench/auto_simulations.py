"""The default method on functions that stand for simulations, against a Gaussian process and sparse polynomial chaos."""

import statistics
import sys
import time

import numpy as np

import figures
import progress
import simulations
import surrogate_peers
from auto_model import fit_and_evaluate, found
from cache import Cache
from programs import REPOSITORY

sys.path.append(str(REPOSITORY / "examples"))

import borehole  # noqa: E402

RUNS, LEVELS, TESTED = [300, 1000], [0.0, 0.05], 2000
TUTORIAL, TUTORIAL_RUNS = "borehole of the tutorial", 400
MOST_SECONDS = 40  # Of our fit.
QUICK_FUNCTIONS, QUICK_RUNS = ["otl_circuit", "friedman"], [300]


def measure_peers(cache, label, train, test):
    """The error over the variance and the seconds of each by name; kept, for they do not change with our program."""

    def measured(predict):
        start = time.perf_counter()
        mse = float(np.mean((predict(*train, test[0]) - test[1]) ** 2))
        return {"error": mse / float(np.var(test[1])), "seconds": time.perf_counter() - start}

    peers = surrogate_peers.PEERS.items()
    return {name: cache.get(f"{label} {name}", lambda predict=predict: measured(predict)) for name, predict in peers}


def measure_fit(context, label, train, test):
    result = fit_and_evaluate(context.programs, f"simulation_{label.replace(' ', '_')}", train, test)
    return result | {"error": result["mse"] / float(np.var(test[1]))}


def measure_seed(context, cache, name, runs, level, seed):
    train, test = simulations.design(name, runs, TESTED, level, seed)
    label = f"{name} {runs} {level:g} {seed}"
    return {"auto": measure_fit(context, label, train, test), "peers": measure_peers(cache, label, train, test)}


def measure_case(context, cache, name, runs, level):
    seeds = [measure_seed(context, cache, name, runs, level, seed) for seed in range(context.seeds)]
    return {"name": name, "runs": runs, "inputs": simulations.SIMULATIONS[name][1], "level": level, "seeds": seeds}


def read_table(path):
    """(X, y) of a table with a line of names, the target last."""
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1]


def measure_tutorial(context, cache):
    """The table of docs/getting-started/tutorial.md, in its units; the peers have it in [0, 1]^8."""
    folder = context.programs.folder / "tutorial"
    borehole.write_tables(folder, TUTORIAL_RUNS)
    train, test = (read_table(folder / f"borehole_{part}.csv") for part in ["train", "test"])
    low, high = np.array(list(borehole.LIMITS.values())).T
    scaled = [((X - low) / (high - low), y) for X, y in [train, test]]
    fit, peers = measure_fit(context, "tutorial", train, test), measure_peers(cache, "tutorial", *scaled)
    seeds = [{"auto": fit, "peers": peers}]
    variance = float(np.var(test[1]))
    return {"name": TUTORIAL, "runs": TUTORIAL_RUNS, "inputs": len(low), "level": 0.0, "seeds": seeds, "variance": variance}


def measure(context):
    cache = Cache(context.programs.folder / "simulation_peers")
    results = [measure_tutorial(context, cache)]
    progress.report(row(results[0]))
    for name in QUICK_FUNCTIONS if context.quick else simulations.SIMULATIONS:
        for runs in QUICK_RUNS if context.quick else RUNS:
            for level in LEVELS:
                results.append(measure_case(context, cache, name, runs, level))
                progress.report(row(results[-1]))
    return results


def ours_of(result, field="error"):
    return statistics.mean(seed["auto"][field] for seed in result["seeds"])


def peer_of(result, name, field="error"):
    return statistics.mean(seed["peers"][name][field] for seed in result["seeds"])


def best_over_ours(result):
    """More is better for us."""
    return min(peer_of(result, name) for name in surrogate_peers.PEERS) / ours_of(result)


def ratio_cell(ratio):
    return figures.at_least(ratio) if ratio < 1000 else "> 1000"


def longest(result):
    return max(seed["auto"]["seconds"] for seed in result["seeds"])


def row(result):
    errors = [ours_of(result), *(peer_of(result, name) for name in surrogate_peers.PEERS)]
    return [
        result["name"],
        f"{result['runs']} x {result['inputs']}",
        f"{100 * result['level']:g} %",
        *(f"{error:.3g}" + ("*" if error == min(errors) else "") for error in errors),
        ratio_cell(best_over_ours(result)),
        f"{longest(result):.1f} s" + ("" if longest(result) <= MOST_SECONDS else " NO"),
        *(f"{peer_of(result, name, 'seconds'):.1f} s" for name in surrogate_peers.PEERS),
        figures.span([seed["auto"]["columns"] for seed in result["seeds"]]),
        figures.span([len(found(seed["auto"]["terms"])) for seed in result["seeds"]]),
    ]


def describe_tutorial(result):
    mses = [("auto", ours_of(result)), *((name, peer_of(result, name)) for name in surrogate_peers.PEERS)]
    return ", ".join(f"{name} {error * result['variance']:.3g}" for name, error in mses)


def count_wins(results, clean):
    ratios = [best_over_ours(result) for result in results if (result["level"] == 0) == clean]
    return f"{sum(ratio >= 1 for ratio in ratios)} of {len(ratios)}"


def describe(results):
    peers = list(surrogate_peers.PEERS)
    times = [f"seconds {name}" for name in ["auto", *peers]]
    header = ["auto, simulations", "size", "noise", "auto", *peers, "best other/auto", *times, "columns", "terms"]
    slow = sum(longest(result) > MOST_SECONDS for result in results)
    return f"""{figures.table(header, map(row, results))}
MSE over the variance on {TESTED} points without noise, mean over seeds ({len(results[-1]["seeds"])}), * the least; size: runs x inputs,
a Latin hypercube; noise: of that share of the target's deviation. auto: all defaults, its longest fit, NO: above the bar of
{MOST_SECONDS} s. GP: scikit-learn's, a scale for each input, at most {surrogate_peers.GP_SECONDS} s of the processor; chaos: OpenTURNS' sparse
polynomials; both measured once and kept in build/bench/simulation_peers.
Test MSE of the tutorial's borehole with {TUTORIAL_RUNS} runs: {describe_tutorial(results[0])}.
At or below the best other on {count_wins(results, True)} without noise and {count_wins(results, False)} with it; \
above {MOST_SECONDS} s on {slow} of {len(results)}."""
