"""Building the kernel matrix of SALSA, against NumPy."""

import numpy as np

import figures
from timing import RULE, repeat, seconds_of

CASES = [(1000, 50, 2), (1000, 50, 4), (2000, 20, 3)]  # m, d, q
AGREEMENT = 1e-10


def newton_girard(X, gamma, order):
    """The elementary symmetric polynomial from power sums, all pairs of rows at a time and in place."""
    m = len(X)
    power_sums = np.zeros((order + 1, m, m))
    kappa, power = np.empty((m, m)), np.empty((m, m))
    for x, rate in zip(X.T, gamma):
        np.subtract.outer(x, x, out=kappa)
        np.square(kappa, out=kappa)
        np.multiply(kappa, -rate, out=kappa)
        np.exp(kappa, out=kappa)
        power_sums[1] += kappa
        if order > 1:
            np.multiply(kappa, kappa, out=power)
            power_sums[2] += power
        for s in range(3, order + 1):
            np.multiply(power, kappa, out=power)
            power_sums[s] += power
    polynomials = [np.ones((m, m))]
    for k in range(1, order + 1):
        total = polynomials[k - 1] * power_sums[1]
        for s in range(2, k + 1):
            np.multiply(polynomials[k - s], power_sums[s], out=power)
            (np.add if s % 2 == 1 else np.subtract)(total, power, out=total)
        total /= k
        polynomials.append(total)
    return polynomials[order]


def measure_case(context, m, d, order):
    X = np.random.default_rng(0).normal(size=(m, d))
    gamma = np.full(d, 1 / (2 * order))
    files = [context.programs.write_matrix(name, part) for name, part in [("X.bin", X), ("gamma.bin", gamma[:, None])]]
    ours = context.programs.helper("build_kernel", *files, order)
    difference = np.abs(np.array(ours["first_column"]) / newton_girard(X, gamma, order)[:, 0] - 1).max()
    if difference > AGREEMENT:
        raise RuntimeError(f"NumPy and the library build different kernels: they differ by {difference:.1e}")
    peer = repeat(lambda: seconds_of(newton_girard, X, gamma, order), at_least=3)
    return {
        "case": [m, d, order],
        "seconds": {"ours": ours["seconds"], "sections": ours["sections_seconds"], "numpy": peer},
        "numpy/ours": peer.seconds / ours["seconds"],
        "difference": difference,
    }


def measure(context):
    return [measure_case(context, *case) for case in CASES]


def describe(results):
    rows = [
        [
            str(tuple(result["case"])),
            f"{result['seconds']['ours']:.3g} s",
            f"{result['seconds']['sections']:.3g} s",
            figures.seconds(result["seconds"]["numpy"]),
            figures.at_least(result["numpy/ours"]),
            f"{result['difference']:.1e}",
        ]
        for result in results
    ]
    header = ["kernel (m, d, q)", "ours", "as sections", "NumPy", "NumPy/ours", "relative difference"]
    return f"""{figures.table(header, rows)}
The m x m matrix of the elementary symmetric polynomial of degree q of d Gaussians. NumPy: Newton-Girard with power sums,
m x m arrays in place. As sections: the same columns of a dictionary, which knows nothing of the symmetry. Ours: medians
of 7 runs; NumPy: {RULE}."""
