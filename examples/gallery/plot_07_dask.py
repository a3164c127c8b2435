"""
Dask: a table on the workers of a cluster
=========================================

Fit a table whose partitions stay on the workers of a cluster. Here the cluster consists of two threads of this machine.
"""

# %%
# Make a table of partitions
# --------------------------
# Each worker makes its own partition: the readings of a pump in one month. On a cluster it would read a file.

import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import shrimp.dask
from distributed import Client
from shrimp import MainEffectDisplay


def month(number, rows):
    random = np.random.default_rng(number)
    frame = pd.DataFrame(
        {
            "speed": random.uniform(900, 1500, rows),
            "valve": random.uniform(0.2, 1, rows),
            "temperature": random.normal(20, 6, rows),
            "humidity": random.uniform(20, 90, rows),
            "pump": pd.Categorical(random.choice(["old", "new"], rows)),
        }
    )
    head = (frame.speed / 1000) ** 2 * (1.2 - 0.4 * frame.valve**2)
    head += 0.2 * (frame.pump == "new")
    noise = random.normal(0, 0.3, rows)
    frame["power"] = 10 * head + 0.03 * frame.temperature + noise
    return frame


client = Client(
    processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None
)
table = dd.from_map(
    month, range(12), [500 * k for k in range(1, 13)], meta=month(0, 1).iloc[:0]
)

# %%
# Fit
# ---
# A small limit on the memory makes the fit select terms on a sample. The coefficients come from sums over all rows, which
# the workers compute.

model = shrimp.dask.ShrimpRegressor(
    memory=0.4,
    max_order=2,
    input_transform="none",
    target_transform="identity",
    quick_error=True,
)
model.fit(table, "power")
results = model.model_.results
rows, searched = int(results["rows"]), int(results["rows_searched"])
print(f"{rows} rows in {table.npartitions} partitions, {searched} in the search")
print(f"passes: {', '.join(name for name, *_ in model.transfers_.passes)}")
print(
    model.terms_.query("fraction > 0.001")[["term", "fraction"]]
    .round(3)
    .to_string(index=False)
)

# %%
# Predict
# -------
# Predictions are lazy: the workers compute them when they are needed.

inputs = table.drop(columns="power")
print(f"R² on all rows: {model.score(inputs, table.power):.3f}")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
MainEffectDisplay.from_estimator(model, "speed", ax=axes[0])
MainEffectDisplay.from_estimator(model, "valve", ax=axes[1])
plt.show()
client.close()
