"""Scores as sums over partitions."""

from __future__ import annotations

import numpy as np

from ._partition_info import numbers_of
from ._table import rows_of


def r2(table, model):
    """R² = 1 − Σ w (y − ŷ)² / Σ w (y − ȳ)². Means and sums of squared deviations from them merge exactly."""
    parts = [part for part in _each(table, _squares, model) if part[0] > 0]
    weight = sum(part[0] for part in parts)
    if not weight:
        raise ValueError("the table has no row with a weight above 0.\nGive a table with at least two rows.")
    mean = sum(part[0] * part[1] for part in parts) / weight
    total = sum(squares + own * (center - mean) ** 2 for own, center, squares, _ in parts)
    residual = sum(part[3] for part in parts)
    return float(1 - residual / total) if total else float(residual == 0)


def accuracy(table, model):
    """The weighted fraction of rows that are predicted correctly."""
    parts = _each(table, _correct, model)
    weight = sum(own for own, _ in parts)
    if not weight:
        raise ValueError("the table has no row with a weight above 0.\nGive a table with at least one row.")
    return float(sum(correct for _, correct in parts) / weight)


def _each(table, function, model):
    import dask

    shared = dask.delayed(model)
    tasks = [
        dask.delayed(function)(partition, list(getattr(partition, "futures", {}).values()), shared)
        for partition in table.partitions
    ]
    return dask.compute(*tasks)


def _weights(rows):
    return np.ones(len(rows.X)) if rows.weights is None else numbers_of(rows.weights, "sample_weight")


def _squares(partition, found, model):
    rows = rows_of(partition, found)
    weights = _weights(rows)
    total = weights.sum()
    if not total:
        return 0.0, 0.0, 0.0, 0.0
    y = numbers_of(rows.y, "y")
    mean = weights @ y / total
    return total, mean, weights @ (y - mean) ** 2, weights @ (y - model.predict(rows.X)) ** 2


def _correct(partition, found, model):
    rows = rows_of(partition, found)
    weights = _weights(rows)
    correct = weights[model.predict(rows.X) == np.asarray(rows.y)] if len(weights) else weights
    return weights.sum(), correct.sum()
