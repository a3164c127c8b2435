"""Functions of 6 to 20 inputs that stand for simulations, on inputs in [0, 1]^d.

All but Friedman's are in Surjanovic and Bingham, Virtual Library of Simulation Experiments (sfu.ca/~ssurjano), or are
cited where they stand.
"""

import numpy as np
from scipy.stats import qmc


def _between(u, bounds):
    return [low + (high - low) * u[:, j] for j, (low, high) in enumerate(bounds)]


def borehole(u):
    """Harper and Gupta (1983); Morris, Mitchell and Ylvisaker (1993), Technometrics 35, 243-255."""
    bounds = [(0.05, 0.15), (100, 50000), (63070, 115600), (990, 1110), (63.1, 116), (700, 820), (1120, 1680)]
    r_w, r, T_u, H_u, T_l, H_l, L, K_w = _between(u, [*bounds, (9855, 12045)])
    log = np.log(r / r_w)
    return 2 * np.pi * T_u * (H_u - H_l) / (log * (1 + 2 * L * T_u / (log * r_w**2 * K_w) + T_u / T_l))


def otl_circuit(u):
    """Ben-Ari and Steinberg (2007), Quality Engineering 19, 327-338."""
    b1, b2, f, c1, c2, beta = _between(u, [(50, 150), (25, 70), (0.5, 3), (1.2, 2.5), (0.25, 1.2), (50, 300)])
    gain = beta * (c2 + 9)
    return (12 * b2 / (b1 + b2) + 0.74) * gain / (gain + f) + 11.35 * f / (gain + f) + 0.74 * f * gain / ((gain + f) * c1)


def piston(u):
    """Kenett and Zacks (1998), Modern Industrial Statistics; Ben-Ari and Steinberg (2007)."""
    bounds = [(30, 60), (0.005, 0.02), (0.002, 0.01), (1000, 5000), (90000, 110000), (290, 296), (340, 360)]
    M, S, V0, k, P0, Ta, T0 = _between(u, bounds)
    A = P0 * S + 19.62 * M - k * V0 / S
    V = S / (2 * k) * (np.sqrt(A**2 + 4 * k * P0 * V0 / T0 * Ta) - A)
    return 2 * np.pi * np.sqrt(M / (k + S**2 * P0 * V0 * Ta / (T0 * V**2)))


def wing_weight(u):
    """Forrester, Sobester and Keane (2008), Engineering Design via Surrogate Modelling."""
    bounds = [(150, 200), (220, 300), (6, 10), (-10, 10), (16, 45), (0.5, 1), (0.08, 0.18), (2.5, 6), (1700, 2500)]
    S_w, W_fw, A, sweep, q, taper, t_c, N_z, W_dg, W_p = _between(u, [*bounds, (0.025, 0.08)])
    cosine = np.cos(np.radians(sweep))
    lift = S_w**0.758 * W_fw**0.0035 * (A / cosine**2) ** 0.6 * q**0.006 * taper**0.04
    return 0.036 * lift * (100 * t_c / cosine) ** -0.3 * (N_z * W_dg) ** 0.49 + S_w * W_p


def friedman(u):
    """Friedman (1991), The Annals of Statistics 19, 1-67, equation 61; the inputs from the sixth on are idle."""
    return 10 * np.sin(np.pi * u[:, 0] * u[:, 1]) + 20 * (u[:, 2] - 0.5) ** 2 + 10 * u[:, 3] + 5 * u[:, 4]


def robot_arm(u):
    """The reach of an arm of four segments; An and Owen (2001), Journal of Complexity 17, 588-607."""
    angles, lengths = np.cumsum(2 * np.pi * u[:, :4], axis=1), u[:, 4:8]
    return np.hypot((lengths * np.cos(angles)).sum(axis=1), (lengths * np.sin(angles)).sum(axis=1))


def sobol_g(u):
    """Sobol' (1993); a = (0, 1, 4.5, 9, 99, ...) of Saltelli, Chan and Scott (2000), Sensitivity Analysis."""
    a = np.array([0, 1, 4.5, 9, 99, 99, 99, 99])
    return ((np.abs(4 * u[:, :8] - 2) + a) / (1 + a)).prod(axis=1)


def _sum_of_products(w, order):
    """Over all sets of `order` columns: the elementary symmetric polynomial, column by column."""
    sums = [np.ones(len(w)), *(np.zeros(len(w)) for _ in range(order))]
    for column in w.T:
        for k in range(order, 0, -1):
            sums[k] = sums[k] + column * sums[k - 1]
    return sums[order]


