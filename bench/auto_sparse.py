"""How small the default method's models are: columns kept beside those of the step of least error, and test errors."""

import json
import statistics

import figures
import simulations
from programs import write_csv
from splits import load_split, read_manifest, seeds_of

ROWS, TEST, LEVEL, SEEDS = 300, 2000, 0.05, 3
FUNCTIONS = ["borehole", "otl_circuit", "piston", "wing_weight", "friedman"]
QUICK_SETS, QUICK_FUNCTIONS, QUICK_SEEDS = ["housing"], ["friedman"], 1


def measure_split(context, name, train, test):
    paths = [context.programs.folder / f"sparse_{name}_{part}.csv" for part in ["train", "test"]]
    for path, data in zip(paths, [train, test]):
        write_csv(path, *data)
    path = json.loads(context.programs.shrimp("path", paths[0], "--target", "y", "--test", paths[1], "--json", "-q").stdout)
    kept, best = path["steps"][path["chosen"]], min(path["steps"], key=lambda step: step["validation_mse"])
    return {
        "columns": kept["basis_functions"],
        "mse": kept["test_mse"],
        "columns_of_best": best["basis_functions"],
        "mse_of_best": best["test_mse"],
    }


def measure(context):
    results = []
    if context.data is not None:
        manifest = read_manifest(context.data)
        for name in QUICK_SETS if context.quick else manifest:
            seeds = range(QUICK_SEEDS) if context.quick else seeds_of(manifest[name])
            splits = [load_split(context.data, manifest[name], seed) for seed in seeds]
            results.append((name, [measure_split(context, f"{name}_{k}", *split) for k, split in enumerate(splits)]))
    for name in QUICK_FUNCTIONS if context.quick else FUNCTIONS:
        seeds = range(QUICK_SEEDS if context.quick else SEEDS)
        splits = [simulations.draw(name, ROWS, TEST, LEVEL, seed) for seed in seeds]
        results.append((name, [measure_split(context, f"{name}_{k}", *split) for k, split in enumerate(splits)]))
    return [{"name": name, "splits": splits} for name, splits in results]


def mean(result, field):
    return statistics.mean(split[field] for split in result["splits"])


def row(result):
    return [
        result["name"],
        f"{mean(result, 'columns_of_best'):.0f}",
        f"{mean(result, 'columns'):.0f}",
        f"{mean(result, 'mse_of_best'):.4g}",
        f"{mean(result, 'mse'):.4g}",
        f"{mean(result, 'mse') / mean(result, 'mse_of_best'):.3f}",
    ]


def describe(results):
    header = ["auto, columns", "at least error", "kept", "test MSE at least error", "kept", "ratio"]
    shares = [mean(result, "columns") / mean(result, "columns_of_best") for result in results]
    return f"""{figures.table(header, map(row, results))}
Means over the splits; all defaults. Functions: {ROWS} rows, noise of {100 * LEVEL:.0f} % of std(y) on rows to fit and to test.
Of the columns at least error, {100 * statistics.median(shares):.0f} % are kept in the median."""
