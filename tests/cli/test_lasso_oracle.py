"""The Lasso's objective against scikit-learn's, both solved far beyond what a fit needs."""

import itertools
import json
import subprocess
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

RATIO, COUNT = 0.02, 6
TOLERANCE = 1e-12  # Our objectives then have an error of no more than 1e-12 ‖y‖²/m.
SOLVERS = ["coordinate_descent", "proximal_gradient"]


def random_problem():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(60, 120))
    return A, A[:, :5] @ [3.0, -2.0, 1.0, 1.0, 0.5] + 0.1 * rng.normal(size=60)


def tall_problem():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(200, 40))
    return A, A[:, :5] @ [3.0, -2.0, 1.0, 1.0, 0.5] + rng.normal(size=200)


def correlated_problem():
    """Neighbouring columns have a correlation of 0.9."""
    rng = np.random.default_rng(3)
    A = rng.normal(size=(80, 150))
    for j in range(1, A.shape[1]):
        A[:, j] = 0.9 * A[:, j - 1] + np.sqrt(1 - 0.9**2) * A[:, j]
    return A, A[:, ::30].sum(axis=1) + 0.1 * rng.normal(size=80)


def dictionary_problem():
    """Cosines and sines of random frequencies: nearly dependent columns."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-1, 1, (60, 4))
    W = np.zeros((90, 4))
    for row, pair in zip(W, itertools.cycle(itertools.combinations(range(4), 2))):
        row[list(pair)] = rng.normal(size=2)
    A = np.hstack([np.cos(X @ W.T), np.sin(X @ W.T)])
    return A, X[:, 0] * X[:, 1] + X[:, 2] + 0.05 * rng.normal(size=60)


def kernel_problem():
    """Gaussian kernels K_S(x, x_i) of the coordinates in S, |S| ≤ 2, one column for each S and i."""
    rng = np.random.default_rng(5)
    X = rng.uniform(-1, 1, (40, 4))
    supports = [S for size in [1, 2] for S in itertools.combinations(range(4), size)]
    blocks = []
    for S in supports:
        part = X[:, S]
        blocks.append(np.exp(-np.sum((part[:, None] - part[None]) ** 2, axis=2) / 2))
    return np.hstack(blocks), np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.05 * rng.normal(size=40)


PROBLEMS = [random_problem, tall_problem, correlated_problem, dictionary_problem, kernel_problem]


def objective(A, y, c, penalty):
    return np.sum((A @ c - y) ** 2) / (2 * len(y)) + penalty * np.abs(c).sum()


def scikit_learn_objective(A, y, penalty, start):
    """Warm-started, as a path is; on coherent columns it may end before the tolerance, close enough all the same."""
    lasso = Lasso(alpha=penalty, fit_intercept=False, tol=1e-14, max_iter=100_000, warm_start=True)
    lasso.coef_ = start
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        lasso.fit(A, y)
    return objective(A, y, lasso.coef_, penalty), lasso.coef_


def write_matrix(path, matrix):
    with open(path, "wb") as file:
        np.array(matrix.shape, dtype=np.uint64).tofile(file)
        np.ascontiguousarray(matrix.T, dtype=np.float64).tofile(file)
    return path


@pytest.fixture(scope="session")
def solve_lasso(binary, environment, tmp_path_factory):
    """Runs our path and returns what it prints, and the coefficients, a column for each penalty."""
    program = binary.parents[1] / "bench" / "solve_lasso"

    def solve(A, y, solver):
        folder = tmp_path_factory.mktemp("lasso")
        paths = [write_matrix(folder / "A.bin", A), write_matrix(folder / "y.bin", y[:, None])]
        output = folder / "coefficients.bin"
        command = [program, *paths, RATIO, COUNT, TOLERANCE, solver, 1, output]
        run = subprocess.run(list(map(str, command)), env=environment, stdout=subprocess.PIPE, check=True, timeout=120)
        return json.loads(run.stdout), np.fromfile(output, offset=16).reshape(COUNT, A.shape[1]).T

    return solve


@pytest.fixture(scope="module", params=PROBLEMS, ids=lambda problem: problem.__name__)
def solved_problem(request):
    """A problem, its grid of penalties and scikit-learn's objectives."""
    A, y = request.param()
    penalties = np.abs(A.T @ y).max() / len(y) * np.geomspace(1, RATIO, COUNT)
    objectives, coefficients = [], np.zeros(A.shape[1])
    for penalty in penalties:
        value, coefficients = scikit_learn_objective(A, y, penalty, coefficients)
        objectives.append(value)
    return A, y, penalties, np.array(objectives)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_lasso_has_the_objective_of_scikit_learn(solve_lasso, solved_problem, solver):
    A, y, penalties, expected = solved_problem
    result, coefficients = solve_lasso(A, y, solver)
    np.testing.assert_allclose(result["lambdas"], penalties, rtol=1e-12)
    assert all(result["converged"])
    ours = [objective(A, y, c, penalty) for c, penalty in zip(coefficients.T, penalties)]
    np.testing.assert_allclose(result["objectives"], ours, rtol=1e-10)
    np.testing.assert_allclose(ours, expected, rtol=1e-8)
    np.testing.assert_array_equal(result["nonzeros"], np.count_nonzero(coefficients, axis=0))
