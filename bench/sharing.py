"""What several pruning rates, and folds, cost beside one fit."""

import figures
from timing import RULE, ratio

M, D, N, Q, FUNCTION = 1400, 100, 10000, 2, "f7"
RATES = ".2,.3,.4"
FOLDS = 5


def measure(context):
    table = context.programs.write_sample(FUNCTION, M, D)
    options = ["--order", Q, "--features", N]
    one = context.programs.fit_timing(table, *options, "--prune", ".2")
    rates = context.programs.fit_timing(table, *options, "--prune", RATES)
    folds = context.programs.fit_timing(table, *options, "--prune", ".2", "--folds", FOLDS)
    return {
        "seconds": {"one": one, "rates": rates, "folds": folds},
        "rates/one": ratio(rates, one),
        "folds/fits": ratio(folds, one) / FOLDS,
    }


def describe(result):
    times = result["seconds"]
    rows = [
        ["prune .2", figures.seconds(times["one"]), ""],
        [f"prune {RATES}", figures.seconds(times["rates"]), f"{figures.at_most(result['rates/one'])} x one"],
        [f"{FOLDS} folds", figures.seconds(times["folds"]), f"{figures.at_most(result['folds/fits'])} x {FOLDS} fits"],
    ]
    return f"{figures.table([f'sharing at ({M}, {D}, {N}, {Q})', 'time', 'ratio'], rows)}\n{RULE}."
