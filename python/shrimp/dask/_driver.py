"""A fit from end to end, on a worker: it looks at the partitions, and then gathers their rows or asks for sums."""

from __future__ import annotations

import dataclasses
import pickle
import warnings

import numpy as np

from .. import _core
from .._kinds import takes_kinds
from ._answers import Asked
from ._engines import ClusterEngine, LocalEngine
from ._facts import merge_facts

_GIB = 2**30

# Of a worker's memory, what a fit may use: above it Dask moves partitions to the disk.
_SHARE = 0.6

# Rows that are gathered lie there as they came, in one table, as numbers, and as the fit has them.
_COPIES = 4


@dataclasses.dataclass
class Outcome:
    """What a fitted estimator knows, what it warned of, and what travelled for it."""

    state: dict
    warnings: list
    travel: object


def fit_here(table, judging, estimator, more):
    """The fit in this process, by Dask's scheduler of one machine. `judging` has rows to choose the model by, or is None."""
    return _fit(LocalEngine(table), judging and LocalEngine(judging), estimator, more)


def fit_on_worker(payload):
    """The same as a task of a cluster, to which the partitions are known by their futures."""
    from distributed import worker_client

    with worker_client() as client:
        table, judging, estimator, more = pickle.loads(payload)
        judges = judging and ClusterEngine(judging, client)
        return _fit(ClusterEngine(table, client), judges, _suited(estimator), more)


def _suited(estimator):
    """By the threads and the memory that the worker has."""
    from distributed import get_worker

    worker = get_worker()
    if estimator.n_jobs is None:
        estimator.n_jobs = worker.state.nthreads
    limit = worker.memory_manager.memory_limit
    if limit and not estimator.memory:
        estimator.memory = _SHARE * limit / _GIB
    return estimator


def _fit(engine, judges, estimator, more):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        heading = merge_facts(engine.look(takes_kinds(estimator)))
        texts = estimator._texts()
        if judges is None and _fits_by_sums(estimator, heading, texts, more):
            _fit_by_sums(engine, estimator, heading, texts)
        else:
            _refuse_too_many(estimator, heading)
            if judges is not None:
                X, columns = _gathered(judges)
                more = more | {"X_val": X, "y_val": columns["y"]}
            _fit_gathered(engine, estimator, more)
    return Outcome(vars(estimator), [(one.category, str(one.message)) for one in caught], engine.travel)


def _fits_by_sums(estimator, heading, texts, more):
    is_regressor = not hasattr(estimator, "class_weight")
    return (
        is_regressor and not more and _core.fits_in_parts(texts) and _core.is_long(heading.rows, heading.width, texts)
    )


def _fit_by_sums(engine, estimator, heading, texts):
    table = engine.table
    if table.has_exposure:
        raise ValueError("exposure is for counts.\nGive loss='poisson' with it.")
    asked = Asked(heading.inputs, table.target, heading.kinds)
    result = estimator._run(
        lambda told: _core.fit_parts(
            lambda question: engine.ask(question, asked, heading),
            heading.rows,
            heading.inputs,
            table.target,
            "the table",
            heading.kinds,
            texts,
            told,
        )
    )
    estimator._take_fit(result)
    estimator._take_names(heading.inputs)
    if heading.names:  # Though they may be those that columns without names have.
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
    """Before the rows travel."""
    available = getattr(estimator, "memory", 0) * _GIB
    needed = _COPIES * heading.bytes
    if not available or needed <= available:
        return
    what = f"method {estimator.method}" if hasattr(estimator, "method") else "a classifier"
    if getattr(estimator, "loss", "squared") != "squared":
        what = f"loss {estimator.loss}"
    raise ValueError(
        f"{what} needs all {heading.rows} rows on one worker, which takes {needed / _GIB:.3g} GiB of the "
        f"{available / _GIB:.3g} GiB that may be used there.\n"
        "Give workers more memory, fewer rows, or method auto with the squared loss, which needs sums over rows alone."
    )


def _stacked(parts):
    if parts[0] is None:
        return None
    if not hasattr(parts[0], "iloc"):
        return np.concatenate([np.asarray(part) for part in parts])
    import pandas

    return pandas.concat(parts, ignore_index=True)


def _with_same_categories(parts):
    """Of a categorical column whose categories differ, every part gets all: else they would be no categories together."""
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
