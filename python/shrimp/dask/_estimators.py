"""Estimators that take Dask's collections, and are those of one machine in all else."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _classifier, _regressors
from ._driver import fit_here, fit_on_worker
from ._scoring import accuracy, r2
from ._table import Table, is_collection


class _OnDask:
    """Fits where the partitions are, and predicts lazily."""

    def fit(self, X, y, sample_weight=None, X_val=None, y_val=None, groups=None, **more):
        """Fit the model to the rows of a Dask dataframe or array, which stay on the workers.

        By method auto, a table of more rows than are searched at once (50,000, fewer where workers have little memory)
        is looked at in three passes: its lengths, some rows drawn at random, and sums over all rows of the columns that
        these made. Other tables, methods and losses have their rows gathered on one worker, where they must fit. The model
        is that of the same rows in one table, in the order of the partitions.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array of shape (n_samples, n_features)
            What is not of Dask is fitted in this process, as by the estimator of one machine.
        y : dask Series or Array with the partitions of X, or str
            The target, or the name of a column of X, which is then no input.
        sample_weight, groups : the same, default=None
            As for the estimator of one machine.
        X_val, y_val : array-like or Dask collections, default=None
            Rows to choose the model by; all rows are then gathered on one worker.
        exposure : as sample_weight, default=None
            For counts, by the regressor alone.

        Returns
        -------
        self
        """
        if not is_collection(X):
            return super().fit(X, y, sample_weight, X_val, y_val, groups, **more)
        table = Table.of(X, y, sample_weight, groups, more.pop("exposure", None))
        judging = Table.of(X_val, y_val) if is_collection(X_val) else None
        if judging is None and (X_val is not None or y_val is not None):
            more |= {"X_val": X_val, "y_val": y_val}
        outcome = _run(table, judging, self._twin(), more)
        self._take_outcome(outcome)
        return self

    def predict(self, X, *more, **options):
        """Predict each row: lazily, as a Dask series or array, where X is of Dask.

        A Dask dataframe gives a series with its index, an array an array. What else `predict` can give, as deviations,
        is for rows in memory.
        """
        if not is_collection(X):
            return super().predict(X, *more, **options)
        if more or options:
            raise TypeError("predict of a Dask collection gives predictions alone.\nGive rows in memory for more.")
        return self._lazily("predict", X, self.model_.target if "model_" in vars(self) else "y", self._kind_of_prediction())

    def _lazily(self, method, X, name, dtype):
        check_is_fitted(self)
        twin = self._twin(fitted=True)
        if hasattr(X, "chunks"):
            X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
            return X.map_blocks(_predict_block, twin, method, drop_axis=1, dtype=dtype, meta=np.empty(0, dtype=dtype))
        import pandas

        meta = pandas.Series(np.empty(0, dtype=dtype), name=name)
        return X.map_partitions(_predict_frame, twin, method, name, meta=meta)

    def _inputs(self, X):
        if is_collection(X):
            raise TypeError("this takes rows in memory.\nGive some of them: X.head(1000), or X.partitions[0].compute().")
        return super()._inputs(X)

    def _twin(self, fitted=False):
        """The estimator of one machine, which workers know, too."""
        twin = self._of_one_machine(**self.get_params(deep=False))
        if fitted:
            vars(twin).update(vars(self))
            vars(twin).pop("travel_", None)
        return twin

    def _take_outcome(self, outcome):
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        own = self.get_params(deep=False)
        vars(self).update({name: value for name, value in outcome.state.items() if name not in own})
        self.travel_ = outcome.travel
        if self.verbose:
            outcome.travel.print()
        for category, words in outcome.warnings:
            warnings.warn(words, category, stacklevel=3)


class ShrimpRegressor(_OnDask, _regressors.ShrimpRegressor):
    """`shrimp.ShrimpRegressor` for tables that Dask holds in partitions, on any number of machines.

    Parameters, attributes and model files are those of `shrimp.ShrimpRegressor`. Beside these, `travel_` tells what a fit
    sent between machines.
    """

    _of_one_machine = _regressors.ShrimpRegressor

    def _kind_of_prediction(self):
        return np.dtype(np.float64)

    def score(self, X, y, sample_weight=None):
        """R² of the predictions; sums over partitions, where X is of Dask."""
        if not is_collection(X):
            return super().score(X, y, sample_weight)
        check_is_fitted(self)
        return r2(Table.of(X, y, sample_weight), self._twin(fitted=True))


class ShrimpClassifier(_OnDask, _classifier.ShrimpClassifier):
    """`shrimp.ShrimpClassifier` for tables that Dask holds in partitions.

    Its rows are gathered on one worker, where they must fit; predictions are lazy. Parameters, attributes and model files
    are those of `shrimp.ShrimpClassifier`.
    """

    _of_one_machine = _classifier.ShrimpClassifier

    def _kind_of_prediction(self):
        return self.classes_.dtype

    def predict_proba(self, X):
        """The probability of each class: lazily, as a Dask array or dataframe, where X is of Dask."""
        if not is_collection(X):
            return super().predict_proba(X)
        check_is_fitted(self)
        twin = self._twin(fitted=True)
        count = len(self.classes_)
        if hasattr(X, "chunks"):
            X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
            chunks = (X.chunks[0], (count,))
            return X.map_blocks(_predict_block, twin, "predict_proba", chunks=chunks, dtype=float, meta=np.empty((0, count)))
        import pandas

        names = [str(name) for name in self.classes_]
        meta = pandas.DataFrame(np.empty((0, count)), columns=names)
        return X.map_partitions(_predict_frame, twin, "predict_proba", names, meta=meta)

    def score(self, X, y, sample_weight=None):
        """The share of rows whose class is predicted; sums over partitions, where X is of Dask."""
        if not is_collection(X):
            return super().score(X, y, sample_weight)
        check_is_fitted(self)
        return accuracy(Table.of(X, y, sample_weight), self._twin(fitted=True))


def _run(table, judging, estimator, more):
    client = _client()
    if client is None:
        return fit_here(table, judging, estimator, more)
    import cloudpickle
    from distributed import CancelledError, KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    estimator.verbose = 0  # A bar would run on the worker's terminal.
    table = table.on(client)  # It holds partitions until the fit is over.
    judging = judging and judging.on(client)
    payload = cloudpickle.dumps((table, judging, estimator, more))
    future = client.submit(fit_on_worker, payload, pure=False)
    try:
        return future.result()
    except (CancelledError, CommClosedError, FutureCancelledError) as error:
        raise ConnectionError(
            f"the connection to the cluster was lost, and with it the fit: {error}\nConnect again, and fit again."
        ) from error
    except KilledWorker as error:
        raise RuntimeError(
            f"workers were lost again and again while the model was fitted, most likely for want of memory: {error}\n"
            "Give them more, or smaller partitions."
        ) from error
    except BaseException:
        future.cancel()
        raise


def _client():
    """The client of a cluster that is the current one, if there is any."""
    try:
        from distributed import Client
    except ImportError:
        return None
    try:
        client = Client.current(allow_global=True)
    except ValueError:
        return None
    if client.asynchronous:
        raise TypeError("the client is asynchronous.\nGive a synchronous one: Client(..., asynchronous=False).")
    return client


def _predict_block(block, twin, method):
    if not len(block):
        return np.empty(0) if method == "predict" else np.empty((0, len(twin.classes_)))
    return getattr(twin, method)(block)


def _predict_frame(frame, twin, method, name):
    import pandas

    index = frame.index
    if method == "predict":
        kind = twin.classes_.dtype if hasattr(twin, "classes_") else np.float64
        values = twin.predict(frame) if len(frame) else np.empty(0, dtype=kind)
        return pandas.Series(values, index=index, name=name)
    values = getattr(twin, method)(frame) if len(frame) else np.empty((0, len(name)))
    return pandas.DataFrame(values, index=index, columns=name)
