"""What a fit of a model's columns to rows gives, by NumPy's least squares on columns that are rebuilt from the model file."""

import numpy as np
import pytest

from model_matrix import matrix


def entered(model, x):
    """Inputs as features see them but for mean and scale."""
    scaling = model["scaling"]
    if "input_lowest" in scaling:
        x = np.clip(x, scaling["input_lowest"], scaling["input_highest"])
    x = x.copy()
    for j, warp in enumerate(scaling.get("input_transforms", [])):
        if warp["type"] == "log":
            x[:, j] = np.log(np.abs(x[:, j]))
        elif warp["type"] == "rank":
            x[:, j] = np.interp(x[:, j], warp["values"], warp["ranks"])
    return x


def formed(model, y):
    return {"log": np.log, "sqrt": np.sqrt}.get(model["scaling"].get("target_transform"), np.asarray)(y)


def penalty_rows(model, columns):
    """B with ‖B c‖² the penalty."""
    if "penalty" not in model:
        return np.zeros((0, columns))
    scales = np.array([f["scale"] for f in model["features"] for name in f if name in ("cos", "sin", "identity", "kernel", "step")])
    is_kernel = np.array([name == "kernel" for f in model["features"] for name in f if name in ("cos", "sin", "identity", "kernel", "step")])
    P = np.eye(columns)
    if is_kernel.any():
        centres = np.zeros((is_kernel.sum(), len(model["inputs"])))
        for row, feature in zip(centres, [f for f in model["features"] if "kernel" in f]):
            row[feature["variables"]] = feature["weights"]
        plain = model | {"features": [f for f in model["features"] if "kernel" in f]}
        plain["scaling"] = {"input_mean": [0.0] * len(model["inputs"]), "input_scale": [1.0] * len(model["inputs"])}
        K, _ = matrix(plain, centres)
        P[np.ix_(is_kernel, is_kernel)] = np.linalg.cholesky(K + 1e-8 * np.eye(len(K))).T
    return np.sqrt(model["penalty"]["ridge"]) * P / scales


def expected_fit(model, x, y, weights=None):
    """Constant and coefficients, in the target's (formed) units over its scale."""
    scaling = model["scaling"]
    A, _ = matrix(model, entered(model, x))
    w = np.ones(len(y)) if weights is None else weights
    z = formed(model, y)
    grows = model["method"] == "auto"
    kept = model["options"]["no-standardize"] == "true"
    mean = scaling["target_mean"] if kept else np.average(z, weights=w)
    means = np.average(A, axis=0, weights=w) if grows else np.zeros(A.shape[1])
    B = penalty_rows(model, A.shape[1])
    left = np.vstack([np.sqrt(w)[:, None] * (A - means), B])
    right = np.concatenate([np.sqrt(w) * (z - mean) / scaling["target_scale"], np.zeros(len(B))])
    c = np.linalg.lstsq(left, right, rcond=1e-14)[0]
    return mean / scaling["target_scale"] - means @ c, c


def fitted(model):
    constant = model["scaling"]["target_mean"] / model["scaling"]["target_scale"]
    return constant, matrix(model, np.zeros((1, len(model["inputs"]))))[1]


def assert_same_fit(model, expected, tolerance=1e-9):
    constant, c = fitted(model)
    assert constant == pytest.approx(expected[0], rel=tolerance)
    assert np.abs(c - expected[1]).max() <= tolerance * np.abs(expected[1]).max()
