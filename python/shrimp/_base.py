"""What all regressors share."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._cells import checked_table, names_of
from ._clipping import warn_if_clipped
from ._files import Files
from ._fitting import Fitting, name_of
from ._groups import group_numbers
from ._kinds import encoded, takes_kinds
from ._long_tables import LongTables
from ._progress import CallbackSupportMixin, with_callbacks
from ._reading import Reading
from ._sums import RowSums
from ._threads import threads_for

if TYPE_CHECKING:
    import numpy.typing as npt


class BaseRegressor(LongTables, Files, Reading, RowSums, Fitting, CallbackSupportMixin, RegressorMixin, BaseEstimator):
    """A method of the library as a scikit-learn regressor. Subclasses name the method and take its parameters."""

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
            Numbers; by method auto also categories (text, and categorical columns of pandas, polars and Arrow), dates,
            and missing cells (NaN, None, NA).
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts: a row of weight 2 beside rows of weight 1 is the same as that row twice, to the
            last bit. Weights that are all the same are none.
        X_val, y_val : array-like, default=None
            Rows to choose the model by. All rows of X are then fitted.
        groups : array-like of shape (n_samples,), default=None
            Rows of equal values belong together, as measurements of one patient do: they are held out together, so
            that none is predicted by its own kind. Numbers, strings, or whatever else can be a key of a dict.
        exposure : array-like of shape (n_samples,), default=None
            With `loss="poisson"`, what each count was counted over, such as time or area: predictions are then of the
            rate, the count for an exposure of 1.

        Returns
        -------
        self
        """
        if getattr(self, "loss", "squared") == "logistic":
            raise ValueError("loss logistic is for classes.\nUse ShrimpClassifier.")
        target = name_of(y)
        X, y, kinds = checked_table(self, X, y, target, ensure_min_samples=2)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if groups is not None:
            groups = group_numbers(groups, len(y))
        if exposure is not None:
            exposure = np.ascontiguousarray(_check_sample_weight(exposure, X, dtype=np.float64))
        if (X_val is None) != (y_val is None):
            raise ValueError("X_val and y_val go together.\nGive both or neither.")
        kinds_val = None
        if X_val is not None:
            X_val, y_val, kinds_val = checked_table(self, X_val, y_val, target, "validation data, ", reset=False)
        inputs = names_of(self, X.shape[1])
        texts = self._texts()
        result = self._run(
            lambda told: _core.fit(
                X, y, sample_weight, inputs, target, texts, X_val, y_val, told, groups, exposure, [], kinds or [], kinds_val or []
            ),
            X,
            y,
        )
        self._take_fit(result)
        self._sum_up_unasked(encoded(self.model_, inputs, X, kinds), y, sample_weight, groups)
        self._warn(result)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = takes_kinds(self)
        return tags

    def predict(
        self, X: Any, return_std: bool = False
    ) -> npt.NDArray[np.float64] | tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Predict the target of each row of X.

        Rows that a model with clipping holds at the edge of the training range are warned of by an
        `OutsideRangeWarning`.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to give the standard deviation of the target about each prediction, too: that of the noise, and what
            the coefficients may be off by. It is larger where there were few training rows, or none.

        Returns
        -------
        ndarray of shape (n_samples,), or a pair of them: predictions and deviations.
        """
        inputs = self._inputs(X)
        warn_if_clipped(self.model_, inputs)
        prediction = self.model_.predict(inputs, threads_for(self.n_jobs))
        return (prediction, self.model_.predict_deviations(inputs, threads_for(self.n_jobs))) if return_std else prediction

    def predict_interval(self, X: Any, level: float = 0.9) -> npt.NDArray[np.float64]:
        """Intervals that hold the target of new rows with this probability.

        How wide they are, rows tell that took no part in the fit, or were left out of it: a share `level` of them lies
        inside. They are about equally wide inside the training range and wider outside it, of which an
        `OutsideRangeWarning` tells as `predict` does.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        level : float, default=0.9
            Between 0 and 1.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper bounds.
        """
        inputs = self._inputs(X)
        bounds = self.model_.predict_intervals(inputs, level, threads_for(self.n_jobs))
        warn_if_clipped(self.model_, inputs)
        if words := self.model_.level_warning(level):
            warnings.warn(words, UserWarning, stacklevel=2)
        return bounds
