"""
Classes, with calibrated probabilities
======================================

Predict the probability that a machine fails, and check how often machines with a predicted probability fail.

The log odds of a failure are 3 sin(2 load) + 2 temperature · age − 1. Humidity has no effect.
"""

# %%
# Fit
# ---
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import MainEffectDisplay, ShrimpClassifier
from sklearn.calibration import CalibrationDisplay


def machines(rows, seed):
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        random.uniform(-1, 1, (rows, 4)),
        columns=["load", "temperature", "age", "humidity"],
    )
    log_odds = 3 * np.sin(2 * X["load"]) + 2 * X["temperature"] * X["age"] - 1
    probability = 1 / (1 + np.exp(-log_odds))
    return X, np.where(random.uniform(size=rows) < probability, "fails", "works")


model = ShrimpClassifier(quick_error=True).fit(*machines(800, 1))
X_test, y_test = machines(20000, 2)
print(f"accuracy on test rows: {model.score(X_test, y_test):.3f}")
print(model.terms_[["term", "fraction"]].head(3).round(3).to_string(index=False))

# %%
# Plot
# ----
# Left: the effect of the load on the log odds of ``works``, the second class in sorted order. Right: observed fractions of failures
# against predicted probabilities, which lie on the diagonal if the probabilities are right.

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
MainEffectDisplay.from_estimator(model, "load", X_test[:500], ax=axes[0])
CalibrationDisplay.from_estimator(
    model,
    X_test,
    y_test,
    n_bins=10,
    strategy="quantile",
    pos_label="fails",
    name="machines",
    ax=axes[1],
)
axes[1].set(
    xlabel="predicted probability of failing", ylabel="fraction that failed"
)
plt.show()
