"""Estimators that accept Dask's collections, and otherwise are those of one machine."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _classifier, _regressors
from .._deprecated import alias
from .._parameters import document_parameters
from ._driver import fit_here, fit_on_worker
from ._scoring import accuracy, r2
from ._table import Table, is_collection


class _OnDask:
    """Fits where the partitions are, and predicts lazily."""

    travel_ = alias("travel_", "transfers_")

    def fit(self, X, y, sample_weight=None, X_val=None, y_val=None, groups=None, **more):
        """Fit the model to the rows of a Dask dataframe or array.

        With method auto and squared loss, rows of a long table stay on the workers. A table is long if it has more rows
        than the search uses (50,000, fewer if workers have little memory). It is then read in three passes: lengths and
        column types, a random sample of rows, and sufficient statistics of all rows. For other tables, methods and
        losses, the rows are gathered on one worker and must fit into its memory. The model is that of the same rows in
        one table, in the order of the partitions.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array of shape (n_samples, n_features)
            Inputs. Other tables are fitted in this process, as by the estimator of one machine.
        y : dask.dataframe.Series, dask.array.Array or str
            Target with the partitions of X, or the name of a column of X, which is then not an input.
        sample_weight : dask.dataframe.Series, dask.array.Array or str, default=None
            Row weights.
        X_val : array-like, dataframe or Dask collection, default=None
            Validation rows. All rows are then gathered on one worker.
        y_val : array-like or Dask collection, default=None
            Target of the validation rows.
        groups : dask.dataframe.Series, dask.array.Array or str, default=None
            Group labels of dependent rows.
        **more : dict
            `exposure` of counts, for the regressor, given as `sample_weight`.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        if not is_collection(X):
            return super().fit(X, y, sample_weight, X_val, y_val, groups, **more)
        table = Table.of(X, y, sample_weight, groups, more.pop("exposure", None))
        validation = Table.of(X_val, y_val) if is_collection(X_val) else None
        if validation is None and (X_val is not None or y_val is not None):
            more |= {"X_val": X_val, "y_val": y_val}
        outcome = _run(table, validation, self._twin(), more)
        self._take_outcome(outcome)
        return self

    def predict(self, X, *more, **options):
        """Predict each row, lazily for Dask collections.

        Parameters
        ----------
        X : array-like, dataframe or Dask collection of shape (n_samples, n_features)
            Inputs.
        *more, **options
            Other arguments of `predict` of the estimator of one machine, for rows in memory only.

        Returns
        -------
        prediction : ndarray, dask.dataframe.Series or dask.array.Array of shape (n_samples,)
            A Dask series with the index of X for a Dask dataframe, a Dask array for a Dask array.
        """
        if not is_collection(X):
            return super().predict(X, *more, **options)
        if more or options:
            raise TypeError("predict accepts only X for a Dask collection.\nGive rows in memory for other arguments.")
        return self._lazily("predict", X, self.model_.target if "model_" in vars(self) else "y", self._dtype_of_prediction())

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
            raise TypeError("this method needs rows in memory, but X is a Dask collection.\nGive some rows: X.head(1000), or X.partitions[0].compute().")
        return super()._inputs(X)

    def _twin(self, fitted=False):
        """The estimator of one machine with the same parameters, which workers can import."""
        twin = self._of_one_machine(**self.get_params(deep=False))
        if fitted:
            vars(twin).update(vars(self))
            vars(twin).pop("transfers_", None)
        return twin

    def _take_outcome(self, outcome):
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        own = self.get_params(deep=False)
        vars(self).update({name: value for name, value in outcome.state.items() if name not in own})
        self.transfers_ = outcome.transfers
        if self.verbose:
            outcome.transfers.print()
        for category, message in outcome.warnings:
            warnings.warn(message, category, stacklevel=3)


@document_parameters
class ShrimpRegressor(_OnDask, _regressors.ShrimpRegressor):
    """`shrimp.ShrimpRegressor` for tables in Dask's partitions, on any number of machines.

    Parameters, attributes and model files are those of `shrimp.ShrimpRegressor`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    transfers_ : Transfers
        Data that the fit transferred between machines: `passes` with the bytes of each pass, and their sum `bytes`.

    See Also
    --------
    shrimp.ShrimpRegressor : The estimator of one machine, with the documentation of attributes.

    Examples
    --------
    >>> import dask.array, numpy as np
    >>> from shrimp.dask import ShrimpRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
    >>> rows, target = (dask.array.from_array(values, chunks=50) for values in (X, X[:, 0] - X[:, 1]))
    >>> model = ShrimpRegressor(method="lasso").fit(rows, target)
    >>> model.predict(rows).compute().shape
    (100,)
    """

    _of_one_machine = _regressors.ShrimpRegressor

    def _dtype_of_prediction(self):
        return np.dtype(np.float64)

    def score(self, X, y, sample_weight=None):
        """R² of the predictions. For Dask collections it is computed from sums over partitions.

        Parameters
        ----------
        X : array-like, dataframe or Dask collection of shape (n_samples, n_features)
            Inputs.
        y : array-like, Dask collection or str
            Target, or the name of its column in X.
        sample_weight : array-like, Dask collection or str, default=None
            Row weights.

        Returns
        -------
        score : float
            R².
        """
        if not is_collection(X):
            return super().score(X, y, sample_weight)
        check_is_fitted(self)
        return r2(Table.of(X, y, sample_weight), self._twin(fitted=True))


