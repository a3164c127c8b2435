#!/usr/bin/env python3
"""Fits a table on the workers of a cluster, which in this example are two local processes.

    python examples/python/dask_cluster.py [ROWS]
"""

import sys

import dask.dataframe as dd
import numpy as np
import pandas as pd
import shrimp.dask
from distributed import Client, LocalCluster


def month(number, rows):
    """Readings of a pump in one month, which a worker would usually read from a file."""
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
    head = (frame.speed / 1000) ** 2 * (1.2 - 0.4 * frame.valve**2) + 0.2 * (frame.pump == "new")
    frame["power"] = 10 * head + 0.03 * frame.temperature + random.normal(0, 0.3, rows)
    return frame


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
    lengths = [rows // 78 * k for k in range(1, 13)]  # Partitions of very different sizes.
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        table = dd.from_map(month, range(12), lengths, meta=month(0, 1).iloc[:0])
        # A low memory limit: the search uses a sample of the rows, and workers send sufficient statistics of all rows.
        model = shrimp.dask.ShrimpRegressor(memory=0.4, max_order=2, transform="none", target_transform="identity")
        model.fit(table, "power")

        searched, all_rows = (model.model_.results[name] for name in ("rows_searched", "rows"))
        print(f"{all_rows:.0f} rows in {table.npartitions} partitions, {searched:.0f} of them in the search")
        print(f"\npasses: {', '.join(name for name, *_ in model.transfers_.passes)}")
        print("\nTerms:")
        terms = model.terms_.query("fraction > 0.001")[["term", "basis_functions", "fraction"]]
        print(terms.to_string(index=False, formatters={"fraction": "{:.1%}".format}))
        noise = 0.3**2
        print(f"\nvalidation MSE divided by the variance of the noise: {model.validation_mse_ / noise:.2f}")

        prediction = model.predict(table.drop(columns="power"))  # Lazy: nothing is computed yet.
        print(f"mean of all predictions {prediction.mean().compute():.2f}, of the target {table.power.mean().compute():.2f}")
        print(f"R² on all rows {model.score(table.drop(columns='power'), table.power):.3f}")
        model.save("pump.json")  # Read by `shrimp predict` and shrimp.ShrimpRegressor.load.


if __name__ == "__main__":
    main()
