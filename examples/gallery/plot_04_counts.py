"""
Counts with an exposure
=======================

Model the number of faults of machines that ran for different times. The model predicts a rate: faults in one hour.

The true rate is exp(load − 1) faults an hour. The other inputs have no effect.
"""

# %%
# Fit a Poisson model
# -------------------
# ``exposure`` is the number of hours over which the faults of a row were counted.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import ShrimpRegressor
from sklearn.metrics import mean_poisson_deviance

random = np.random.default_rng(0)
X = pd.DataFrame(
    random.uniform(-1, 1, (1200, 3)), columns=["load", "age", "humidity"]
)
hours = random.choice([1.0, 2.0, 5.0, 10.0], len(X))
rate = np.exp(X["load"] - 1)
faults = pd.Series(random.poisson(hours * rate), name="faults")
train, test = slice(0, 800), slice(800, None)

model = ShrimpRegressor(loss="poisson", quick_error=True).fit(
    X[train], faults[train], exposure=hours[train]
)
print(model.terms_[["term", "fraction"]].head(2).round(3).to_string(index=False))

expected = model.predict(X[test]) * hours[test]
constant = faults[train].sum() / hours[train].sum() * hours[test]
print(f"deviance on test rows: {mean_poisson_deviance(faults[test], expected):.3f}")
deviance = mean_poisson_deviance(faults[test], constant)
print(f"deviance of a constant rate: {deviance:.3f}")

# %%
# Compare with the true rate
# --------------------------
figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
order = X["load"][test].to_numpy().argsort()
ax.plot(
    X["load"][test].to_numpy()[order],
    rate[test].to_numpy()[order],
    label="true rate",
)
predicted = model.predict(X[test])
ax.plot(X["load"][test], predicted, ".", markersize=3, label="predicted rate")
ax.set(xlabel="load", ylabel="faults an hour")
ax.legend(frameon=False)
plt.show()
