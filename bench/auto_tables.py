"""The default method on thirteen ordinary tables of the UCI repository, against what other programs reach on them.

The tables are those of github.com/treforevans/uci_datasets as NAME.csv.gz (no header, the last column is the target) and
NAME.test_mask.csv.gz (a column for each split, 1 in its test rows), in the folder uci below --data.
"""

import statistics
import subprocess

import numpy as np

import figures
from auto_model import fit_and_evaluate, found

# Test MSE over the variance of the test rows' target, mean over the splits, measured once (2026-11). Inputs standardised;
# Lasso: LassoCV; LightGBM: rate 0.03, HistGB: scikit-learn's, rate 0.05, both stopped early by a tenth of the rows; EBM:
# interpret 0.7.8, 4 outer bags; GP: scikit-learn's, one scale per input, at most 1600 rows; RFF: 3000 Fourier features of
# all inputs at once, one scale, ridge. None: not run.
COLUMNS = ["Lasso", "LightGBM", "HistGB", "EBM", "GP", "RFF"]
PEERS = {  # name: (splits, errors)
    "servo": (3, (0.490, 0.123, 0.136, 0.125, 0.133, 0.174)),
    "yacht": (3, (0.0535, 0.0225, 0.0587, 0.0155, 0.0229, 0.0165)),
    "pendulum": (3, (0.781, 0.543, 0.516, 0.573, 0.0831, 0.379)),
    "energy": (3, (0.0849, 0.00138, 0.0016, 0.00173, 0.00172, 0.00197)),
    "concrete": (3, (0.385, 0.0440, 0.0518, 0.0437, 0.0756, 0.103)),
    "wine": (3, (0.324, 0.174, 0.172, 0.193, 0.202, 0.228)),
    "gas": (1, (0.138, 0.0206, 0.0389, None, None, 0.0167)),
    "sml": (2, (0.0358, 0.00219, 0.00223, None, None, 0.00287)),
    "pol": (1, (0.536, 0.0108, 0.0130, 0.0442, None, 0.163)),
    "elevators": (1, (0.239, 0.137, 0.146, 0.137, None, 0.143)),
    "bike": (1, (0.265, 0.000327, 0.000278, 0.000282, None, 0.0408)),
    "kin40k": (1, (1.00, 0.0937, 0.111, None, None, 0.0316)),
    "protein": (1, (0.714, 0.274, 0.310, None, None, 0.481)),
}
QUICK_TABLES = ["servo", "yacht", "energy"]
LIMIT = 300  # Seconds of one fit.


def load(folder, name, split):
    """(X, y) to fit and to test by."""
    table = np.loadtxt(folder / f"{name}.csv.gz", delimiter=",")
    tested = np.loadtxt(folder / f"{name}.test_mask.csv.gz", delimiter=",", usecols=split) == 1
    return (table[~tested, :-1], table[~tested, -1]), (table[tested, :-1], table[tested, -1])


def measure_split(context, folder, name, split):
    """What the fit found, or None where it does not end in LIMIT."""
    train, test = load(folder, name, split)
    label = f"table_{name}_{split}"
    try:
        result = fit_and_evaluate(context.programs, label, train, test, limit=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return result | {"error": result["mse"] / float(np.var(test[1])), "rows": train[0].shape[0], "inputs": train[0].shape[1]}


def measure_table(context, folder, name):
    splits, _ = PEERS[name]
    results = [measure_split(context, folder, name, split) for split in range(splits)]
    return {"name": name, "splits": results}


def measure(context):
    if context.data is None:
        return None
    names = QUICK_TABLES if context.quick else PEERS
    return [measure_table(context, context.data / "uci", name) for name in names]


def cell(error, least):
    return "-" if error is None else f"{error:.3g}" + ("*" if error == least else "")


def row(result):
    ended = [split for split in result["splits"] if split]
    ours = statistics.mean(split["error"] for split in ended) if len(ended) == len(result["splits"]) else None
    errors = [ours, *PEERS[result["name"]][1]]
    least = min(error for error in errors if error is not None)
    counts = [len(found(split["terms"])) for split in ended]
    return [
        result["name"],
        f"{ended[0]['rows']} x {ended[0]['inputs']}" if ended else "",
        *(cell(error, least) for error in errors),
        f"{min(counts)}-{max(counts)}" if counts else "-",
        f"{max(split['seconds'] for split in ended):.0f} s" if ours is not None else f"> {LIMIT} s",
    ]


def describe(results):
    if results is None:
        return "auto on ordinary tables: skipped, for neither --data nor SHRIMP_DATA names their folder"
    header = ["auto, tables", "rows to fit x inputs", "auto", *COLUMNS, "terms", "longest"]
    return f"""{figures.table(header, map(row, results))}
Test MSE over the variance of the test rows' target, mean over the splits (three up to wine, two of sml, else one), * the
least; auto: all defaults, its number of terms, longest fit. The others were measured once, on the same splits; -: not
run, or not ended in {LIMIT} s. RFF: random Fourier features of all inputs at once."""
