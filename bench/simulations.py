"""Five functions of 6 to 10 inputs that stand for simulations, with noise, on uniform inputs in [0, 1]^d.

Borehole, OTL circuit, piston and wing weight: Surjanovic and Bingham, Virtual Library of Simulation Experiments.
"""

import numpy as np


def _between(u, bounds):
    return [low + (high - low) * u[:, j] for j, (low, high) in enumerate(bounds)]


def borehole(u):
    bounds = [(0.05, 0.15), (100, 50000), (63070, 115600), (990, 1110), (63.1, 116), (700, 820), (1120, 1680)]
    r_w, r, T_u, H_u, T_l, H_l, L, K_w = _between(u, [*bounds, (9855, 12045)])
    log = np.log(r / r_w)
    return 2 * np.pi * T_u * (H_u - H_l) / (log * (1 + 2 * L * T_u / (log * r_w**2 * K_w) + T_u / T_l))


def otl_circuit(u):
    b1, b2, f, c1, c2, beta = _between(u, [(50, 150), (25, 70), (0.5, 3), (1.2, 2.5), (0.25, 1.2), (50, 300)])
    gain = beta * (c2 + 9)
    return (12 * b2 / (b1 + b2) + 0.74) * gain / (gain + f) + 11.35 * f / (gain + f) + 0.74 * f * gain / ((gain + f) * c1)


def piston(u):
    bounds = [(30, 60), (0.005, 0.02), (0.002, 0.01), (1000, 5000), (90000, 110000), (290, 296), (340, 360)]
    M, S, V0, k, P0, Ta, T0 = _between(u, bounds)
    A = P0 * S + 19.62 * M - k * V0 / S
    V = S / (2 * k) * (np.sqrt(A**2 + 4 * k * P0 * V0 / T0 * Ta) - A)
    return 2 * np.pi * np.sqrt(M / (k + S**2 * P0 * V0 * Ta / (T0 * V**2)))


def wing_weight(u):
    bounds = [(150, 200), (220, 300), (6, 10), (-10, 10), (16, 45), (0.5, 1), (0.08, 0.18), (2.5, 6), (1700, 2500)]
    S_w, W_fw, A, sweep, q, taper, t_c, N_z, W_dg, W_p = _between(u, [*bounds, (0.025, 0.08)])
    cosine = np.cos(np.radians(sweep))
    lift = S_w**0.758 * W_fw**0.0035 * (A / cosine**2) ** 0.6 * q**0.006 * taper**0.04
    return 0.036 * lift * (100 * t_c / cosine) ** -0.3 * (N_z * W_dg) ** 0.49 + S_w * W_p


def friedman(u):
    return 10 * np.sin(np.pi * u[:, 0] * u[:, 1]) + 20 * (u[:, 2] - 0.5) ** 2 + 10 * u[:, 3] + 5 * u[:, 4]


SIMULATIONS = {
    "borehole": (borehole, 8),
    "otl_circuit": (otl_circuit, 6),
    "piston": (piston, 7),
    "wing_weight": (wing_weight, 10),
    "friedman": (friedman, 10),
}


def draw(name, rows, tested, level, seed):
    """(X, y) to fit and to test by; noise of `level` times the deviation of y on both."""
    function, d = SIMULATIONS[name]
    random = np.random.default_rng(seed)
    X = random.uniform(size=(rows + tested, d))
    y = function(X)
    y = y + level * y.std() * random.normal(size=len(y))
    return (X[:rows], y[:rows]), (X[rows:], y[rows:])
