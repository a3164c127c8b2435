"""Gaussian process regression with a length scale per input, by marginal likelihood.

As scikit-learn's with ConstantKernel * RBF + WhiteKernel, but the gradient in all scales takes one matrix product.
"""

import numpy as np
import scipy.linalg
import scipy.optimize

ROWS = 1000  # At most, the first: the time grows with their cube.
BOUNDS = [(-7.0, 7.0), (-28.0, 2.0)]  # Logarithms of the variances of signal and noise.
SCALE_BOUNDS = (-4.0, 9.0)  # Of the logarithms of the length scales.
ITERATIONS = 200


def gaussian(a, b, scales):
    u, v = a / scales, b / scales
    squares = (u**2).sum(axis=1)[:, None] + (v**2).sum(axis=1)[None, :] - 2 * u @ v.T
    return np.exp(-np.maximum(squares, 0) / 2)


def factor(parameters, X):
    signal, noise, scales = np.exp(parameters[0]), np.exp(parameters[1]), np.exp(parameters[2:])
    K = signal * gaussian(X, X, scales)
    return K, scipy.linalg.cho_factor(K + (noise + 1e-12) * np.eye(len(X)), lower=True)


def negative_log_likelihood(parameters, X, y):
    """And its gradient."""
    try:
        K, cholesky = factor(parameters, X)
    except np.linalg.LinAlgError:
        return 1e25, np.zeros_like(parameters)
    alpha = scipy.linalg.cho_solve(cholesky, y)
    value = y @ alpha / 2 + np.log(np.diag(cholesky[0])).sum() + len(y) * np.log(2 * np.pi) / 2
    W = np.outer(alpha, alpha) - scipy.linalg.cho_solve(cholesky, np.eye(len(y)))
    M = W * K
    scaled = X / np.exp(parameters[2:])
    by_scales = (M.sum(axis=1) @ scaled**2) - (scaled * (M @ scaled)).sum(axis=0)
    return value, -np.concatenate([[M.sum() / 2, np.exp(parameters[1]) * np.trace(W) / 2], by_scales])


def predict(X, y, X_test):
    X, y = X[:ROWS], y[:ROWS]
    X_mean, X_deviation, mean, deviation = X.mean(axis=0), X.std(axis=0), y.mean(), y.std()
    X_deviation = np.where(X_deviation > 0, X_deviation, 1.0)
    X, X_test = (X - X_mean) / X_deviation, (X_test - X_mean) / X_deviation
    z, d = (y - mean) / deviation, X.shape[1]
    starts = [np.array([0.0, noise, *np.full(d, np.log(d) / 2 + 0.5)]) for noise in [-1.0, -8.0]]
    bounds = [*BOUNDS, *[SCALE_BOUNDS] * d]
    options = {"method": "L-BFGS-B", "jac": True, "bounds": bounds, "options": {"maxiter": ITERATIONS}}
    runs = [scipy.optimize.minimize(negative_log_likelihood, start, (X, z), **options) for start in starts]
    parameters = min(runs, key=lambda run: run.fun).x
    _, cholesky = factor(parameters, X)
    K_test = np.exp(parameters[0]) * gaussian(X_test, X, np.exp(parameters[2:]))
    return mean + deviation * K_test @ scipy.linalg.cho_solve(cholesky, z)
