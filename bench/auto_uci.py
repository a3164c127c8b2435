"""The default method on thirteen ordinary tables of the UCI repository, against what other programs reach on them.

The tables are those of github.com/treforevans/uci_datasets as NAME.csv.gz (no header, the last column is the target) and
NAME.test_mask.csv.gz (a column for each split, 1 in its test rows), in the folder uci below --data.
"""

import statistics
import subprocess

import numpy as np

import figures
import progress
from auto_model import fit_and_evaluate, found, highest_order

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
# The most that our error may be.
BARS = {
    "pendulum": 0.12,
    "concrete": 0.05,
    "wine": 0.19,
    "gas": 0.025,
    "pol": 0.02,
    "bike": 0.0005,
    "kin40k": 0.05,
    "protein": 0.42,
}
NEAR, FAR = 1.05, 2.0  # Times the best of the others.
MOST_SECONDS = 120  # Of one fit.
LIMIT = 600  # Seconds after which one is stopped.
QUICK_TABLES = ["servo", "yacht", "energy"]


def load(folder, name, split):
    """(X, y) to fit and to test by."""
    table = np.loadtxt(folder / f"{name}.csv.gz", delimiter=",")
    tested = np.loadtxt(folder / f"{name}.test_mask.csv.gz", delimiter=",", usecols=split) == 1
    return (table[~tested, :-1], table[~tested, -1]), (table[tested, :-1], table[tested, -1])


def measure_split(context, folder, name, split):
    """What the fit found, or None where it does not end in LIMIT."""
    train, test = load(folder, name, split)
    label = f"uci_{name}_{split}"
    try:
        result = fit_and_evaluate(context.programs, label, train, test, limit=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return result | {"error": result["mse"] / float(np.var(test[1])), "rows": train[0].shape[0], "inputs": train[0].shape[1]}


def measure_table(context, folder, name, splits):
    return {"name": name, "splits": [measure_split(context, folder, name, split) for split in splits]}


def measure(context):
    if context.data is None:
        return None
    results = []
    for name in QUICK_TABLES if context.quick else PEERS:
        results.append(measure_table(context, context.data / "uci", name, range(PEERS[name][0])))
        progress.report(row(results[-1]))
    return results


def ended(result):
    return [split for split in result["splits"] if split]


def error_of(result):
    """The mean over the splits, or None where one did not end."""
    if len(ended(result)) < len(result["splits"]):
        return None
    return statistics.mean(split["error"] for split in result["splits"])


def best_peer(name):
    """(error, name)"""
    return min((error, peer) for error, peer in zip(PEERS[name][1], COLUMNS) if error is not None)


def over_best(result):
    """Our error in units of the best peer's: infinite where a fit did not end."""
    ours = error_of(result)
    return np.inf if ours is None else ours / best_peer(result["name"])[0]


def size(result):
    return f"{ended(result)[0]['rows']} x {ended(result)[0]['inputs']}" if ended(result) else "-"


def longest(result):
    if error_of(result) is None:
        return f"> {LIMIT} s NO"
    seconds = max(split["seconds"] for split in result["splits"])
    return f"{seconds:.1f} s" + ("" if seconds <= MOST_SECONDS else " NO")


def words(value):
    """Of a form, or of forms by input or in a list, each once."""
    if isinstance(value, dict):
        value = value["form"] if "form" in value else list(value.values())
    if isinstance(value, list):
        return ", ".join(dict.fromkeys(filter(None, map(words, value))))
    return f"{value:.2g}" if isinstance(value, float) else str(value)


def forms_of(result):
    """What the fits say of the forms they took, each once."""
    said = []
    for split in ended(result):
        forms = split["forms"]
        said += [f"y: {words(forms['target_transform'])}"] if "target_transform" in forms else []
        said += [words(forms["transforms"])] if forms.get("transforms") else []
        said += [f"{words(forms['fraction_above_order_three'])} above three"] if forms.get("fraction_above_order_three") else []
    return "; ".join(dict.fromkeys(said)) or "-"


def model_cells(result):
    return [
        figures.span([split["columns"] for split in ended(result)]),
        figures.span([len(found(split["terms"])) for split in ended(result)]),
        figures.span([highest_order(split["terms"]) for split in ended(result)]),
        forms_of(result),
    ]


def bar_cell(name, ours):
    return "-" if name not in BARS else f"{BARS[name]:g} {figures.met(ours is not None and ours <= BARS[name])}"


def row(result):
    name, ours, ratio = result["name"], error_of(result), over_best(result)
    least, peer = best_peer(name)
    return [
        name,
        size(result),
        "-" if ours is None else f"{ours:.3g}",
        f"{least:.3g} ({peer})",
        figures.at_most(ratio),
        figures.met(ratio <= NEAR),
        figures.met(ratio <= FAR),
        bar_cell(name, ours),
        longest(result),
        *model_cells(result),
    ]


MODEL_HEADER = ["columns", "terms", "order", "forms"]
HEADER = ["size", "auto", "best other", "ratio", f"<= {NEAR:g}", f"<= {FAR:g}", "bar", "longest", *MODEL_HEADER]
SKIPPED = "skipped, for neither --data nor SHRIMP_DATA names their folder"


def peers_row(result):
    errors = [error_of(result), *PEERS[result["name"]][1]]
    least = min(error for error in errors if error is not None)
    return [result["name"], *("-" if error is None else f"{error:.3g}" + ("*" if error == least else "") for error in errors)]


def describe(results):
    if results is None:
        return f"auto on ordinary tables: {SKIPPED}"
    near, far = (sum(over_best(result) <= bound for result in results) for bound in [NEAR, FAR])
    barred = [result for result in results if result["name"] in BARS]
    below = sum(error_of(result) is not None and error_of(result) <= BARS[result["name"]] for result in barred)
    return f"""{figures.table(["auto, tables", *HEADER], map(row, results))}

{figures.table(["each other", "auto", *COLUMNS], map(peers_row, results))}
Test MSE over the variance of the test rows' target, mean over the splits (three up to wine, two of sml, else one), * the
least; size: rows to fit x inputs; auto: all defaults, its longest fit (NO: above {MOST_SECONDS} s), columns, terms, highest
order. The others were measured once, on the same splits; -: not run, or not ended. RFF: random Fourier features of all
inputs at once.
At or below the bar on {below} of {len(barred)}.
At or below {NEAR:g} x the best on {near} of {len(results)}, above {FAR:g} x on {len(results) - far}."""