def morris(u):
    """Morris (1991), Technometrics 33, 161-174, with the small coefficients (-1)^i and (-1)^(i + j) of Blatman and Sudret
    (2010), Reliability Engineering and System Safety 95, 1216-1229, in the place of random ones."""
    w = 2 * u[:, :20] - 1
    for k in [2, 4, 6]:
        w[:, k] = 2 * (1.1 * u[:, k] / (u[:, k] + 0.1) - 0.5)
    signs = (-1.0) ** np.arange(1, 21)
    pairs = _sum_of_products(signs * w, 2) - _sum_of_products(signs[:6] * w[:, :6], 2) - 15 * _sum_of_products(w[:, :6], 2)
    lines = 20 * w[:, :10].sum(axis=1) + w[:, 10:] @ signs[10:]
    return lines + pairs - 10 * _sum_of_products(w[:, :5], 3) + 5 * _sum_of_products(w[:, :4], 4)


def welch(u):
    """Welch et al. (1992), Technometrics 34, 15-25; two of the 20 inputs are idle."""
    x = np.column_stack([np.zeros(len(u)), u[:, :20] - 0.5]).T  # Counted from 1, as there.
    large = 5 * x[12] / (1 + x[1]) + 5 * (x[4] - x[20]) ** 2 + x[5] + 40 * x[19] ** 3 - 5 * x[19]
    small = 0.05 * x[2] + 0.08 * x[3] - 0.03 * x[6] + 0.03 * x[7] - 0.09 * x[9] - 0.01 * x[10] - 0.07 * x[11]
    return large + small + 0.25 * x[13] ** 2 - 0.04 * x[14] + 0.06 * x[15] - 0.01 * x[17] - 0.03 * x[18]


def loeppky(u):
    """Loeppky, Williams and Moore (2013), Technometrics 55, 68-78; three idle inputs."""
    x1, x2, x3, x4, x5, x6, x7 = u[:, :7].T
    lines = 6 * x1 + 4 * x2 + 5.5 * x3 + x4 + 0.5 * x5 + 0.2 * x6 + 0.1 * x7
    return lines + 3 * x1 * x2 + 2.2 * x1 * x3 + 1.4 * x2 * x3


def dette_pepelyshev(u):
    """Dette and Pepelyshev (2010), Technometrics 52, 421-429, equation 6: strongly curved in some inputs."""
    x1, x2, x3 = u[:, :3].T
    curved = 4 * (x1 - 2 + 8 * x2 - 8 * x2**2) ** 2 + (3 - 4 * x2) ** 2 + 16 * np.sqrt(x3 + 1) * (2 * x3 - 1) ** 2
    return curved + sum(k * np.log(1 + u[:, 2:k].sum(axis=1)) for k in range(4, 9))


SIMULATIONS = {
    "borehole": (borehole, 8),
    "otl_circuit": (otl_circuit, 6),
    "piston": (piston, 7),
    "wing_weight": (wing_weight, 10),
    "friedman": (friedman, 10),
    "robot_arm": (robot_arm, 8),
    "sobol_g": (sobol_g, 8),
    "dette_pepelyshev": (dette_pepelyshev, 8),
    "loeppky": (loeppky, 10),
    "morris": (morris, 20),
    "welch": (welch, 20),
}


def draw(name, rows, tested, level, seed):
    """(X, y) to fit and to test by; noise of `level` times the deviation of y on both."""
    function, d = SIMULATIONS[name]
    random = np.random.default_rng(seed)
    X = random.uniform(size=(rows + tested, d))
    y = function(X)
    y = y + level * y.std() * random.normal(size=len(y))
    return (X[:rows], y[:rows]), (X[rows:], y[rows:])


def design(name, rows, tested, level, seed):
    """(X, y) to fit by, a Latin hypercube with noise of `level` times the deviation of y, and uniform ones to test by,
    without noise."""
    function, d = SIMULATIONS[name]
    random = np.random.default_rng([seed, rows])
    X = qmc.LatinHypercube(d, rng=random).random(rows)
    X_test = random.uniform(size=(tested, d))
    y, y_test = function(X), function(X_test)
    return (X, y + level * y_test.std() * random.normal(size=rows)), (X_test, y_test)
