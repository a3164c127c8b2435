"""What there is to read in a fitted model: terms, parts of predictions, sensitivities, slopes, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn import get_config
from sklearn.utils.validation import check_is_fitted

from ._cells import checked_inputs, names_of
from ._clipping import is_clipped
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


class Reading:
    """Reads the model of a fitted estimator."""

    def _inputs(self, X):
        check_is_fitted(self)
        return checked_inputs(self, X)

    def clipped(self, X: Any) -> npt.NDArray[np.bool_]:
        """Which cells `predict` clips to the training range, in each row of X.

        Columns that the model does not depend on are never clipped, nor are any in models without clipping.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_features)
        """
        inputs = self._inputs(X)
        return self._by_column(is_clipped(self.model_, inputs), ("value", "day_of_year")) > 0

    def _columns(self):
        """Names of the columns of X."""
        return names_of(self, self.n_features_in_)

    def _columns_of_inputs(self):
        """For each input of the model the place of its column in X, and which part of the column it is."""
        place = {name: j for j, name in enumerate(self._columns())}
        return [(place[name], part) for name, part in self.model_.sources]

    def _by_column(self, values, parts=("value", "missing", "day_of_week", "day_of_year")):
        """Values of the model's inputs, one in a column, added up by the columns of X, of these parts of them."""
        sums = np.zeros((len(values), self.n_features_in_))
        for j, (column, part) in enumerate(self._columns_of_inputs()):
            if part in parts:
                sums[:, column] += values[:, j]
        return sums

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
            that is divided as if all of them took part in it. What missingness, the day of the week and the day of the
            year contribute counts to their column of X.

        Returns
        -------
        DataFrame
            A column `intercept` and one for each term, or for each column of X in its order, 0 where the model does
            not depend on it; rows sum to `predict(X)` as those of `predict_terms` do. `WaterfallDisplay` draws one row.
        """
        refuse_unknown_kind(by)
        if by == "term":
            return self.predict_terms(X)
        inputs = self._inputs(X)
        values = self.model_.input_values(inputs, threads_for(self.n_jobs))
        return self._parts(np.column_stack([values[:, :1], self._by_column(values[:, 1:])]), self._columns(), X)

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
            Units of the target per unit of the column, days of dates; 0 for columns that the model does not depend on.
        """
        inputs = self._inputs(X)
        return self._by_column(self.model_.gradient(inputs, threads_for(self.n_jobs)), ("value", "day_of_year"))

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
            training rows below x and half of those at it, between the knots that the model keeps. A category stands as
            `[x = level]`, which is 1 at the level and 0 elsewhere; inside cos and sin of the whole formula, as its code.
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
        their p-value (`chance`): the probability, where a term has no effect besides the other terms, that the test of
        any candidate term is as significant. It is NaN where no test is valid: other methods than auto, exact fits,
        models with a kernel term, simplified models.
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
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Importance of each column of X: the fraction of variance of all terms that it takes part in.

        The sum of `terms_.share` over the terms that contain the column, its missingness and, for dates, the day of the
        week and of the year included: a total index, as that of Sobol'. A term of two columns counts to both, so the sum
        is 1 without interactions and more with them. It is what `RFE` and `SelectFromModel` of scikit-learn select by.
        """
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        columns = [column for column, _ in self._columns_of_inputs()]
        for _, variables, _, share, _ in self.model_.terms:
            importances[sorted({columns[j] for j in variables})] += share
        return importances

    @property
    def path_(self) -> pandas.DataFrame:
        """Every step of the path that the model was chosen from: sizes, errors, and which was chosen."""
        import pandas

        check_is_fitted(self)
        if self._path is None:
            raise AttributeError("a model that was loaded from a file does not have the path it was chosen from")
        return pandas.DataFrame(self._path)

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
