"""
Surrogate of a simulation, and its sensitivity
==============================================

Replace an expensive simulation by a model, find the inputs that matter, and see how they act.

The simulation is the borehole function: the water flow through a borehole as a function of eight inputs.
"""

# %%
# Run the simulation
# ------------------
# 200 runs at random inputs train the model; 2000 more test it.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import (
    InteractionDisplay,
    MainEffectDisplay,
    ShrimpRegressor,
    TermsDisplay,
)

LIMITS = {
    "r_w": (0.05, 0.15),  # radius of the borehole, m
    "r": (100, 50000),  # radius of influence, m
    "T_u": (63070, 115600),  # transmissivity of the upper aquifer, m²/year
    "H_u": (990, 1110),  # head of the upper aquifer, m
    "T_l": (63.1, 116),  # transmissivity of the lower aquifer, m²/year
    "H_l": (700, 820),  # head of the lower aquifer, m
    "L": (1120, 1680),  # length of the borehole, m
    "K_w": (9855, 12045),  # hydraulic conductivity, m/year
}


def simulate(x):
    """Flow in m³/year."""
    log = np.log(x["r"] / x["r_w"])
    resistance = log * (
        1
        + 2 * x["L"] * x["T_u"] / (log * x["r_w"] ** 2 * x["K_w"])
        + x["T_u"] / x["T_l"]
    )
    return 2 * np.pi * x["T_u"] * (x["H_u"] - x["H_l"]) / resistance


random = np.random.default_rng(0)
X = pd.DataFrame(
    {name: random.uniform(*limits, 2200) for name, limits in LIMITS.items()}
)
y = simulate(X).rename("flow")
X_train, y_train, X_test, y_test = X[:200], y[:200], X[200:], y[200:]

# %%
# Fit
# ---
model = ShrimpRegressor(random_state=0, quick_error=True).fit(X_train, y_train)
print(f"R² on {len(X_test)} new points: {model.score(X_test, y_test):.5f}")

# %%
# Which inputs drive the flow?
# ----------------------------
# A first Sobol' index is the fraction of variance that an input explains alone. A total index adds the interactions of the input.
# Both assume independent inputs, here uniform over the training ranges.

sensitivity = model.sensitivity("uniform")
print(
    sensitivity.inputs[["input", "first", "total"]].round(3).to_string(index=False)
)

# %%
# How do they act?
# ----------------
figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
TermsDisplay.from_estimator(model, min_fraction=0.005, ax=axes[0])
MainEffectDisplay.from_estimator(model, "r_w", X_train, ax=axes[1])
InteractionDisplay.from_estimator(model, ax=axes[2])
plt.show()

# %%
# Gradients
# ---------
# The gradient at the centre of the ranges, times the range of each input, in m³/year:

centre = pd.DataFrame({name: [np.mean(limits)] for name, limits in LIMITS.items()})
change = model.gradient(centre)[0] * [high - low for low, high in LIMITS.values()]
print(pd.Series(change, index=list(LIMITS)).round(1).to_string())
