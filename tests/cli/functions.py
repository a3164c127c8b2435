"""The paper's test functions f1 … f7 and their sampling (paper, Section 4.1 and appendix A).

f4 and f5 as the text prints them; the published tables used other functions in their place.
"""

import numpy as np


def f1(x):
    return x[:, :-1].sum(axis=1) + np.exp(-x[:, -1])


def f2(x):
    return np.cos(x[:, 0]) + np.sin(x[:, 1])


def f3(x):
    return (2 * x[:, 0] - 1) * (2 * x[:, 1] - 1)


def f4(x):
    a, b, c = (2 * x[:, k] - 1 for k in range(3))
    return a * b + a * c + b * c


def f5(x):
    return np.sinc(x[:, 0]) * np.sinc(x[:, 2]) ** 3 + np.sinc(x[:, 1])


def f6(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def f7(x):
    return np.cos(x[:, 0]) * x[:, 2] + x[:, 1] ** 2 * x[:, 3] + x[:, 2:].sum(axis=1)


FUNCTIONS = {"f1": (f1, 1), "f2": (f2, 1), "f3": (f3, 2), "f4": (f4, 2), "f5": (f5, 3), "f6": (f6, 2), "f7": (f7, 2)}


def sample(name, rows, inputs, seed):
    """Uniform points on [-1, 1]^d ([-pi, pi]^d for f6) and the function's values."""
    function, _ = FUNCTIONS[name]
    half_width = np.pi if name == "f6" else 1.0
    x = np.random.default_rng(seed).uniform(-half_width, half_width, (rows, inputs))
    return x, function(x)


def write_csv(path, x, y, names=None):
    """Numbers in full precision, inputs x1 … xd and the target y."""
    names = names or [f"x{k + 1}" for k in range(x.shape[1])]
    with open(path, "w") as file:
        file.write(",".join([*names, "y"]) + "\n")
        for row, target in zip(x, y):
            file.write(",".join(repr(float(value)) for value in [*row, target]) + "\n")
