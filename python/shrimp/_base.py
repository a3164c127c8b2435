"""The base class of the regressors: fit and predictions."""

from __future__ import annotations

import copy
import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._binding import basis_functions_of
from ._clipping import warn_if_clipped
from ._column_types import accepts_column_types, encoded
from ._deprecated import RenamedAttributes, RenamedParameters
from ._files import Files
from ._fitting import Fitting, name_of
from ._groups import group_numbers
from ._inspection import Inspection
from ._long_tables import LongTables
from ._progress import CallbackSupportMixin, with_callbacks
from ._sufficient_statistics import SufficientStatistics
from ._threads import threads_for
from ._validation import checked_table, names_of

if TYPE_CHECKING:
    import numpy.typing as npt


class BaseRegressor(
    RenamedAttributes,
    RenamedParameters,
    LongTables,
    Files,
    Inspection,
    SufficientStatistics,
    Fitting,
    CallbackSupportMixin,
    RegressorMixin,
    BaseEstimator,
):
    """A method of the library as a scikit-learn regressor. Subclasses choose the method and take its parameters."""

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        groups: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs. Numbers; with method auto also categories (text, and categorical columns of pandas, polars and
            Arrow), dates, and missing cells (NaN, None, NA).
        y : array-like of shape (n_samples,)
            Target.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights. A row of weight 2 next to rows of weight 1 gives exactly the same model as that row twice.
            Equal weights have no effect.
        X_val : array-like or dataframe of shape (n_validation_samples, n_features), default=None
            Validation rows for model selection, instead of rows held out from X. The final fit uses all rows of X.
        y_val : array-like of shape (n_validation_samples,), default=None
            Target of the validation rows.
        groups : array-like of shape (n_samples,), default=None
            Group labels of dependent rows, such as repeated measurements of one patient. Rows of one group are held out
            together. Labels may be numbers, strings or any other hashable objects.
        exposure : array-like of shape (n_samples,), default=None
            Exposure of each count, such as time or area, with `loss="poisson"`. Predictions are rates: counts for an
            exposure of 1.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, X[:, 0], sample_weight=np.ones(100))
        >>> round(model.score(X, X[:, 0]), 3)
        1.0
        """
        loss = getattr(self, "loss", "squared")
        if isinstance(loss, str) and loss in ("logistic", "multinomial"):
            raise ValueError(f"loss {loss!r} needs classes as target.\nUse ShrimpClassifier.")
        target = name_of(y)
        X, y, column_types = checked_table(self, X, y, target, ensure_min_samples=2)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if groups is not None:
            groups = group_numbers(groups, len(y))
        if exposure is not None:
            exposure = np.ascontiguousarray(_check_sample_weight(exposure, X, dtype=np.float64))
        if (X_val is None) != (y_val is None):
            raise ValueError("only one of X_val and y_val is given.\nGive both or neither.")
        column_types_val = None
        if X_val is not None:
            X_val, y_val, column_types_val = checked_table(self, X_val, y_val, target, "validation data, ", reset=False)
        inputs = names_of(self, X.shape[1])
        texts = self._texts()
        result = self._run(
            lambda report: _core.fit(
                X,
                y,
                sample_weight,
                inputs,
                target,
                texts,
                X_val,
                y_val,
                report,
                groups,
                exposure,
                [],
                column_types or [],
                column_types_val or [],
                loss if callable(loss) else None,
            ),
            X,
            y,
        )
        self._take_fit(result)
        if exposure is None:  # Sufficient statistics take no exposures.
            self._summarize_if_cheap(encoded(self.model_, inputs, X, column_types), y, sample_weight, groups)
        self._warn(result)
        return self

    @property
    def readable_(self) -> Self | None:
        """The best model without kernel term: a fitted estimator of main effects and low-order interactions.

        If a kernel term predicts better, `fit` adds it and keeps the model that it replaced. No second search is needed;
        `max_order=2` searches for such a model from the start. Its `validation_mse_` is estimated on the same rows as that
        of this model. None without a kernel term, for long tables, and for models that were loaded or updated.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
        >>> ShrimpRegressor(max_order=2).fit(X, X[:, 0] + np.sin(3 * X[:, 1])).readable_ is None
        True
        """
        check_is_fitted(self)
        if getattr(self, "_readable", None) is None:
            return None
        readable = copy.copy(self)
        readable._take(self._readable)
        readable._path = readable._readable = None
        readable.order_ = sorted({len(variables) for variables, *_ in basis_functions_of(self._readable)})
        for name in ("summary_", "simplified_"):
            vars(readable).pop(name, None)
        return readable

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        accepts = accepts_column_types(self)
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = accepts
        return tags

    def predict(
        self, X: Any, return_std: bool = False
    ) -> npt.NDArray[np.float64] | tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Predict the target.

        Warns by an `OutsideRangeWarning` if inputs are outside the training range and were clipped to it.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.
        return_std : bool, default=False
            Whether to return the standard deviation of the target around each prediction as well. It contains the noise
            and the uncertainty of the coefficients, and is larger where there are few training rows.

        Returns
        -------
        prediction : ndarray of shape (n_samples,)
            Predicted target.
        standard_deviation : ndarray of shape (n_samples,)
            Standard deviation of the target around the prediction. Only if `return_std` is true.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, 2 * X[:, 0])
        >>> model.predict([[0.5, 0.0]]).round(2)
        array([1.])
        """
        inputs = self._inputs(X)
        warn_if_clipped(self.model_, inputs)
        prediction = self.model_.predict(inputs, threads_for(self.n_jobs))
        if not return_std:
            return prediction
        return prediction, self.model_.predict_deviations(inputs, threads_for(self.n_jobs))

    def predict_interval(self, X: Any, level: float = 0.9) -> npt.NDArray[np.float64]:
        """Prediction intervals: they contain the target of a new row with the given probability.

        They are calibrated on rows that were not used in the fit, or were left out of it. Outside the training range
        they are wider, and an `OutsideRangeWarning` is issued as by `predict`. With loss "poisson", "gamma" or "tweedie",
        bounds are quantiles of the target's distribution; with exposures, those of a count for an exposure of 1.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.
        level : float, default=0.9
            Probability, between 0 and 1.

        Returns
        -------
        bounds : ndarray of shape (n_samples, 2)
            Lower and upper bounds.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> random = np.random.default_rng(0)
        >>> X = random.uniform(-1, 1, (100, 2))
        >>> y = X[:, 0] + 0.1 * random.normal(size=100)
        >>> model = ShrimpRegressor(max_order=1, quick_error=True).fit(X, y)
        >>> lower, upper = model.predict_interval(X, level=0.8).T
        >>> bool((lower < upper).all())
        True
        """
        inputs = self._inputs(X)
        bounds = self.model_.predict_intervals(inputs, level, threads_for(self.n_jobs))
        warn_if_clipped(self.model_, inputs)
        if warning := self.model_.level_warning(level):
            warnings.warn(warning, UserWarning, stacklevel=2)
        return bounds
