"""Whether the error that a default fit tells is the error on new rows: the real data sets and the ordinary tables."""

import json

import numpy as np

import figures
from auto_uci import PEERS, load
from programs import write_csv
from splits import load_split, read_manifest, seeds_of

WIDTH = 1.645  # Standard errors on either side of a 90 % interval.
QUICK_SETS, QUICK_TABLES = ["housing"], ["servo"]


def splits_of(context):
    manifest = read_manifest(context.data)
    for name in QUICK_SETS if context.quick else manifest:
        for seed in seeds_of(manifest[name]):
            yield name, *load_split(context.data, manifest[name], seed)
    for name in QUICK_TABLES if context.quick else PEERS:
        for split in range(PEERS[name][0]):
            yield name, *load(context.data / "uci", name, split)


def measure_split(context, name, train, test):
    paths = [context.programs.folder / f"honest_{part}.csv" for part in ["train", "test"]]
    for path, data in zip(paths, [train, test]):
        write_csv(path, *data)
    model = context.programs.folder / "honest.json"
    fit = json.loads(context.programs.shrimp("fit", paths[0], "--target", "y", "-q", "--json", "--output", model).stdout)
    predictions = context.programs.shrimp("predict", model, paths[1], "-q").stdout.split()[1:]
    squares = (np.array(predictions, float) - test[1]) ** 2
    return {
        "name": name,
        "told": fit["validation_mse"],
        "standard_error": fit["validation_se"],
        "test": squares.mean(),
        # Test rows are a sample, too.
        "test_standard_error": squares.std() / np.sqrt(len(squares)),
        "variance": float(np.var(np.concatenate([train[1], test[1]]))),
    }


def measure(context):
    return None if context.data is None else [measure_split(context, *split) for split in splits_of(context)]


def coverage(splits, with_test):
    inside = []
    for split in splits:
        if split["standard_error"] is None:
            continue
        deviation = np.hypot(split["standard_error"], split["test_standard_error"] if with_test else 0)
        inside.append(abs(split["told"] - split["test"]) <= WIDTH * deviation)
    return inside


def describe(results):
    if results is None:
        return "auto, honest error: skipped, for neither --data nor SHRIMP_DATA names the real data sets"
    names = list(dict.fromkeys(split["name"] for split in results))
    rows = []
    ratios = []
    for name in names:
        own = [split for split in results if split["name"] == name]
        told, true = (np.mean([split[key] / split["variance"] for split in own]) for key in ["told", "test"])
        ratios.append(told / true)
        inside = coverage(own, False)
        rows.append([name, f"{told:.3g}", f"{true:.3g}", f"{told / true:.3f}", f"{sum(inside)} of {len(inside)}"])
    told, true = (np.mean([split[key] / split["variance"] for split in results]) for key in ["told", "test"])
    alone, both = coverage(results, False), coverage(results, True)
    header = ["auto, honest error", "told", "on test rows", "ratio", "in 90 % interval"]
    return f"""{figures.table(header, rows)}
Means over splits, as shares of the target's variance. Over all splits: told/test {told / true:.3f} (ratio of means), \
{np.exp(np.mean(np.log(ratios))):.3f} (geometric mean over tables).
The test error lies in the told 90 % interval on {sum(alone)} of {len(alone)} splits; {sum(both)} where the sampling of the \
test rows is counted, too."""
