"""Sobol' indices of clean fits, beside OpenTURNS' polynomial chaos on the same rows and SALib's sampling of the function."""

import json

import figures
import numpy as np
import openturns
import SALib.analyze.sobol
import SALib.sample.sobol
from programs import write_csv
from simulations import borehole, sobol_g

ROWS = 2000
QUICK_ROWS = 400
SAMPLES = 2**14  # SALib evaluates the function d + 2 times as often.


def ishigami(u):
    x = np.pi * (2 * u - 1)
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def ishigami_indices():
    """Ishigami and Homma (1990)."""
    a, b = 7, 0.1
    alone, pair = 0.5 * (1 + b * np.pi**4 / 5) ** 2, b**2 * np.pi**8 * (1 / 18 - 1 / 50)
    variances = np.array([alone, a**2 / 8, 0, pair])
    first = variances / variances.sum()
    return first[:3], first[:3] + first[3] * np.array([1, 0, 1])


def sobol_g_indices():
    """Sobol' (1993): products of 1 + v_j, v_j the variance of a factor."""
    v = 1 / (3 * (1 + np.array([0, 1, 4.5, 9, 99, 99, 99, 99])) ** 2)
    return v / (np.prod(1 + v) - 1), v * np.prod(1 + v) / (1 + v) / (np.prod(1 + v) - 1)


def borehole_indices():
    """Gauss-Legendre quadrature over all inputs. T_u, r and T_l do so little that 4 points serve; the curves need 10."""
    points = [10, 7, 4, 4, 4, 4, 6, 4]
    rules = [np.polynomial.legendre.leggauss(n) for n in points]
    grids = np.meshgrid(*[(nodes + 1) / 2 for nodes, _ in rules], indexing="ij")
    y = borehole(np.column_stack([grid.ravel() for grid in grids])).reshape(points)

    def mean(values, axes):
        for axis in sorted(axes, reverse=True):
            values = np.tensordot(values, rules[axis][1] / 2, axes=(axis, 0))
        return values

    everywhere = range(len(points))
    centre = mean(y, everywhere)
    variance = mean((y - centre) ** 2, everywhere)

    def spread(values, left):
        """The variance of a function of the inputs that are left."""
        for place, axis in reversed(list(enumerate(left))):
            values = np.tensordot(values**2 if place == len(left) - 1 else values, rules[axis][1] / 2, axes=(place, 0))
        return values

    first, total = [], []
    for j in everywhere:
        others = [k for k in everywhere if k != j]
        first.append(spread(mean(y, others) - centre, [j]) / variance)
        total.append(1 - spread(mean(y, [j]) - centre, others) / variance)
    return np.array(first), np.array(total)


CASES = {
    "Ishigami": (ishigami, 3, ishigami_indices),
    "Sobol' g": (sobol_g, 8, sobol_g_indices),
    "borehole": (borehole, 8, borehole_indices),
}


def ours(context, X, y):
    table, model = (context.programs.folder / f"sobol_{len(y)}.{end}" for end in ("csv", "json"))
    write_csv(table, X, y)
    # Indices of y are asked for, not of a form of it.
    options = ["--target-transform", "identity", "--quick-error"]
    fit = context.programs.shrimp("fit", table, "--target", "y", "--method", "auto", *options, "--output", model, "--json", "-q")
    found = json.loads(context.programs.shrimp("sensitivity", model, "--inputs", "uniform(0,1)", "--json", "-q").stdout)
    indices = [np.array([row[order] for row in found["inputs"]]) for order in ("first", "total")]
    return indices, 1 - json.loads(fit.stdout)["validation_r2"]


def polynomial_chaos(X, y):
    """OpenTURNS: sparse, by least angles and corrected leave-one-out error, the first 500 products of few inputs."""
    d = X.shape[1]
    laws = openturns.JointDistribution([openturns.Uniform(0, 1)] * d)
    basis = openturns.OrthogonalProductPolynomialFactory(
        [openturns.LegendreFactory()] * d, openturns.HyperbolicAnisotropicEnumerateFunction(d, 0.6)
    )
    terms = openturns.FixedStrategy(basis, min(len(y) // 4, 500))
    sparse = openturns.LeastSquaresStrategy(
        openturns.LeastSquaresMetaModelSelectionFactory(openturns.LARS(), openturns.CorrectedLeaveOneOut())
    )
    algorithm = openturns.FunctionalChaosAlgorithm(X, y.reshape(-1, 1), laws, terms, sparse)
    algorithm.run()
    indices = openturns.FunctionalChaosSobolIndices(algorithm.getResult())
    return [
        np.array([indices.getSobolIndex(j) for j in range(d)]),
        np.array([indices.getSobolTotalIndex(j) for j in range(d)]),
    ]


def sampling(function, d, samples):
    """SALib: Saltelli's samples of the function itself."""
    problem = {"num_vars": d, "names": [f"x{j + 1}" for j in range(d)], "bounds": [[0, 1]] * d}
    points = SALib.sample.sobol.sample(problem, samples, calc_second_order=False, seed=0)
    found = SALib.analyze.sobol.analyze(problem, function(points), calc_second_order=False, num_resamples=2, seed=0)
    return [np.asarray(found["S1"]), np.asarray(found["ST"])]


def errors(found, exact):
    return [float(np.abs(own - true).max()) for own, true in zip(found, exact)]


def measure_case(context, name):
    function, d, indices = CASES[name]
    rows, exact = (QUICK_ROWS if context.quick else ROWS), indices()
    X = np.random.default_rng(0).uniform(size=(rows, d))
    found, unexplained = ours(context, X, function(X))
    return {
        "case": name,
        "rows": rows,
        "unexplained": unexplained,
        "ours": errors(found, exact),
        "openturns": errors(polynomial_chaos(X, function(X)), exact),
        "salib": errors(sampling(function, d, SAMPLES), exact),
        "evaluations": SAMPLES * (d + 2),
    }


def measure(context):
    return [measure_case(context, name) for name in CASES]


def row(result):
    pairs = [f"{first:.0e}, {total:.0e}" for first, total in (result["ours"], result["openturns"], result["salib"])]
    return [result["case"], f"{result['unexplained']:.0e}", *pairs, f"{result['evaluations']}"]


def describe(results):
    header = ["Sobol' indices", "1 - R2", "ours", "OpenTURNS", "SALib", "its runs"]
    return f"""{figures.table(header, map(row, results))}
Largest error of any input's first and total index. {results[0]["rows"]} uniform rows for ours (method auto) and OpenTURNS
(sparse polynomial chaos); SALib evaluates the function itself so often. True values: in closed form, the borehole's by
quadrature. 1 - R2 is that of our fit on rows held out."""
