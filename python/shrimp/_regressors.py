"""One regressor for each method, and one for all of them."""

import inspect

from ._base import BaseRegressor
from ._parameters import parameters_of, takes

_ATTRIBUTES = """Attributes
----------
terms_ : DataFrame
    Terms of the model with their share of its variance, largest first.
path_ : DataFrame
    Every step of the path that the model was chosen from.
feature_importances_ : ndarray of shape (n_features_in_,)
    Fraction of variance of all terms that contain a column, its missingness included.
order_ : list of int
    The orders of the chosen dictionary.
n_columns_ : int
    Columns of the model.
train_mse_, validation_mse_ : float
    Errors on the rows that were fitted, and on rows that were not: where method auto found noise, on rows that took no
    part in the search, else on those that the model was chosen by.
validation_se_ : float or None
    The standard error of validation_mse_, where its rows took no part in the search.
share_above_three_ : float or None
    The part of the explained variance that takes more than three inputs together, where columns look at as many.
forms_ : dict
    How inputs enter that do not as they are, by name: "rank", their rank among the training rows, or "log".
target_form_ : str
    What was fitted: "identity", the target as it is, or its "log" or "sqrt". Predictions are the target's mean in any.
converged_ : bool
    Whether an iterative method came within its tolerance.
gap_ : float
    The relative duality gap that it ended with.
summary_ : Summary
    Sums over the rows so far, where partial_fit made the model.
simplified_ : DataFrame
    Terms, columns and errors before and after, where simplify made the model.
model_ : Model
    The model itself, as its file has it.
n_features_in_ : int
feature_names_in_ : ndarray of str"""


def _regressor(cls):
    """Gives a class the parameters of its method, and the docstring its sections in numpydoc's order."""
    what, _, examples = inspect.cleandoc(cls.__doc__).partition("Examples\n--------\n")
    sections = [what.rstrip(), "Parameters\n----------\n{parameters}", _ATTRIBUTES]
    if examples:
        sections.append("Examples\n--------\n" + examples)
    cls.__doc__ = "\n\n".join(sections)
    return takes(*parameters_of(getattr(cls, "_method", None)))(cls)


@_regressor
class ShrimpRegressor(BaseRegressor):
    """Sparse, low-order, readable regression by pruned random features.

    The default of `method` is the library's; other methods fit through the same class. A parameter that a method does
    nothing with is passed over with a warning.

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


@_regressor
class MinL2Regressor(BaseRegressor):
    """The minimum-norm least-squares solution on all features, nothing pruned."""

    _method = "min-l2"


@_regressor
class NaivePruneRegressor(BaseRegressor):
    """Prunes the minimum-norm solution by magnitude and never fits again."""

    _method = "naive-prune"


@_regressor
class RandomPruneRegressor(BaseRegressor):
    """Prune and refit, with columns dropped at random."""

    _method = "random-prune"


@_regressor
class ImpLinearRegressor(BaseRegressor):
    """Iterative magnitude pruning in linear regression, one input a step unless told otherwise."""

    _method = "imp-linear"


@_regressor
class StlsqRegressor(BaseRegressor):
    """Sequentially thresholded least squares (SINDy) on random features."""

    _method = "stlsq"


@_regressor
class SrfeRegressor(BaseRegressor):
    """Sparse random feature expansion: basis pursuit (denoising), thresholded."""

    _method = "srfe-s"


@_regressor
class LassoRegressor(BaseRegressor):
    """Lasso by coordinate descent on the inputs, or on random features where `basis` names some."""

    _method = "lasso"


@_regressor
class SsamRegressor(BaseRegressor):
    """Sparse shrunk additive models: Lasso on kernel sections of all supports."""

    _method = "ssam"


@_regressor
class SalsaRegressor(BaseRegressor):
    """Kernel ridge regression with the additive kernel of order q."""

    _method = "salsa"


@_regressor
class KrrRegressor(BaseRegressor):
    """Kernel ridge regression with the Gaussian kernel of all inputs."""

    _method = "krr"


@_regressor
class HarfeRegressor(BaseRegressor):
    """Hard thresholding pursuit with ridge on random features."""

    _method = "harfe"
