"""The default method on further splits of the tables of auto_uci.py: splits that none of its constants was chosen by."""

import statistics

import auto_uci
import figures
import progress

SMALL, LARGE = range(3, 10), range(3, 6)  # Splits of the tables of at most 5000 rows, and of LARGE_TABLES.
LARGE_TABLES = ["pol", "elevators", "bike", "kin40k", "protein"]
QUICK_TABLES, QUICK_SPLITS = ["servo"], range(3, 5)


def splits_of(context, name):
    return QUICK_SPLITS if context.quick else LARGE if name in LARGE_TABLES else SMALL


def measure(context):
    if context.data is None:
        return None
    results = []
    for name in QUICK_TABLES if context.quick else auto_uci.PEERS:
        results.append(auto_uci.measure_table(context, context.data / "uci", name, splits_of(context, name)))
        progress.report(row(results[-1]))
    return results


def row(result):
    ours, errors = auto_uci.error_of(result), [split["error"] for split in auto_uci.ended(result)]
    return [
        result["name"],
        auto_uci.size(result),
        len(result["splits"]),
        "-" if ours is None else f"{ours:.3g}",
        f"{statistics.stdev(errors):.2g}" if len(errors) > 1 else "-",
        f"{min(errors):.3g}-{max(errors):.3g}" if errors else "-",
        auto_uci.longest(result),
        *auto_uci.model_cells(result),
    ]


def describe(results):
    if results is None:
        return f"auto on further splits: {auto_uci.SKIPPED}"
    header = ["auto, further splits", "size", "splits", "auto", "deviation", "range", "longest", *auto_uci.MODEL_HEADER]
    return f"""{figures.table(header, map(row, results))}
Test MSE over the variance of the test rows' target: mean, deviation and range over splits 3 to 9 (tables of more than
5000 rows: 3 to 5), which auto-uci has not; -: a fit did not end."""
