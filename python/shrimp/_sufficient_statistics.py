"""Updates and simplification of models from sufficient statistics of rows."""

from __future__ import annotations

import copy
import operator
import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._binding import fitted_results_of, n_basis_functions_of
from ._deprecated import renamed_arguments
from ._threads import threads_for
from ._validation import checked_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

# `fit` stores sufficient statistics where they cost little: five symmetric matrices of this size take two megabytes, and
# this many floating-point operations half a second. Both limits were chosen by hand.
_MAX_BASIS_FUNCTIONS = 300
_MAX_OPERATIONS = 1e10


def _can_refit(name):
    """A check for `available_if`: whether sufficient statistics determine the coefficients of the method."""

    def check(estimator):
        loss = getattr(estimator, "loss", "squared")
        method = getattr(estimator, "_method", None) or estimator.method
        if isinstance(loss, str) and _core.can_refit(str(method), loss):
            return True
        what = f"loss {loss!r}" if loss != "squared" else f"method {method!r}"
        raise AttributeError(f"{what} has no {name}: sufficient statistics do not determine its coefficients")

    return check


def _error_names(model):
    _, key, _, _ = _core.losses()[model.options.get("loss", "squared")]
    return [f"train_{key}", f"validation_{key}", "validation_se" if key == "mse" else f"validation_{key}_se"]


def _sizes_and_errors(model):
    # Squared errors are on the scale that was fitted, where the target was transformed.
    names = _error_names(model)
    errors = fitted_results_of(model, names) if names[0] == "train_mse" else map(model.results.get, names)
    return [len(model.terms), n_basis_functions_of(model), *(np.nan if error is None else error for error in errors)]


class SufficientStatistics:
    """Refits basis functions from sufficient statistics of rows."""

    def _summarize_if_cheap(self, X, y, sample_weight, groups):
        operations = len(y) * self.n_basis_functions_**2
        is_cheap = self.n_basis_functions_ <= _MAX_BASIS_FUNCTIONS and operations <= _MAX_OPERATIONS
        if is_cheap and hasattr(self, "partial_fit"):
            self._keep(self._summarize(X, y, sample_weight, groups, folds=5))

    def _fold_groups(self, y, groups, folds):
        if self.blocks and groups is None:
            return (np.arange(len(y)) * folds // len(y)).astype(np.uint32)
        return groups

    def _summarize(self, X, y, weights, groups, folds):
        groups = self._fold_groups(y, groups, folds)
        return _core.Summary.of(self.model_, X, y, weights, groups, folds, threads_for(self.n_jobs))

    def _keep(self, summary):
        summary.set_model(self.model_)
        self.summary_ = summary

    @available_if(_can_refit("partial_fit"))
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model, or update the coefficients of a fitted model with more rows.

        The first call is a `fit` that stores the sufficient statistics of its rows in `summary_`. (`fit` itself stores
        them if the model has at most 300 basis functions and they take less than about a second.) Each later call adds
        its rows to them. Terms and basis functions stay, and the coefficients are those of a fit to all rows so far.
        Then `train_mse_` is the error on all these rows, and `validation_mse_` the cross-validated error. The rows of each
        call are one fold, and those of the first call are five. Fractions of variance stay those of the first call.

        Methods whose coefficients are not a least-squares fit of the basis functions, such as lasso, do not have it.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs of the new rows.
        y : array-like of shape (n_samples,)
            Target of the new rows.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
        >>> y = X[:, 0] - X[:, 1]
        >>> model = ShrimpRegressor(method="min-l2", features=20).partial_fit(X[:50], y[:50])
        >>> model.partial_fit(X[50:], y[50:]).summary_.rows
        100
        """
        is_first = not hasattr(self, "model_")
        if is_first:
            self.fit(X, y, sample_weight)
            if hasattr(self, "summary_"):
                return self
        elif not hasattr(self, "summary_"):
            raise ValueError(
                "the model has no sufficient statistics to which rows can be added.\n"
                "Call partial_fit for the first rows as well, or load the model together with its summary."
            )
        X, y = checked_rows(self, X, y, self.model_.target, reset=False)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        summary = self._summarize(X, y, sample_weight, None, folds=5 if is_first else 1)
        if not is_first:
            summary.merge(self.summary_)
            self._take(summary.refit(self.model_, threads_for(self.n_jobs)))
            self._readable = None
        self._keep(summary)
        return self

    @available_if(_can_refit("simplify"))
    @renamed_arguments(columns="basis_functions")
    def simplify(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        terms: int | None = None,
        basis_functions: int | None = None,
        drop: str | Sequence[str] | None = None,
    ) -> Self:
        """A smaller model: fewer terms or basis functions, refitted.

        Terms or basis functions are removed one at a time, each time the one whose removal increases the error least
        after refitting the others. A term is removed before the terms on subsets of its inputs, because its basis
        functions carry their effects, too. Give exactly one of `terms`, `basis_functions` and `drop`.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features), default=None
            Rows to refit the model on, as those of the fit. None uses the sufficient statistics in `summary_`, which
            `fit` stores for models of at most 300 basis functions and `partial_fit` for all.
        y : array-like of shape (n_samples,), default=None
            Target of these rows.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        terms : int, default=None
            Maximum number of terms, including main effects that are contained in an interaction.
        basis_functions : int, default=None
            Maximum number of basis functions.
        drop : str or list of str, default=None
            Terms to remove, by their names in `terms_`.

        Returns
        -------
        simplified : estimator
            A new fitted estimator; this one is not changed. Its `simplified_` is a table of sizes and errors before and
            after, both refitted to the same rows. Its validation error is cross-validated over the folds that also
            selected what remains. Fractions of variance of its terms are those
            of independent inputs with the training distribution.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 2))
        >>> model = ShrimpRegressor(method="shrimp", features=20).fit(X, X[:, 0] * X[:, 1])
        >>> smaller = model.simplify(basis_functions=4)
        >>> list(smaller.simplified_.columns)
        ['terms', 'basis_functions', 'train_mse', 'validation_mse', 'validation_se']
        """
        import pandas

        check_is_fitted(self)
        if X is not None:
            X, y = checked_rows(self, X, y, self.model_.target, reset=False)
            if sample_weight is not None:
                sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
            summary = self._summarize(X, y, sample_weight, None, folds=5)
        elif hasattr(self, "summary_"):
            summary = self.summary_
        else:
            raise ValueError("the model has no sufficient statistics.\nGive the training rows: simplify(X, y, ...).")
        for name, count in (("terms", terms), ("basis_functions", basis_functions)):
            if count is not None and operator.index(count) < 1:
                raise ValueError(f"{name} {count} is not allowed.\nGive 1 or more.")
        drop = [drop] if isinstance(drop, str) else list(drop or [])
        found = _core.simplify(self.model_, summary, terms, basis_functions, drop, threads_for(self.n_jobs))
        if X is not None:
            found.refine(X, y, sample_weight, self._fold_groups(y, None, 5), 5, threads_for(self.n_jobs))
        smaller = copy.copy(self)
        smaller._take(found.model)
        smaller._readable = None
        smaller.summary_ = found.summary
        smaller.simplified_ = pandas.DataFrame(
            [_sizes_and_errors(found.before), _sizes_and_errors(found.model)],
            index=["before", "after"],
            columns=["terms", "basis_functions", *_error_names(found.model)],
        )
        for note in found.notes:
            warnings.warn(note, UserWarning, stacklevel=2)
        return smaller
