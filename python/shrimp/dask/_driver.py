"""A fit from end to end, on one worker: inspects the partitions, then gathers rows or requests sufficient statistics."""

from __future__ import annotations

import dataclasses
import pickle
import warnings

import numpy as np

from .. import _core
from .._column_types import accepts_column_types
from ._engines import ClusterEngine, LocalEngine
from ._partition_info import merge_info
from ._partition_tasks import TableInfo

_GIB = 2**30

# Fraction of a worker's memory that a fit may use: above it, Dask's default is to move partitions to disk.
_MEMORY_FRACTION = 0.6

# Copies of gathered rows: the partitions, one table, numbers, and the fit's own matrix.
_COPIES = 4


@dataclasses.dataclass
class Outcome:
    """The state of the fitted estimator, its warnings, and the transfers between machines."""

    state: dict
    warnings: list
    transfers: object


def fit_here(table, validation, estimator, more):
    """Fit in this process, with Dask's local scheduler. `validation` is a table of validation rows, or None."""
    return _fit(LocalEngine(table), validation and LocalEngine(validation), estimator, more)


def fit_on_worker(payload):
    """Fit as a task on a cluster, with partitions given as futures."""
    from distributed import worker_client

    with worker_client() as client:
        table, validation, estimator, more = pickle.loads(payload)
        validation_engine = validation and ClusterEngine(validation, client)
        return _fit(ClusterEngine(table, client), validation_engine, _configured(estimator), more)


def _configured(estimator):
    """The estimator with the threads and the memory of the worker."""
    from distributed import get_worker

    worker = get_worker()
    if estimator.n_jobs is None:
        estimator.n_jobs = worker.state.nthreads
    limit = worker.memory_manager.memory_limit
    if limit and not estimator.memory:
        estimator.memory = _MEMORY_FRACTION * limit / _GIB
    return estimator


def _fit(engine, validation_engine, estimator, more):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        heading = merge_info(engine.inspect(accepts_column_types(estimator)))
        texts = estimator._texts()
        if validation_engine is None and _can_fit_by_sums(estimator, heading, texts, more):
            _fit_by_sums(engine, estimator, heading, texts)
        else:
            _refuse_too_many(estimator, heading)
            if validation_engine is not None:
                X, columns = _gathered(validation_engine)
                more = more | {"X_val": X, "y_val": columns["y"]}
            _fit_gathered(engine, estimator, more)
    return Outcome(vars(estimator), [(one.category, str(one.message)) for one in caught], engine.transfers)


def _can_fit_by_sums(estimator, heading, texts, more):
    is_regressor = not hasattr(estimator, "class_weight")
    return (
        is_regressor and not more and _core.fits_in_parts(texts) and _core.is_long(heading.rows, heading.width, texts)
    )


def _fit_by_sums(engine, estimator, heading, texts):
    table = engine.table
    if table.has_exposure:
        raise ValueError("exposure needs a model of counts.\nGive loss='poisson', or omit exposure.")
    info = TableInfo(heading.inputs, table.target, heading.column_types)
    result = estimator._run(
        lambda report: _core.fit_parts(
            lambda request: engine.request(request, info, heading),
            heading.rows,
            heading.inputs,
            table.target,
            "the table",
            heading.column_types,
            texts,
            report,
        )
    )
    estimator._take_fit(result)
    estimator._take_names(heading.inputs)
    if heading.names:  # Names in the table are kept even if they equal the default names.
        estimator.feature_names_in_ = np.asarray(heading.names, dtype=object)
    estimator._warn(result)


def _fit_gathered(engine, estimator, more):
    X, columns = _gathered(engine)
    y = columns["y"]
    if hasattr(y, "rename"):
        y = y.rename(engine.table.target)
    if columns["exposure"] is not None:
        more = more | {"exposure": columns["exposure"]}
    estimator.fit(X, y, columns["weights"], groups=columns["groups"], **more)


def _gathered(engine):
    parts = [rows for rows in engine.gather() if len(rows.X)]
    X = _stacked(_with_same_categories([rows.X for rows in parts]))
    return X, {name: _stacked([getattr(rows, name) for rows in parts]) for name in ("y", "weights", "groups", "exposure")}


def _refuse_too_many(estimator, heading):
    """Raise if the rows do not fit into the memory of the worker, before they are gathered."""
    available = getattr(estimator, "memory", 0) * _GIB
    needed = _COPIES * heading.bytes
    if not available or needed <= available:
        return
    what = f"method {estimator.method}" if hasattr(estimator, "method") else "a classifier"
    if getattr(estimator, "loss", "squared") != "squared":
        what = f"loss {estimator.loss}"
    raise ValueError(
        f"{what} needs all {heading.rows} rows on one worker: {needed / _GIB:.3g} GiB, but only "
        f"{available / _GIB:.3g} GiB may be used there.\n"
        "Give workers more memory, fit fewer rows, or use method auto with squared loss, which leaves rows on their workers."
    )


def _stacked(parts):
    if parts[0] is None:
        return None
    if not hasattr(parts[0], "iloc"):
        return np.concatenate([np.asarray(part) for part in parts])
    import pandas

    return pandas.concat(parts, ignore_index=True)


def _with_same_categories(parts):
    """Parts with equal categories in each categorical column: pandas would not keep different categories categorical."""
    if not hasattr(parts[0], "columns"):
        return parts
    from pandas.api.types import union_categoricals

    for name in parts[0].columns:
        if type(parts[0][name].dtype).__name__ != "CategoricalDtype":
            continue
        columns = [part[name] for part in parts]
        if any(type(column.dtype).__name__ != "CategoricalDtype" for column in columns):
            continue
        first = columns[0].cat.categories
        if all(column.cat.categories.equals(first) for column in columns):
            continue
        all_levels = union_categoricals([column.array for column in columns], ignore_order=True, sort_categories=True)
        parts = [part.assign(**{name: part[name].cat.set_categories(all_levels.categories)}) for part in parts]
    return parts
