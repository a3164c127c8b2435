"""The classifier: the terms of the regressor for log odds."""

from ._classification import BaseClassifier
from ._parameters import Parameter, parameters_of, takes

_CLASS_WEIGHT = Parameter(
    "class_weight",
    "",
    None,
    "",
    "Weights of the classes: a dict of weights, or 'balanced' for weights that give all classes the same total weight. "
    "Predicted probabilities are then those of the weighted rows. Classes have equal weights by default.",
)

# Transforms of the target, and the choice of method and loss with its parameters, do not apply to classes.
_PARAMETERS = [
    name
    for name in ["random_state", *parameters_of("auto")]
    if name not in ("method", "loss", "target_transform", "tweedie_power", "quantile")
]


@takes(*dict.fromkeys(_PARAMETERS), extra=(_CLASS_WEIGHT,))
class ShrimpClassifier(BaseClassifier):
    """Interpretable classification: a sum of main effects and low-order interactions for the log odds.

    Two classes have one model, of the probability of the second class in sorted order. More classes are fitted jointly
    by multinomial logistic regression: they share the terms, and each class has a linear predictor. `terms_`, `explain`,
    `sensitivity` and `equation` describe log odds, or the linear predictors of the classes.

    With more than two classes, everything that describes a model is a dict by class. This applies to attributes such as
    `terms_`, and to results of methods such as `explain`, unless `class_of_interest` selects a class. Methods that write a file or draw a
    figure (`report`, `export` with a path, the displays) need `class_of_interest`. `feature_importances_` is then the
    mean over the classes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    estimators_ : list of ShrimpClassifier
        For each class, an estimator with the model of its linear predictor, which does not predict classes. Only with
        more than two classes.
    terms_ : DataFrame
        Terms of the model with their fraction of the variance of the log odds, p-value and number of basis functions,
        largest first. With more than two classes this and the following attributes are dicts by class, except
        `feature_importances_`.
    feature_importances_ : ndarray of shape (n_features_in_,)
        For each column of X, the fraction of variance of all terms that contain it; with more than two classes the mean
        over the classes.
    sobol_ : DataFrame
        First-order and total Sobol' index of each input, for independent inputs.
    path_ : DataFrame
        Every step of the path from which the model was selected.
    order_ : list of int
        Orders of the selected dictionary.
    n_basis_functions_ : int
        Number of basis functions of the model.
    validation_log_loss_ : float or None
        Estimated generalisation error: the log loss on rows that were not used for model selection.
    validation_log_loss_se_ : float or None
        Standard error of `validation_log_loss_`.
    fraction_above_order_three_ : float or None
        Fraction of the explained variance in interactions of more than three inputs. None if the model has none.
    transforms_ : dict of str to str
        Transforms of the inputs, "rank" or "log", by name of the input. Inputs without a transform are not listed.
    model_ : Model
        The model of the library for two classes, as it is saved.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the columns of X in `fit`, if they are strings.

    See Also
    --------
    ShrimpRegressor : The same model for numbers and counts.
    shrimp.dask.ShrimpClassifier : The same estimator for tables in Dask's partitions.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpClassifier
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> y = np.where(np.sin(3 * X[:, 0]) + X[:, 1] > 0, "up", "down")
    >>> model = ShrimpClassifier(max_order=1, quick_error=True).fit(X, y)
    >>> model.classes_.tolist()
    ['down', 'up']
    >>> bool(model.score(X, y) > 0.9)
    True
    """
