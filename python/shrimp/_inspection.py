"""Interpretation of a fitted model: terms, parts of predictions, sensitivities, gradients, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn import get_config
from sklearn.utils.validation import check_is_fitted

from ._clipping import is_clipped
from ._sensitivity import Sensitivity, distributions_text, refuse_unknown_parts, tables
from ._summary import describe_html
from ._threads import threads_for
from ._validation import checked_inputs, names_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars


def _library_of(X):
    return type(X).__module__.partition(".")[0]


def _frame(values, names, like):
    """A dataframe of the library that scikit-learn is configured for, else of the library of the data, else pandas."""
    library = get_config()["transform_output"]
    if library == "polars" or (library == "default" and _library_of(like) == "polars"):
        import polars

        return polars.DataFrame(values, schema=names, orient="row")
    import pandas

    index = like.index if _library_of(like) == "pandas" else None
    return pandas.DataFrame(values, columns=names, index=index, copy=False)


class Inspection:
    """Interprets the model of a fitted estimator."""

    def _inputs(self, X):
        check_is_fitted(self)
        return checked_inputs(self, X)

    def clipped(self, X: Any) -> npt.NDArray[np.bool_]:
        """Cells that `predict` clips to the training range.

        Columns without an effect in the model are never clipped. A model with `clip=None` clips nothing.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        is_clipped : ndarray of bool of shape (n_samples, n_features)
            True for cells that are clipped.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(max_order=1, quick_error=True).fit(X, X[:, 0] + X[:, 1])
        >>> model.clipped([[0.5, 9.0]]).tolist()
        [[False, True]]
        """
        inputs = self._inputs(X)
        return self._by_column(is_clipped(self.model_, inputs), ("value", "day_of_year")) > 0

    def _columns(self):
        """Names of the columns of X."""
        return names_of(self, self.n_features_in_)

    def _columns_of_inputs(self):
        """For each input of the model, the index of its column in X, and which part of the column it is."""
        index = {name: j for j, name in enumerate(self._columns())}
        return [(index[name], part) for name, part in self.model_.sources]

    def _by_column(self, values, parts=("value", "missing", "day_of_week", "day_of_year")):
        """Sum values of the model's inputs over the inputs that are one of these parts of each column of X."""
        sums = np.zeros((len(values), self.n_features_in_))
        for j, (column, part) in enumerate(self._columns_of_inputs()):
            if part in parts:
                sums[:, column] += values[:, j]
        return sums

    def predict_terms(self, X: Any) -> pandas.DataFrame | polars.DataFrame:
        """Decompose predictions into the contributions of the terms.

        The terms are the components of the model's functional ANOVA decomposition, whose fractions of variance are in
        `terms_`. Each component has mean zero over the training distribution of its inputs, which are taken as
        independent. The model stores up to 64 values of each input for this purpose.

        If the target was transformed (`target_transform_`), contributions are on the transformed scale. Rows then sum to
        log y or √y, and `predict` returns the mean of y.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        contributions : DataFrame of shape (n_samples, 1 + n_terms)
            A column `intercept` and one for each term, in the order of `terms_`. Rows sum to `predict(X)` up to
            rounding. If an input is called `intercept`, the first column is called `(intercept)`. It is a polars
            dataframe if X is one, else a pandas dataframe with the index of X;
            `sklearn.set_config(transform_output=...)` overrides this.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, 2 * X[:, 0] + X[:, 1])
        >>> contributions = model.predict_terms(X)
        >>> list(contributions.columns)
        ['intercept', 'x1', 'x2']
        >>> bool(np.allclose(contributions.sum(axis=1), model.predict(X)))
        True
        """
        inputs = self._inputs(X)
        values = self.model_.term_values(inputs, threads_for(self.n_jobs))
        return self._contributions(values, [name for name, *_ in self.model_.terms], X)

    def explain(self, X: Any, by: str = "term") -> pandas.DataFrame | polars.DataFrame:
        """Contributions of each term, or of each input, to the predictions.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.
        by : {"term", "input"}, default="term"
            "term" gives the contributions of `predict_terms`. "input" divides each term evenly among its inputs, which
            gives interventional Shapley values for independent inputs with the training distribution. If the model has a
            kernel term, its part above order three is divided evenly among all inputs, which is approximate. The
            contributions of missingness, day of the week and day of the year count to their column of X.

        Returns
        -------
        contributions : DataFrame
            A column `intercept` and one for each term, or one for each column of X. Rows sum to `predict(X)` as those
            of `predict_terms` do.

        See Also
        --------
        WaterfallDisplay : Draws the contributions to one prediction.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, 2 * X[:, 0] + X[:, 1])
        >>> model.explain(X, by="input").shape
        (60, 3)
        """
        refuse_unknown_parts(by)
        if by == "term":
            return self.predict_terms(X)
        inputs = self._inputs(X)
        values = self.model_.input_values(inputs, threads_for(self.n_jobs))
        return self._contributions(np.column_stack([values[:, :1], self._by_column(values[:, 1:])]), self._columns(), X)

    @staticmethod
    def _contributions(values, names, X):
        intercept = "intercept"
        while intercept in names:
            intercept = f"({intercept})"
        return _frame(values, [intercept, *names], X)

    def sensitivity(self, inputs: Any = None, data: Any = None) -> Sensitivity:
        """Global sensitivity analysis: Sobol' indices, or a covariance decomposition over the rows of a table.

        Parameters
        ----------
        inputs : str or dict, default=None
            Distributions of independent inputs. A string applies to all inputs. "uniform" is over the training range,
            "normal" has the mean and standard deviation of the training rows, and "empirical" has their values. A dict assigns distributions by name, as in
            `{"x1": "uniform(0, 2)", "x2": "normal(3, 0.5)", "x3": (0, 1)}`, where a pair of numbers is a uniform
            distribution. Other inputs, and all inputs by default, are empirical.
        data : array-like or dataframe of shape (n_samples, n_features), default=None
            Rows, for instance the training rows, to analyse instead, with the dependence between inputs that they have.
            The fraction of a term is then its covariance with the prediction, divided by the variance of the prediction.
            It is the sum of a structural part (the variance of the term) and a correlative part (its covariance with
            other terms).

        Returns
        -------
        sensitivity : Sensitivity
            Tables `inputs` and `terms`. If the target was transformed (`target_transform_`), they refer to the
            transformed target.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso", alpha=1e-3).fit(X, 2 * X[:, 0] + X[:, 1])
        >>> found = model.sensitivity("uniform(-1, 1)")
        >>> found.inputs.set_index("input")["first"].round(1).to_dict()
        {'x1': 0.8, 'x2': 0.2}
        """
        check_is_fitted(self)
        if inputs is not None and data is not None:
            raise ValueError("inputs and data exclude each other.\nGive one of them.")
        names = list(self.model_.inputs)
        if data is not None:
            return tables(names, self.model_.sensitivity_on(self._inputs(data), threads_for(self.n_jobs)), True)
        return tables(names, self.model_.sensitivity(distributions_text(inputs, names), threads_for(self.n_jobs)), False)

    @property
    def sobol_(self) -> pandas.DataFrame:
        """First-order and total Sobol' index of each input, for independent inputs with the training distribution.

        This is the table `inputs` of `sensitivity()`. `sensitivity` also takes other distributions, and rows with
        dependent inputs. The bounds `first_low`, … contain the index with a probability of 90 %.
        """
        return self.sensitivity().inputs

    def gradient(self, X: Any) -> npt.NDArray[np.float64]:
        """Gradient of the prediction.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        gradient : ndarray of shape (n_samples, n_features)
            Partial derivatives, in units of the target per unit of the column, or per day for dates. They are 0 for
            columns without an effect in the model.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso", alpha=1e-6).fit(X, 2 * X[:, 0] + X[:, 1])
        >>> model.gradient(X[:1]).round(2).tolist()
        [[2.0, 1.0]]
        """
        inputs = self._inputs(X)
        return self._by_column(self.model_.gradient(inputs, threads_for(self.n_jobs)), ("value", "day_of_year"))

    def equation(self, digits: int | None = None, *, terms: int | None = None) -> str:
        """The model as a formula of its inputs.

        Parameters
        ----------
        digits : int, default=None
            Significant digits of the numbers, from 1 to 17. The default is 6 for the whole formula and 3 for `terms`.
        terms : int, default=None
            Number of terms, largest fraction of variance first. None gives the whole formula, which reproduces the
            predictions with 17 digits. With a number, the formula has one line for each term. The line approximates the
            term to `digits` digits by as few functions as possible. A comment after `#` has the number of basis functions
            that it replaces. The last line counts the terms that were left out.

        Returns
        -------
        formula : str
            Names of inputs that are not plain words are between backquotes, and a backquote in a name is doubled.
            Transformed inputs (`transforms_`) are written as `log(x)`, `log(-x)` or `rank(x)`. The rank is the fraction of
            training rows below x plus half of those equal to x, interpolated between stored knots. A category is written
            as `[x = level]`, which is 1 at the level and 0 elsewhere. Inside cos and sin of the whole formula, it is the
            code of the level.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso", alpha=1e-9).fit(X, 1 + 2 * X[:, 0])
        >>> print(model.equation(3))  # doctest: +ELLIPSIS
        y = 1 + 2*x1...
        """
        check_is_fitted(self)
        if terms is None:
            return self.model_.equation(6 if digits is None else digits)
        if terms < 1:
            raise ValueError(f"terms {terms} is not allowed.\nGive 1 or more, or None for the whole formula.")
        return self.model_.short_equation(terms, 3 if digits is None else digits)

    @property
    def terms_(self) -> pandas.DataFrame:
        """Terms of the model, largest fraction of variance first.

        `term` is the name, `inputs` the tuple of names of its inputs, and `order` their number. `fraction` is the
        fraction of variance over the training rows. `basis_functions` is the number of basis functions; it is 0 for a
        main effect that is contained in an interaction.

        `p_value` tests the null hypothesis that the term has no effect given the other terms. It is adjusted for all
        candidate terms. It is NaN where no test is valid: methods other than auto, exact fits, models with a kernel
        term, and simplified models.
        """
        import pandas

        check_is_fitted(self)
        inputs = self.model_.inputs
        rows = [
            (
                name,
                tuple(inputs[j] for j in variables),
                len(variables),
                fraction,
                np.nan if p_value is None else p_value,
                basis_functions,
            )
            for name, variables, basis_functions, fraction, p_value in self.model_.terms
        ]
        return pandas.DataFrame(rows, columns=["term", "inputs", "order", "fraction", "p_value", "basis_functions"])

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Importance of each column of X: the fraction of variance of all terms that contain it.

        Missingness, and the day of the week and of the year of dates, count to their column. It is a total index: a term
        of two columns counts to both, so that the sum is 1 without interactions and larger with them. `RFE` and
        `SelectFromModel` of scikit-learn use it.
        """
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        columns = [column for column, _ in self._columns_of_inputs()]
        for _, variables, _, fraction, _ in self.model_.terms:
            importances[sorted({columns[j] for j in variables})] += fraction
        return importances

    @property
    def path_(self) -> pandas.DataFrame:
        """Every step of the path from which the model was selected, one row each.

        The columns are `step`, `basis_functions` (number that remain), `rank`, `train_mse`, `validation_mse`, `ridge`,
        `penalty`, `converged`, `duality_gap` and `chosen`. A model that was loaded from a file has no path.
        """
        import pandas

        check_is_fitted(self)
        if self._path is None:
            raise AttributeError("path_ is not stored in model files, nor after an interrupted fit.\nFit the model again.")
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
