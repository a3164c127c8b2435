"""What all regressors share: fit, predict, read, save."""

from __future__ import annotations

import os
import pathlib
import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._cells import checked_inputs, checked_rows, unnamed
from ._clipping import is_clipped, warn_if_clipped
from ._groups import group_numbers
from ._long_tables import LongTables
from ._parameters import in_python_names, parameters_of, texts_of
from ._progress import CallbackSupportMixin, watchers, with_callbacks
from ._sensitivity import Sensitivity, laws_text, refuse_unknown_kind, tables
from ._summary import describe_html
from ._threads import threads_for

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars


def _library_of(X):
    return type(X).__module__.partition(".")[0]


def _frame(values, names, like):
    """A dataframe of the kind that scikit-learn is told to make, else of the kind of the data, else pandas."""
    kind = get_config()["transform_output"]
    if kind == "polars" or (kind == "default" and _library_of(like) == "polars"):
        import polars

        return polars.DataFrame(values, schema=names, orient="row")
    import pandas

    index = like.index if _library_of(like) == "pandas" else None
    return pandas.DataFrame(values, columns=names, index=index, copy=False)


def _name_of(y):
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


# Five triangles of so many columns take two megabytes, and so many operations half a second; what is larger is summed up
# where partial_fit begins.
_MOST_COLUMNS_SUMMED_UNASKED = 300
_MOST_WORK_UNASKED = 1e10


def _can_update(estimator):
    """Whether sums over rows give the coefficients of the method."""
    method = getattr(estimator, "_method", None) or estimator.method
    if _core.can_refit(str(method)):
        return True
    raise AttributeError(f"method {method} has no partial_fit: its coefficients are no least-squares fit of its columns")


