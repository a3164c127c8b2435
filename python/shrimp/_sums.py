"""What estimators do with sums over rows: add rows that come later, and give smaller models."""

from __future__ import annotations

import copy
import operator
import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._cells import checked_rows
from ._threads import threads_for

if TYPE_CHECKING:
    from collections.abc import Sequence

# Five triangles of so many columns take two megabytes, and so many operations half a second; what is larger is summed up
# where partial_fit begins.
_MOST_COLUMNS_SUMMED_UNASKED = 300
_MOST_WORK_UNASKED = 1e10


def _can_refit(what):
    """Whether sums over rows give the coefficients of the method, as `what` needs."""

    def check(estimator):
        loss = getattr(estimator, "loss", "squared")
        if loss != "squared":
            raise AttributeError(f"loss {loss} has no {what}: its coefficients are no least-squares fit of its columns")
        method = getattr(estimator, "_method", None) or estimator.method
        if _core.can_refit(str(method)):
            return True
        raise AttributeError(f"method {method} has no {what}: its coefficients are no least-squares fit of its columns")

    return check


def _sizes_and_errors(model):
    # Errors are of what was fitted, where that is a form of the target.
    form = "" if model.target_form == "identity" else "form_"
    names = ("train_mse", "validation_mse", "validation_se")
    return [len(model.terms), model.n_columns, *(model.results.get(form + name, np.nan) for name in names)]


class RowSums:
    """Fits columns again from sums over rows."""

    def _sum_up_unasked(self, X, y, sample_weight, groups):
        is_small = self.n_columns_ <= _MOST_COLUMNS_SUMMED_UNASKED and len(y) * self.n_columns_**2 <= _MOST_WORK_UNASKED
        if is_small and hasattr(self, "partial_fit"):
            self._keep(self._sum_up(X, y, sample_weight, groups, folds=5))

    def _sum_up(self, X, y, weights, groups, folds):
        if self.blocks and groups is None:
            groups = (np.arange(len(y)) * folds // len(y)).astype(np.uint32)
        return _core.Summary.of(self.model_, X, y, weights, groups, folds, threads_for(self.n_jobs))

    def _keep(self, summary):
        summary.set_model(self.model_)
        self.summary_ = summary

    @available_if(_can_refit("partial_fit"))
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model, or fit its columns to more rows.

        The first call is a `fit`, and keeps sums over its rows in `summary_`; `fit` itself does so for models of up to
        300 columns where that takes no second. Later calls add their rows to these: the terms and columns stay, and the coefficients are what a
        fit of those columns to all rows so far gives. Errors are then of these rows (`train_mse_`) and of each call's
        rows by a fit to the others' (`validation_mse_`), those of the first call in five parts. Shares of terms stay
        those of the first call.

        Methods whose coefficients are no least-squares fit of their columns, such as lasso, do not have it.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts.

        Returns
        -------
        self
        """
        begins = not hasattr(self, "model_")
        if begins:
            self.fit(X, y, sample_weight)
            if hasattr(self, "summary_"):
                return self
        elif not hasattr(self, "summary_"):
            raise ValueError(
                "the model has no sums over its rows, to which others could be added.\n"
                "Begin with partial_fit, or load the model with its summary."
            )
        X, y = checked_rows(self, X, y, self.model_.target, reset=False)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        rows = self._sum_up(X, y, sample_weight, None, folds=5 if begins else 1)
        if not begins:
            rows.merge(self.summary_)
            self._take(rows.refit(self.model_, threads_for(self.n_jobs)))
        self._keep(rows)
        return self

    @available_if(_can_refit("simplify"))
    def simplify(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        terms: int | None = None,
        columns: int | None = None,
        drop: str | Sequence[str] | None = None,
    ) -> Self:
        """A smaller model: fewer terms or columns, fitted again.

        Terms or columns go one by one, each time the one that is missed least when all others are fitted again. A term
        goes before those on fewer of its inputs, since its columns carry their effects, too. Just one of `terms`,
        `columns` and `drop` is given.

        Parameters
        ----------
        X, y, sample_weight : array-like, default=None
            Rows to fit again, as those of the fit. None takes the sums over rows in `summary_`, which `fit` keeps of
            models of up to 300 columns and `partial_fit` of all.
        terms : int, default=None
            Terms to keep at most, those without columns of their own counted.
        columns : int, default=None
            Columns to keep at most.
        drop : str or list of str, default=None
            Terms to leave out, as `terms_` names them.

        Returns
        -------
        A fitted estimator of its own; this one stays as it is. Its `simplified_` is a table of terms, columns and errors
        before and after, both fitted to the same rows; the validation error is that of folds, each predicted by the
        others, which also chose what stays. Shares of its terms are those of inputs that are independent of each other,
        with the training rows' values.
        """
        import pandas

        check_is_fitted(self)
        if X is not None:
            X, y = checked_rows(self, X, y, self.model_.target, reset=False)
            if sample_weight is not None:
                sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
            summary = self._sum_up(X, y, sample_weight, None, folds=5)
        elif hasattr(self, "summary_"):
            summary = self.summary_
        else:
            raise ValueError("the model has no sums over its rows.\nGive the rows: simplify(X, y, ...).")
        for name, count in (("terms", terms), ("columns", columns)):
            if count is not None and operator.index(count) < 1:
                raise ValueError(f"{name} {count} is not allowed.\nGive 1 or more.")
        drop = [drop] if isinstance(drop, str) else list(drop or [])
        found = _core.simplify(self.model_, summary, terms, columns, drop, threads_for(self.n_jobs))
        smaller = copy.copy(self)
        smaller._take(found.model)
        smaller.summary_ = found.summary
        smaller.simplified_ = pandas.DataFrame(
            [_sizes_and_errors(found.before), _sizes_and_errors(found.model)],
            index=["before", "after"],
            columns=["terms", "columns", "train_mse", "validation_mse", "validation_se"],
        )
        for note in found.notes:
            warnings.warn(note, UserWarning, stacklevel=2)
        return smaller
