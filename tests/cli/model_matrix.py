"""The dictionary of a model file, rebuilt in NumPy."""

import json

import numpy as np

FUNCTIONS = {
    "cos": np.cos,
    "sin": np.sin,
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "identity": lambda z: z,
}


def read_model(path):
    return json.loads(path.read_text())


def factor(kernel, gamma, gap):
    """The kernel of one input; Gaussian without a name."""
    if kernel is None:
        return np.exp(-gamma * gap**2)
    r = gamma * np.abs(gap)
    return {"matern-3/2": 1 + r, "laplacian": 1}[kernel] * np.exp(-r)


def section(model, feature, z):
    """x -> K(x, centre): the elementary symmetric polynomial of the kernels of one input, input by input."""
    degree = model["kernel_order"] or len(feature["variables"])
    polynomials = [np.ones(len(z))] + [np.zeros(len(z)) for _ in range(degree)]
    for variable, centre in zip(feature["variables"], feature["weights"]):
        kappa = factor(model.get("kernel"), model["gamma"][variable], z[:, variable] - centre)
        for k in range(degree, 0, -1):
            polynomials[k] = polynomials[k] + kappa * polynomials[k - 1]
    return polynomials[degree]


def matrix(model, x):
    """A and c of a model that was read, for inputs in their own units."""
    scaling = model["scaling"]
    z = (x - np.array(scaling["input_mean"])) / np.array(scaling["input_scale"])
    columns, coefficients = [], []
    for feature in model["features"]:
        projection = z[:, feature["variables"]] @ np.array(feature["weights"]) + feature.get("phase", 0.0)
        for name, function in FUNCTIONS.items():
            if name in feature:
                columns.append(function(projection))
                coefficients.append(feature[name])
        if "kernel" in feature:
            columns.append(section(model, feature, z))
            coefficients.append(feature["kernel"])
    return np.array(columns).reshape(-1, len(x)).T, np.array(coefficients)


def predict(model, x):
    A, c = matrix(model, x)
    return model["scaling"]["target_mean"] + model["scaling"]["target_scale"] * (A @ c)
