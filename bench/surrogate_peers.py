"""What else stands in for a simulation: a Gaussian process and sparse polynomial chaos, each as its users would set it.

predict(X, y, X_test), inputs in [0, 1]^d.
"""

import time
import warnings

import numpy as np
import openturns as ot
import scipy.optimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

# Shares of the variance that are noise, to start from; of more than FEW_RUNS runs only the first.
STARTS, FEW_RUNS = [1e-3, 1e-6], 500
GP_SECONDS = 120  # Of the processor, after which no further step of the search for scales is made.

# Chaos: norms of the sets of powers, and the most polynomials of them by the number of runs, which holds it to a minute.
NORMS = [0.5, 0.7]
DEGREES = range(1, 13)
MOST_POLYNOMIALS = [(500, 1200), (2000, 600)]  # (runs up to, polynomials)
PATIENCE = 2  # Degrees without a smaller error.


def _search(starts):
    """An optimizer for scikit-learn: L-BFGS-B from each of the starts, for as long as GP_SECONDS allow."""

    def optimizer(objective, theta, bounds):
        end = time.process_time() + GP_SECONDS

        def stop_in_time(intermediate_result):
            if time.process_time() > end:
                raise StopIteration

        runs = []
        for noise in starts:
            start = np.array([*theta[:-1], np.log(noise)])
            options = {"method": "L-BFGS-B", "jac": True, "bounds": bounds, "callback": stop_in_time}
            runs.append(scipy.optimize.minimize(objective, start, **options))
        best = min(runs, key=lambda run: run.fun)
        return best.x, best.fun

    return optimizer


def gaussian_process(X, y, X_test):
    """scikit-learn's, with a length scale for each input and white noise, by marginal likelihood."""
    d = X.shape[1]
    scales = RBF(np.full(d, np.sqrt(d) / 2), (1e-2, 1e4))
    kernel = ConstantKernel(1.0, (1e-4, 1e6)) * scales + WhiteKernel(STARTS[0], (1e-12, 1e1))
    starts = STARTS if len(y) <= FEW_RUNS else STARTS[:1]
    model = GaussianProcessRegressor(kernel, alpha=1e-12, optimizer=_search(starts), normalize_y=True)
    with warnings.catch_warnings():
        # Idle inputs have their scales at the bound, as they should.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y).predict(X_test)


def _chaos(X, y, enumeration, size):
    """Least squares on polynomials that least angle regression chooses, as many as the corrected leave-one-out error
    says: Blatman and Sudret (2011), Journal of Computational Physics 230, 2345-2367."""
    d = X.shape[1]
    uniform = ot.Uniform(0, 1)
    basis = ot.OrthogonalProductPolynomialFactory([ot.StandardDistributionPolynomialFactory(uniform)] * d, enumeration)
    selection = ot.LeastSquaresMetaModelSelectionFactory(ot.LARS(), ot.CorrectedLeaveOneOut())
    strategies = ot.FixedStrategy(basis, size), ot.LeastSquaresStrategy(selection)
    distribution = ot.JointDistribution([uniform] * d)
    algorithm = ot.FunctionalChaosAlgorithm(ot.Sample(X), ot.Sample(y[:, None]), distribution, *strategies)
    algorithm.run()
    return algorithm.getResult()


def _rising_degrees(X, y, norm):
    """(error by leave-one-out, result) of each degree, until it no longer falls or the polynomials are too many."""
    most = next(size for runs, size in MOST_POLYNOMIALS if len(y) <= runs)
    enumeration = ot.HyperbolicAnisotropicEnumerateFunction(X.shape[1], norm)
    found = []
    for degree in DEGREES:
        size = enumeration.getMaximumDegreeCardinal(degree)
        errors = [error for error, _ in found]
        if size > most or (len(errors) > PATIENCE and min(errors[-PATIENCE:]) >= min(errors[:-PATIENCE])):
            break
        result = _chaos(X, y, enumeration, size)
        found.append((min(result.getErrorHistory()), result))
    return found


def polynomial_chaos(X, y, X_test):
    """OpenTURNS' sparse chaos of Legendre polynomials; norm and degree by the corrected leave-one-out error."""
    # The same polynomials as by its SVD, in a quarter of the time.
    ot.ResourceMap.Set("LeastSquaresMetaModelSelection-DecompositionMethod", "Cholesky")
    candidates = [found for norm in NORMS for found in _rising_degrees(X, y, norm)]
    _, best = min(candidates, key=lambda found: found[0])
    return np.array(best.getMetaModel()(ot.Sample(X_test)))[:, 0]


PEERS = {"GP": gaussian_process, "chaos": polynomial_chaos}