@document_parameters
class ShrimpClassifier(_OnDask, _classifier.ShrimpClassifier):
    """`shrimp.ShrimpClassifier` for tables in Dask's partitions.

    Rows are gathered on one worker and must fit into its memory; predictions are lazy. Parameters, attributes and model
    files are those of `shrimp.ShrimpClassifier`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    transfers_ : Transfers
        Data that the fit transferred between machines: `passes` with the bytes of each pass, and their sum `bytes`.

    See Also
    --------
    shrimp.ShrimpClassifier : The estimator of one machine, with the documentation of attributes.

    Examples
    --------
    >>> import dask.array, numpy as np
    >>> from shrimp.dask import ShrimpClassifier
    >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
    >>> rows, target = (dask.array.from_array(values, chunks=50) for values in (X, X[:, 0] > 0))
    >>> model = ShrimpClassifier(max_order=1, quick_error=True).fit(rows, target)
    >>> model.predict_proba(rows).shape
    (100, 2)
    """

    _of_one_machine = _classifier.ShrimpClassifier

    def _dtype_of_prediction(self):
        return self.classes_.dtype

    def predict_proba(self, X):
        """Predict the probability of each class, lazily for Dask collections.

        Parameters
        ----------
        X : array-like, dataframe or Dask collection of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        probability : ndarray, dask.dataframe.DataFrame or dask.array.Array of shape (n_samples, n_classes)
            Probabilities in the order of `classes_`. A Dask dataframe with the index of X for a Dask dataframe, a Dask
            array for a Dask array.
        """
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
        """Accuracy of the predictions. For Dask collections it is computed from sums over partitions.

        Parameters
        ----------
        X : array-like, dataframe or Dask collection of shape (n_samples, n_features)
            Inputs.
        y : array-like, Dask collection or str
            Classes, or the name of their column in X.
        sample_weight : array-like, Dask collection or str, default=None
            Row weights.

        Returns
        -------
        score : float
            Weighted fraction of rows that are predicted correctly.
        """
        if not is_collection(X):
            return super().score(X, y, sample_weight)
        check_is_fitted(self)
        return accuracy(Table.of(X, y, sample_weight), self._twin(fitted=True))


def _run(table, validation, estimator, more):
    client = _client()
    if client is None:
        return fit_here(table, validation, estimator, more)
    import cloudpickle
    from distributed import CancelledError, KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    estimator.verbose = 0  # A progress bar would appear on the worker's terminal.
    table = table.on(client)  # It keeps partitions on the workers during the fit.
    validation = validation and validation.on(client)
    payload = cloudpickle.dumps((table, validation, estimator, more))
    future = client.submit(fit_on_worker, payload, pure=False)
    try:
        return future.result()
    except (CancelledError, CommClosedError, FutureCancelledError) as error:
        raise ConnectionError(
            f"the connection to the cluster was lost during the fit: {error}\nConnect and fit again."
        ) from error
    except KilledWorker as error:
        raise RuntimeError(
            f"workers were lost repeatedly during the fit, probably because they ran out of memory: {error}\n"
            "Give workers more memory, or make partitions smaller."
        ) from error
    except BaseException:
        future.cancel()
        raise


def _client():
    """The current client of a cluster; None if there is none."""
    try:
        from distributed import Client
    except ImportError:
        return None
    try:
        client = Client.current(allow_global=True)
    except ValueError:
        return None
    if client.asynchronous:
        raise TypeError("the current Dask client is asynchronous.\nUse a synchronous one: Client(..., asynchronous=False).")
    return client


def _predict_block(block, twin, method):
    if not len(block):
        return np.empty(0) if method == "predict" else np.empty((0, len(twin.classes_)))
    return getattr(twin, method)(block)


def _predict_frame(frame, twin, method, name):
    import pandas

    index = frame.index
    if method == "predict":
        dtype = twin.classes_.dtype if hasattr(twin, "classes_") else np.float64
        values = twin.predict(frame) if len(frame) else np.empty(0, dtype=dtype)
        return pandas.Series(values, index=index, name=name)
    values = getattr(twin, method)(frame) if len(frame) else np.empty((0, len(name)))
    return pandas.DataFrame(values, index=index, columns=name)