class BaseRegressor(LongTables, CallbackSupportMixin, RegressorMixin, BaseEstimator):
    """A method of the library as a scikit-learn regressor. Subclasses name the method and take its parameters."""

    model_: _core.Model
    summary_: _core.Summary
    order_: list[int]
    n_columns_: int
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    train_mse_: float | None
    validation_mse_: float | None
    validation_se_: float | None
    share_above_three_: float | None
    forms_: dict[str, str]
    target_form_: str
    converged_: bool
    gap_: float

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        groups: Any = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts: a row of weight 2 beside rows of weight 1 is the same as that row twice, to the
            last bit. Weights that are all the same are none.
        X_val, y_val : array-like, default=None
            Rows to choose the model by. All rows of X are then fitted.
        groups : array-like of shape (n_samples,), default=None
            Rows of equal values belong together, as measurements of one patient do: they are held out together, so
            that none is predicted by its own kind. Numbers, strings, or whatever else can be a key of a dict.

        Returns
        -------
        self
        """
        target = _name_of(y)
        X, y = checked_rows(self, X, y, target, ensure_min_samples=2)
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if groups is not None:
            groups = group_numbers(groups, len(y))
        if (X_val is None) != (y_val is None):
            raise ValueError("X_val and y_val go together.\nGive both or neither.")
        if X_val is not None:
            X_val, y_val = checked_rows(self, X_val, y_val, target, "validation data, ", reset=False)
        inputs = [str(name) for name in getattr(self, "feature_names_in_", unnamed(X.shape[1]))]
        texts = self._texts()
        result = self._run(
            lambda told: _core.fit(X, y, sample_weight, inputs, target, texts, X_val, y_val, told, groups), X, y
        )
        self._take_fit(result)
        is_small = self.n_columns_ <= _MOST_COLUMNS_SUMMED_UNASKED and len(y) * self.n_columns_**2 <= _MOST_WORK_UNASKED
        if is_small and hasattr(self, "partial_fit"):
            self._keep(self._sum_up(X, y, sample_weight, groups, folds=5))
        self._warn(result)
        return self

    def _sum_up(self, X, y, weights, groups, folds):
        if self.blocks and groups is None:
            groups = (np.arange(len(y)) * folds // len(y)).astype(np.uint32)
        return _core.Summary.of(self.model_, X, y, weights, groups, folds, threads_for(self.n_jobs))

    def _keep(self, summary):
        summary.set_model(self.model_)
        self.summary_ = summary

    @available_if(_can_update)
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

    def _run(self, fit, X=None, y=None):
        heard = watchers(self, X, y)

        def report(*progress):
            for watcher in heard:
                watcher(*progress)

        try:
            return fit(report if heard else None)
        except ValueError as error:
            message = in_python_names(str(error))
            if message == str(error):  # It may be of another's making, as of what reads a table.
                raise
            raise ValueError(message) from None
        finally:
            for watcher in heard:
                watcher.close()

    def _texts(self):
        own = {"method": self._method} if hasattr(self, "_method") else {}
        return texts_of(self) | own

    def _take_fit(self, result):
        self._take(result.model)
        self._path = result.path
        self.order_ = list(result.order)
        self.converged_ = result.converged
        self.gap_ = result.gap
        vars(self).pop("summary_", None)

    def _take_names(self, inputs):
        """As validate_data does it for dataframes and arrays."""
        self.n_features_in_ = len(inputs)
        if inputs != unnamed(len(inputs)):
            self.feature_names_in_ = np.asarray(inputs, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _take(self, model):
        """Makes the estimator one that was fitted with this model."""
        self.model_ = model
        self.n_columns_ = model.n_columns
        self.train_mse_ = model.results.get("train_mse")
        self.validation_mse_ = model.results.get("validation_mse")
        self.validation_se_ = model.results.get("validation_se")
        self.share_above_three_ = model.results.get("share_above_three")
        self.forms_ = model.forms
        self.target_form_ = model.target_form

    def _warn(self, result):
        for warning in result.warnings:
            warnings.warn(in_python_names(warning), UserWarning, stacklevel=4)
        if not result.converged:
            warnings.warn(
                f"{result.model.method} did not converge: it ended with a relative gap of {result.gap:.2g}, where the "
                f"tolerance is {self.tolerance}.\nGive more max_iterations or a larger tolerance.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _inputs(self, X):
        check_is_fitted(self)
        return checked_inputs(self, X)

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
        inside. They are wider where there were few training rows, and more so outside the training range, of which an
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

    def clipped(self, X: Any) -> npt.NDArray[np.bool_]:
        """Which inputs `predict` holds at the edge of the training range, in each row of X.

        Inputs that the model does not look at are never held, nor are any in models without clipping.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_features)
        """
        inputs = self._inputs(X)
        return is_clipped(self.model_, inputs)

    def predict_terms(self, X: Any) -> pandas.DataFrame | polars.DataFrame:
        """Take predictions apart into what each term adds.

        The terms are the components of the model's functional ANOVA, those that `terms_` gives the shares of: what
        some inputs do together and no fewer of them can do. Each averages to zero over the training rows' values of
        its inputs, taken as independent, of which the model keeps up to 64 an input.

        Where the target was fitted as its logarithm or square root (`target_form_`), the parts are of that: rows sum to
        log y, or √y, of which `predict` makes the mean of y.

        Returns
        -------
        DataFrame
            A column `intercept` and one for each term, in the order of `terms_`. Rows sum to `predict(X)` up to
            rounding, which is that of sums of numbers as large as the model's coefficients. Where an input is called
            `intercept`, the constant's column is the first, called `(intercept)`. Of polars for X of polars, else of
            pandas, with the index of X; `sklearn.set_config(transform_output=...)` names one for all.
        """
        inputs = self._inputs(X)
        values = self.model_.term_values(inputs, threads_for(self.n_jobs))
        return self._parts(values, [name for name, *_ in self.model_.terms], X)

    def explain(self, X: Any, by: str = "term") -> pandas.DataFrame | polars.DataFrame:
        """What each term, or each input, adds to the prediction of each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        by : {"term", "input"}, default="term"
            Terms are those of `predict_terms`. By input, a term of several inputs is divided evenly among them: these
            are Shapley values, those that SHAP calls interventional, for inputs that are independent with the training
            rows' values. Only of what more than three inputs do together, a model with a term of all inputs has a part
            that is divided as if all of them took part in it.

        Returns
        -------
        DataFrame
            A column `intercept` and one for each term or input; rows sum to `predict(X)` as those of `predict_terms`
            do. `WaterfallDisplay` draws one row.
        """
        refuse_unknown_kind(by)
        if by == "term":
            return self.predict_terms(X)
        inputs = self._inputs(X)
        values = self.model_.input_values(inputs, threads_for(self.n_jobs))
        return self._parts(values, list(self.model_.inputs), X)

    @staticmethod
    def _parts(values, names, X):
        constant = "intercept"
        while constant in names:
            constant = f"({constant})"
        return _frame(values, [constant, *names], X)

    def sensitivity(self, inputs: Any = None, data: Any = None) -> Sensitivity:
        """Which inputs and terms matter: Sobol' indices, or shares over the rows of a table.

        Parameters
        ----------
        inputs : str or dict, default=None
            How inputs vary, each independently of the others. "uniform" (over the training range), "normal" (with the
            mean and deviation there) or "empirical" (the training rows' values) for all; or laws by name, as in
            `{"x1": "uniform(0, 2)", "x2": "normal(3, 0.5)", "x3": (0, 1)}`, where a pair of numbers is a uniform law,
            and inputs that are not named are empirical. None is "empirical".
        data : array-like or dataframe of shape (n_samples, n_features), default=None
            Rows to take shares over in the place of laws, with the dependence between inputs that they have: the
            training rows, say. A term's share is then its covariance with the whole, over the variance of the whole:
            its own variance (structural) and its covariance with the other terms (correlative).

        Returns
        -------
        Sensitivity
            `inputs` and `terms` are tables. Where the target was fitted as its logarithm or square root
            (`target_form_`), they are of that.
        """
        check_is_fitted(self)
        if inputs is not None and data is not None:
            raise ValueError("inputs and data exclude each other.\nGive one of them.")
        names = list(self.model_.inputs)
        if data is not None:
            return tables(names, self.model_.sensitivity_on(self._inputs(data), threads_for(self.n_jobs)), True)
        return tables(names, self.model_.sensitivity(laws_text(inputs, names), threads_for(self.n_jobs)), False)

    @property
    def sobol_(self) -> pandas.DataFrame:
        """First and total Sobol' index of each input, for independent inputs with the training rows' values.

        The table `inputs` of `sensitivity()`, which takes other laws, and rows whose inputs depend on each other. The
        bounds `first_low`, … hold the index with a probability of 90 %.
        """
        return self.sensitivity().inputs

    def gradient(self, X: Any) -> npt.NDArray[np.float64]:
        """The slope of the prediction along each input at each row of X.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Units of the target per unit of the input.
        """
        inputs = self._inputs(X)
        return self.model_.gradient(inputs, threads_for(self.n_jobs))

    def equation(self, digits: int | None = None, *, terms: int | None = None) -> str:
        """The model as a formula of its inputs: all of it, or what a person can read.

        Parameters
        ----------
        digits : int, default=None
            Significant digits of its numbers, 1 to 17. None is 6 for all of it and 3 for some terms.
        terms : int, default=None
            None gives the whole formula, which is the model; 17 digits give its predictions. A number gives a line
            for each of so many terms, largest share first: each written anew by as few functions as give its values
            to these digits, with the columns that these stand for behind a `#`. What is left out is said at the end.

        Returns
        -------
        str
            Names of inputs stand between backquotes where they are no plain words; a backquote in them is doubled.
            Inputs that do not enter as they are (`forms_`) stand as `log(x)`, `log(-x)` or `rank(x)`: the share of
            training rows below x and half of those at it, between the knots that the model keeps.
        """
        check_is_fitted(self)
        if terms is None:
            return self.model_.equation(6 if digits is None else digits)
        if terms < 1:
            raise ValueError(f"terms {terms} is not allowed.\nGive 1 or more, or None for the whole formula.")
        return self.model_.short_equation(terms, 3 if digits is None else digits)

    @property
    def terms_(self) -> pandas.DataFrame:
        """Terms of the model, largest share first.

        Their names, inputs and how many these are (`order`), the columns of their own, their share of the variance, and
        the chance that as much would be found where there is nothing: NaN where the method does not look for terms.
        """
        import pandas

        check_is_fitted(self)
        inputs = self.model_.inputs
        rows = [
            (name, tuple(inputs[j] for j in variables), len(variables), columns, share, np.nan if chance is None else chance)
            for name, variables, columns, share, chance in self.model_.terms
        ]
        return pandas.DataFrame(rows, columns=["term", "inputs", "order", "columns", "share", "chance"])

    @property
    def path_(self) -> pandas.DataFrame:
        """Every step of the path that the model was chosen from: sizes, errors, and which was chosen."""
        import pandas

        check_is_fitted(self)
        if self._path is None:
            raise AttributeError("a model that was loaded from a file does not have the path it was chosen from")
        return pandas.DataFrame(self._path)

    def save(self, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> None:
        """Save the model in the file that the command line reads: JSON, written in one step.

        `summary` names a file for the sums over rows that `partial_fit` keeps, as `shrimp update` reads them.
        """
        check_is_fitted(self)
        if summary is not None:
            if not hasattr(self, "summary_"):
                raise ValueError("the model has no sums over its rows.\nMake it by partial_fit, or save it without summary.")
            self.summary_.save(os.fspath(summary))
        self.model_.save(os.fspath(path))

    def export(
        self, path: str | os.PathLike[str] | None = None, to: str = "c", *, name: str = "", terms: int = 10, digits: int = 3
    ) -> str | bytes | None:
        """Write the model in another language, which predicts without this package.

        Parameters
        ----------
        path : str or path-like, default=None
            File to write. None returns what would be in it.
        to : {"onnx", "c", "python", "sql", "latex"}, default="c"
            ONNX in double precision ("X" of all rows to "y"), C99 that needs libm alone, a Python module that needs NumPy
            alone, one SQL expression of columns called as the inputs, or the largest terms as formulas for a paper.
        name : str, default=""
            Of the function in C (`shrimp_predict`) or Python (`predict`); in SQL, of the table whose columns the inputs are.
        terms : int, default=10
            Terms that LaTeX writes, largest share first.
        digits : int, default=3
            Digits of the numbers in LaTeX.

        Returns
        -------
        str, or bytes for ONNX; None where a path is given.
        """
        check_is_fitted(self)
        if terms < 1:
            raise ValueError(f"terms {terms} is not allowed.\nGive 1 or more.")
        content = self.model_.export(to, name, terms, digits)
        if path is not None:
            pathlib.Path(path).write_bytes(content)
            return None
        return content if to == "onnx" else content.decode()

    def report(self, path: str | os.PathLike[str], X: Any = None, y: Any = None) -> None:
        """Write one HTML page that shows the model to people: no network, no other files.

        It tells how good the model is beside a baseline, which terms it has and how each acts, as curves and maps that
        show values under the pointer or by arrow keys, what higher orders hold, the prune path, how the model was made
        and how it is loaded. Where a model knows how sure it is, shares have intervals and curves have bands.

        Parameters
        ----------
        path : str or path-like
            HTML file to write.
        X, y : array-like, default=None
            Rows that the model was not fitted to: the page then shows errors, calibration and how many of them lie
            within their prediction intervals.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("X and y go together.\nGive both or neither.")
        if X is not None:
            X, y = checked_rows(self, X, y, self.model_.target, "test data, ", reset=False)
        steps = [] if self._path is None else list(
            zip(self._path["columns"], self._path["train_mse"], self._path["validation_mse"], self._path["chosen"])
        )  # fmt: skip
        _core.write_report(self.model_, os.fspath(path), X, y, steps, threads_for(self.n_jobs))

    @classmethod
    def load(cls, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> Self:
        """Load a model that `save` or `shrimp fit --output` wrote, and the summary of its rows, for `partial_fit`.

        Returns
        -------
        A fitted estimator with the parameters that were set when the model was made; several candidates are a list.
        What a fit tells beside its model (`path_`, `order_`, `converged_`, `gap_`) is not there.
        """
        model = _core.Model.load(os.fspath(path))
        own = getattr(cls, "_method", model.method)
        if model.method != own:
            raise ValueError(
                f"{os.fspath(path)} holds a model of method {model.method}, not {own}.\n"
                "Load it with ShrimpRegressor.load."
            )
        # Files of older programs do not tell what was set: they have every option.
        texts = model.options if model.given is None else model.given
        taken = {"method", *parameters_of(model.method)} & texts.keys()
        estimator = cls(
            **{
                p.name: p.value(texts[p.text_name])
                for p in cls._parameters.values()
                if p.text_name in taken and (p.text_name, texts[p.text_name]) != ("validation", "file")
            }
        )
        estimator._take(model)
        estimator._path = None
        if summary is not None:
            estimator.summary_ = _core.Summary.load(os.fspath(summary))
            if not estimator.summary_.belongs_to(model):
                raise ValueError(
                    f"{os.fspath(summary)} sums up other rows or columns than those of {os.fspath(path)}.\n"
                    "Load the two that were saved together."
                )
        estimator._take_names(model.inputs)
        return estimator

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _repr_html_inner(self):
        diagram = super()._repr_html_inner()
        return diagram + describe_html(self.model_) if hasattr(self, "model_") else diagram

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle
