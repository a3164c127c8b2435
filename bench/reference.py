"""The prune path as one writes it in NumPy and SciPy: every step solved from scratch."""

import itertools
import math
import time

import numpy as np
import scipy.linalg

from timing import Timing


def draw_weights(d, N, q, rng):
    """W with floor(N / C(d,q)) normal vectors of variance 1/q per support, or one on each of N random supports."""
    supports = np.array(list(itertools.combinations(range(d), q)))
    if len(supports) > N:
        supports = rng.choice(supports, N, replace=False)
    supports = np.repeat(supports, N // len(supports), axis=0)
    W = np.zeros((len(supports), d))
    np.put_along_axis(W, supports, rng.normal(scale=math.sqrt(1 / q), size=supports.shape), axis=1)
    return W


def features(X, W):
    """A = [cos(X Wᵀ), sin(X Wᵀ)] in Fortran's order, which LAPACK takes without a copy."""
    Z = W @ X.T
    return np.concatenate([np.cos(Z), np.sin(Z)]).T


def cutoff(A):
    return max(A.shape) * np.finfo(float).eps


def solve_by_pinv(A, y):
    return np.linalg.pinv(A, rcond=cutoff(A)) @ y


def solve_by_gelsy(A, y):
    """Overwrites A."""
    return scipy.linalg.lstsq(A, y, cond=cutoff(A), lapack_driver="gelsy", overwrite_a=True, check_finite=False)[0]


def drop_count(columns, rate):
    return min(max(math.floor(rate * columns + 0.5), 1), columns - 1)


def path_sizes(columns, rate):
    sizes = [columns]
    while sizes[-1] > 1:
        sizes.append(sizes[-1] - drop_count(sizes[-1], rate))
    return sizes


def take_columns(A, columns):
    return A.T[columns].T


def walk(A, y, rate, solve):
    """Yields the columns and coefficients of every step until one column is left."""
    columns = np.arange(A.shape[1])
    while True:
        c = solve(take_columns(A, columns), y)
        yield columns, c
        if len(columns) == 1:
            return
        falls = np.argsort(np.abs(c), kind="stable")
        columns = columns[np.sort(falls[drop_count(len(columns), rate) :])]


def mean_squared_error(A, y, columns, c):
    return np.mean((take_columns(A, columns) @ c - y) ** 2)


def hold_out(m, rng, fraction=0.1):
    """Rows to fit and rows to choose by."""
    rows = rng.permutation(m)
    held = round(fraction * m)
    return rows[held:], rows[:held]


def time_fit(X, y, W, rate, solve, budget):
    """The Timing of features, path, validation and refit; the path is left once it took `budget` seconds."""
    start = time.perf_counter()
    A = features(X, W)
    train, held = hold_out(len(y), np.random.default_rng(0))
    best, best_error = None, math.inf
    A_train, A_held = np.asfortranarray(A[train]), np.asfortranarray(A[held])
    for columns, c in walk(A_train, y[train], rate, solve):
        error = mean_squared_error(A_held, y[held], columns, c)
        if best is None or error <= best_error:
            best, best_error = columns, error
        if time.perf_counter() - start > budget:
            return Timing(time.perf_counter() - start, complete=False)
    solve(take_columns(A, best), y)
    return Timing(time.perf_counter() - start)
