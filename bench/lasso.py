"""Our Lasso path against scikit-learn's, on the same penalties and to the same tolerance."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path

import figures
import reference
from programs import sample
from timing import RULE, Timing, ratio, repeat, seconds_of

RATIO, COUNT, TOLERANCE = 1e-2, 50, 1e-4
NOISE = 0.05  # In units of the standard deviation of the values.
M, D, N, Q = 500, 10, 5000, 2
RAW_M, RAW_D, RAW_TERMS = 2000, 500, 40
MOST_SWEEPS = 100_000
OUR_RUNS = 5


def with_noise(y, rng):
    return y + NOISE * y.std() * rng.normal(size=len(y))


def dictionary(function):
    rng = np.random.default_rng(0)
    X, y = sample(function, M, D, 0)
    return reference.features(X, reference.draw_weights(D, N, Q, rng)), with_noise(y, rng)


def raw_inputs():
    rng = np.random.default_rng(0)
    A = np.asfortranarray(rng.normal(size=(RAW_M, RAW_D)))
    return A, with_noise(A[:, :RAW_TERMS] @ rng.normal(size=RAW_TERMS), rng)


CASES = {
    "f3": lambda: dictionary("f3"),
    "f7": lambda: dictionary("f7"),
    "raw inputs": raw_inputs,
}


def objectives(A, y, C, penalties):
    squares = ((A @ C - y[:, None]) ** 2).sum(axis=0)
    return squares / (2 * len(y)) + penalties * np.abs(C).sum(axis=0)


def time_peer(A, y, penalties):
    """The Timing of lasso_path, and its objectives."""
    paths = []

    def solve():
        paths[:] = lasso_path(A, y, alphas=penalties, tol=TOLERANCE, max_iter=MOST_SWEEPS)

    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        timing = repeat(lambda: seconds_of(solve))
    return timing, objectives(A, y, paths[1], penalties)


def our_path(context, paths, solver, runs):
    result = context.programs.helper("solve_lasso", *paths, RATIO, COUNT, TOLERANCE, solver, runs)
    if not all(result["converged"]):
        raise RuntimeError(f"our {solver} path did not converge")
    return result


def measure_case(context, name):
    A, y = CASES[name]()
    paths = [context.programs.write_matrix("lasso_A.bin", A), context.programs.write_matrix("lasso_y.bin", y[:, None])]
    ours = our_path(context, paths, "coordinate_descent", OUR_RUNS)
    gradient = None if context.quick else our_path(context, paths, "proximal_gradient", 1)
    peer, expected = time_peer(A, y, np.array(ours["lambdas"]))
    error = TOLERANCE * (y @ y) / len(y)  # No objective is further above the minimum.
    for result in filter(None, [ours, gradient]):
        if np.abs(np.array(result["objectives"]) - expected).max() > error:
            raise RuntimeError(f"scikit-learn and our path differ on {name}")
    times = {
        "ours": Timing(ours["seconds"], OUR_RUNS),
        "proximal_gradient": gradient and Timing(gradient["seconds"]),
        "scikit_learn": peer,
    }
    return {
        "case": name,
        "shape": A.shape,
        "nonzeros": ours["nonzeros"][-1],
        "seconds": times,
        "scikit_learn/ours": ratio(times["scikit_learn"], times["ours"]),
        "scikit_learn/proximal_gradient": ratio(times["scikit_learn"], times["proximal_gradient"]),
    }


def measure(context):
    return [measure_case(context, name) for name in CASES]


def row(result):
    times = result["seconds"]
    return [
        f"{result['case']}, {result['shape'][0]} x {result['shape'][1]}",
        result["nonzeros"],
        *(figures.seconds(times[name]) for name in ["ours", "proximal_gradient", "scikit_learn"]),
        figures.at_least(result["scikit_learn/ours"]),
        figures.at_least(result["scikit_learn/proximal_gradient"]),
    ]


def describe(results):
    header = ["Lasso path", "nonzeros", "(a) ours", "(b) ours, proximal", "(c) scikit-learn", "c/a", "c/b"]
    return f"""{figures.table(header, map(row, results))}
{COUNT} penalties down to {RATIO:g} of the largest, duality gaps of at most {TOLERANCE:g} |y|^2/m for all; objectives
agree within that. f3, f7: the Fourier dictionary of order {Q} in {D} inputs, {100 * NOISE:g} % noise. nonzeros: at the \
end of the path. (a): coordinate descent,
median of {OUR_RUNS} runs; (b): proximal gradient, one run; (c): lasso_path, {RULE}."""
