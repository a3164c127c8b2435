"""ShrimpRegressor, and a thin subclass for each method of the paper."""

import inspect
import textwrap

from ._base import BaseRegressor
from ._parameters import parameters_of, takes


@takes()
class ShrimpRegressor(BaseRegressor):
    """Interpretable regression: a sum of main effects and low-order interactions.

    The default method, `method="auto"`, selects terms by screening and forward selection. It represents them by random
    features, prunes these, and adds a kernel term over all inputs where low order is not enough. Other values of
    `method` are the methods of the SHRIMP paper and its baselines. Parameters that a method does not use are ignored
    with a warning. `LassoRegressor`, `KrrRegressor` and similar classes are single methods with their own parameters
    only.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    terms_ : DataFrame
        Terms of the model with their fraction of variance, p-value and number of basis functions, largest first.
    feature_importances_ : ndarray of shape (n_features_in_,)
        For each column of X, the fraction of variance of all terms that contain it.
    sobol_ : DataFrame
        First-order and total Sobol' index of each input, for independent inputs.
    path_ : DataFrame
        Every step of the path from which the model was selected.
    readable_ : ShrimpRegressor or None
        If the model has a kernel term, the best model without it, fitted in the same search.
    order_ : list of int
        Orders of the selected dictionary.
    n_basis_functions_ : int
        Number of basis functions of the model.
    train_mse_ : float or None
        Mean squared error on the training rows.
    validation_mse_ : float or None
        Estimated generalisation error: the mean squared error on rows that were not used for model selection. With
        `quick_error=True`, and with methods other than auto, it is the error on the validation rows, which selected the
        model, and is slightly optimistic.
    validation_se_ : float or None
        Standard error of `validation_mse_`. None if the rows of `validation_mse_` selected the model.
    fraction_above_order_three_ : float or None
        Fraction of the explained variance in interactions of more than three inputs. None if the model has none.
    transforms_ : dict of str to str
        Transforms of the inputs, "rank" or "log", by name of the input. Inputs without a transform are not listed.
    target_transform_ : str
        Transform of the target: "identity", "log" or "sqrt". Predictions are means of the untransformed target.
    converged_ : bool
        Whether an iterative method reached its tolerance.
    duality_gap_ : float
        Relative duality gap at which an iterative method ended.
    summary_ : Summary
        Sufficient statistics of the training rows, from which `partial_fit` and `simplify` refit the model.
    simplified_ : DataFrame
        Number of terms and basis functions and errors before and after `simplify`, on the model that it returned.
    model_ : Model
        The model of the library, as it is saved.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the columns of X in `fit`, if they are strings.

    See Also
    --------
    ShrimpClassifier : The same model for classes.
    shrimp.dask.ShrimpRegressor : The same estimator for tables in Dask's partitions.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 4))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=500).fit(X, y)
    >>> round(model.score(X, y), 3)
    1.0
    >>> model.terms_["term"].head(2).tolist()
    ['x1', '(x2, x3)']
    """

    def __init_subclass__(cls, method=None, example="", **more):
        """A subclass with a `method` has the parameters that this method uses; `example` has arguments for a small fit."""
        super().__init_subclass__(**more)
        if method is None:
            return
        cls._method = method
        cls.__doc__ = _DOCSTRING_OF_A_METHOD.format(
            summary=inspect.cleandoc(cls.__doc__), method=method, name=cls.__name__, example=example
        )
        takes(*parameters_of(method))(cls)


_DOCSTRING_OF_A_METHOD = textwrap.dedent("""\
    {summary}

    Equivalent to ``ShrimpRegressor(method="{method}")`` with the parameters that this method uses. Methods and attributes
    are those of `ShrimpRegressor`.

    Parameters
    ----------
    {{parameters}}

    See Also
    --------
    ShrimpRegressor : All methods in one class, with the documentation of the attributes.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import {name}
    >>> X = np.random.default_rng(0).uniform(-1, 1, (100, 3))
    >>> model = {name}({example}).fit(X, X[:, 0] - X[:, 1])
    >>> model.predict(X).shape
    (100,)
    """)


class MinL2Regressor(ShrimpRegressor, method="min-l2", example="features=50"):
    """Minimum-norm least squares on all random features, without pruning."""


class NaivePruneRegressor(ShrimpRegressor, method="naive-prune", example="features=50"):
    """Pruning of the minimum-norm solution by magnitude, without refitting."""


class RandomPruneRegressor(ShrimpRegressor, method="random-prune", example="features=50"):
    """Pruning and refitting, where random features are dropped at random."""


class ImpLinearRegressor(ShrimpRegressor, method="imp-linear"):
    """Iterative magnitude pruning of linear regression, by default one input at a time."""


class StlsqRegressor(ShrimpRegressor, method="stlsq", example="features=50"):
    """Sequentially thresholded least squares (SINDy) on random features."""


class SrfeRegressor(ShrimpRegressor, method="srfe-s", example="features=50, eta=0.1"):
    """Sparse random feature expansion (SRFE-S): basis pursuit denoising, followed by thresholding."""


class LassoRegressor(ShrimpRegressor, method="lasso"):
    """Lasso by coordinate descent on the inputs, or on random features if `basis` selects them."""


class SsamRegressor(ShrimpRegressor, method="ssam", example="features=50"):
    """Sparse shrunk additive models (SSAM): lasso on kernel functions of all supports."""


class SalsaRegressor(ShrimpRegressor, method="salsa", example="order=1, alpha=1e-3"):
    """Kernel ridge regression with the additive kernel of a given order (SALSA)."""


class KrrRegressor(ShrimpRegressor, method="krr"):
    """Kernel ridge regression with the Gaussian kernel over all inputs."""


class HarfeRegressor(ShrimpRegressor, method="harfe", example="features=50, sparsity=10"):
    """Hard-ridge random feature expansion (HARFE): hard thresholding pursuit with ridge on random features."""
