"""
A figure of the paper: lottery tickets in random features
=========================================================

Pruning by magnitude, with a new fit after each step, reduces the test error by orders of magnitude before it rises. Pruning at random, or
without new fits, does not.

``shrimp experiment`` reproduces the paper's tables and figures at full size: :doc:`/explanation/reproduction`.
"""

# %%
# Three ways to prune
# -------------------
# The target is a product of two of ten inputs. All three ways start from the same random features.

import matplotlib.pyplot as plt
import numpy as np
from shrimp import NaivePruneRegressor, RandomPruneRegressor, ShrimpRegressor

X = np.random.default_rng(0).uniform(-1, 1, (1140, 10))
y = (2 * X[:, 0] - 1) * (2 * X[:, 1] - 1)
train, test = slice(0, 140), slice(140, None)
options = {"order": 2, "features": 1000, "standardize": False}
ways = {
    "by magnitude (SHRIMP)": ShrimpRegressor(method="shrimp", **options),
    "at random": RandomPruneRegressor(**options),
    "by magnitude, without new fits": NaivePruneRegressor(**options),
}
paths = {
    name: way.fit(X[train], y[train], X_val=X[test], y_val=y[test]).path_
    for name, way in ways.items()
}
for name, path in paths.items():
    best = path.loc[path["validation_mse"].idxmin()]
    error, left = best["validation_mse"], best["basis_functions"]
    drawn = path["basis_functions"][0]
    print(f"{name:31} test error {error:.1e} at {left} of {drawn} basis functions")

# %%
# Plot
# ----
figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
for name, path in paths.items():
    ax.loglog(path["basis_functions"], path["validation_mse"], label=name)
ax.invert_xaxis()
ax.set(xlabel="basis functions kept", ylabel="test error (MSE)")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, loc="lower left")
plt.show()
