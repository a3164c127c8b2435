"""
Streaming: rows that arrive later
=================================

Add new rows to a model without the old rows, and fit files that do not fit in memory.
"""

# %%
# Add rows with partial_fit
# -------------------------
# The first call selects the terms. Later calls keep the basis functions and fit their coefficients to all rows so
# far. They use sufficient statistics, whose size does not depend on the number of rows.

import pathlib
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import ShrimpRegressor

random = np.random.default_rng(0)


def readings(rows):
    X = pd.DataFrame(
        random.uniform(-1, 1, (rows, 4)), columns=["speed", "load", "angle", "wear"]
    )
    noise = random.normal(0, 0.5, rows)
    return X, np.sin(3 * X["speed"]) + X["load"] * X["angle"] + noise


X_test, y_test = readings(5000)
model = ShrimpRegressor(random_state=0, quick_error=True)
errors = []
for batch in range(8):
    model.partial_fit(*readings(400))
    noise = 0.25
    errors.append(np.mean((model.predict(X_test) - y_test) ** 2) - noise)
print("excess error after each batch:", np.round(errors, 4))

figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.loglog(400 * np.arange(1, 9), errors, "o-")
ax.set(xlabel="rows so far", ylabel="excess mean squared error")
plt.show()

# %%
# Fit a file block by block
# -------------------------
# ``fit_table`` reads a CSV, Parquet or Arrow file in blocks. ``predict_table`` returns predictions in blocks.

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "readings.csv"
    X, y = readings(3000)
    X.assign(drift=y).to_csv(file, index=False)
    model = ShrimpRegressor(random_state=0, quick_error=True).fit_table(
        file, target="drift"
    )
    predictions = np.concatenate(list(model.predict_table(file)))
r2 = 1 - np.var(y - predictions) / np.var(y)
print(f"{len(predictions)} predictions, R² {r2:.3f}")
