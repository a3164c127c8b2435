"""Processor time of the logistic loss against squared error on the same target of 0 and 1, with all defaults on one core.

Tables: those of data/uci, cut into two classes at the median of the training rows, and the class tables of data/people.
"""

import csv
import gzip
import json

import numpy as np

import figures
from auto_uci import PEERS, load
from programs import write_csv
from progress import report

MOST_RATIO = 2.0
MOST_SECONDS, ROWS_OF_MOST_SECONDS, INPUTS_OF_MOST_SECONDS = 60.0, 5000, 20
QUICK = ["uci servo", "people c_haberman.0"]


def cut_table(folder, name, path):
    (X, y), _ = load(folder, name, 0)
    write_csv(path, X, (y > np.median(y)).astype(float))
    return "y", *X.shape


def class_table(folder, name, target, path):
    with gzip.open(folder / f"{name}.train.csv.gz", "rt", newline="") as file:
        header, *rows = csv.reader(file)
    place = header.index(target)
    second = max(row[place] for row in rows)
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *([*row[:place], int(row[place] == second), *row[place + 1 :]] for row in rows)])
    return target, len(rows), len(header) - 1


def tables(data):
    """By name, what writes the table to a path and returns target, rows and inputs."""
    found = {f"uci {name}": lambda path, name=name: cut_table(data / "uci", name, path) for name in PEERS}
    for table in json.loads((data / "people" / "manifest.json").read_text()):
        if table["task"] == "binary":
            name, target = f"{table['name']}.0", table["target"]
            found[f"people {name}"] = lambda path, name=name, target=target: class_table(data / "people", name, target, path)
    return found


def seconds(context, path, target, loss):
    command = ["fit", path, "--target", target, "--loss", loss, "-q", "--threads", "1", "--output", path.with_suffix(".json")]
    run = context.programs.shrimp(*command, under=["/usr/bin/time", "-f", "%U %S"])
    return sum(map(float, run.stderr.split()[-2:]))


def measure(context):
    if context.data is None:
        return None
    results = []
    path = context.programs.folder / "losses.csv"
    for name, write in tables(context.data).items():
        if context.quick and name not in QUICK:
            continue
        target, rows, inputs = write(path)
        times = {loss: seconds(context, path, target, loss) for loss in ("squared", "logistic")}
        results.append({"name": name, "rows": rows, "inputs": inputs} | times)
        report(row(results[-1]))
    return results


def is_met(result):
    is_small = result["rows"] <= ROWS_OF_MOST_SECONDS and result["inputs"] <= INPUTS_OF_MOST_SECONDS
    ratio = result["logistic"] / result["squared"]
    return ratio <= MOST_RATIO and (not is_small or result["logistic"] <= MOST_SECONDS)


def row(result):
    ratio = result["logistic"] / result["squared"]
    times = [f"{result[loss]:.1f} s" for loss in ("squared", "logistic")]
    return [result["name"], str(result["rows"]), str(result["inputs"]), *times, f"{ratio:.2f}", figures.met(is_met(result))]


def describe(results):
    if results is None:
        return "losses: needs --data"
    header = ["table", "rows", "inputs", "squared", "logistic", "ratio", f"goal: ≤ {MOST_RATIO:g}"]
    return figures.table(header, map(row, results))
