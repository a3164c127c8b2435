"""Our whole fit against the same protocol in NumPy and SciPy, one Gram matrix and one solve."""

import numpy as np
from scipy.linalg.blas import dsyrk

import figures
import reference
from programs import sample
from timing import RULE, ratio, repeat, seconds_of

CASES = [
    # m, d, N, q, function
    (140, 10, 10000, 2, "f3"),
    (1400, 100, 10000, 2, "f7"),
    (1400, 100, 10000, 1, "f1"),
    (2000, 20, 10000, 3, "f5"),
    (20000, 10, 1000, 2, "f7"),
]
RATE = 0.2
BUDGET = 300.0  # Seconds that one peer may take on one case.


def time_gram(A):
    """Of the smaller side."""
    return repeat(lambda: seconds_of(dsyrk, 1.0, A, trans=int(A.shape[0] > A.shape[1])))


def time_solve(A, y):
    def measure():
        scratch = A.copy(order="F")
        return seconds_of(reference.solve_by_gelsy, scratch, y)

    return repeat(measure)


def measure_case(context, m, d, N, q, function):
    table = context.programs.write_sample(function, m, d)
    ours = context.programs.fit_timing(table, "--order", q, "--features", N, "--prune", RATE)
    X, y = sample(function, m, d, 0)
    W = reference.draw_weights(d, N, q, np.random.default_rng(0))
    train, _ = reference.hold_out(m, np.random.default_rng(0))
    A = reference.features(X[train], W)
    gram = time_gram(A)
    solve = time_solve(A, y[train])
    columns = A.shape[1]
    del A
    pinv = gelsy = None
    if m < 1000 or not context.quick:
        pinv = reference.time_fit(X, y, W, RATE, reference.solve_by_pinv, BUDGET)
        gelsy = reference.time_fit(X, y, W, RATE, reference.solve_by_gelsy, BUDGET)
    return {
        "case": {"m": m, "d": d, "N": N, "q": q, "function": function},
        "columns": columns,
        "steps": len(reference.path_sizes(columns, RATE)),
        "seconds": {"ours": ours, "pinv_path": pinv, "gelsy_path": gelsy, "gram": gram, "gelsy_solve": solve},
        "ratios": {
            "pinv_path/ours": ratio(pinv, ours),
            "gelsy_path/ours": ratio(gelsy, ours),
            "gelsy_solve/ours": ratio(solve, ours),
            "ours/gram": ratio(ours, gram),
        },
    }


def measure(context):
    return [measure_case(context, *case) for case in CASES]


def row(result):
    case, times, ratios = result["case"], result["seconds"], result["ratios"]

    def peer_ratio(name):
        bound = times[name] is not None and not times[name].complete
        return ("> " if bound else "") + figures.at_least(ratios[f"{name}/ours"])

    return [
        f"({case['m']}, {case['d']}, {case['N']}, {case['q']}) {case['function']}",
        *(figures.seconds(times[name]) for name in ["ours", "pinv_path", "gelsy_path", "gram", "gelsy_solve"]),
        *(peer_ratio(name) for name in ["pinv_path", "gelsy_path", "gelsy_solve"]),
        figures.at_most(ratios["ours/gram"]),
    ]


def describe(results):
    header = ["case (m, d, N, q)", "ours", "(a) pinv path", "(b) gelsy path", "(c) Gram", "(d) gelsy"]
    header += ["a/ours", "b/ours", "d/ours", "ours/c"]
    return f"""{figures.table(header, map(row, results))}
ours: features, full path at p = {RATE}, validation on 10 % of the rows, refit, as the command line reports it.
(a), (b): the same with NumPy's pinv or SciPy's gelsy at every step; one run each; "> " was stopped after {BUDGET:.0f} s
and is a lower bound. (c): one dsyrk of the training rows' A, its smaller side. (d): one gelsy solve of it.
ours, (c), (d): {RULE}. Ratios are rounded to our disadvantage."""
