"""Classes by the same terms as numbers."""

from ._classification import BaseClassifier
from ._parameters import Parameter, parameters_of, takes

_CLASS_WEIGHT = Parameter(
    "class_weight",
    "",
    None,
    "dict, 'balanced' or None",
    "How much rows of each class count: a weight for each class, or 'balanced' for weights that make all classes count the "
    "same. Probabilities are then those of rows so weighted. None counts every row once.",
)

# What says of the target that it has another form is not for classes, nor is the choice of method or loss.
_PARAMETERS = [name for name in ["seed", *parameters_of("auto")] if name not in ("method", "loss", "target-form")]


@takes(*dict.fromkeys(_PARAMETERS), extra=(_CLASS_WEIGHT,))
class ShrimpClassifier(BaseClassifier):
    """Sparse, low-order, readable models of the log odds of classes.

    Two classes have one model, of the probability of the second in sorted order. More have one each, of its probability
    against the rest, in `estimators_`; probabilities are those over their sum. `terms_`, `explain`, `sensitivity` and
    `equation` describe log odds. With more than two classes, all that describes a model is a dict by class: attributes
    such as `terms_`, and methods such as `explain`, unless `class_of_interest` names one class. What writes a file or
    draws a figure (`report`, `export` with a path, the displays) takes `class_of_interest`. `feature_importances_` is
    then the mean over the classes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    estimators_ : list of ShrimpClassifier
        One for each class against the rest, where there are more than two.
    terms_ : DataFrame
        Terms with their share of the variance of the log odds, largest first; of more than two classes a dict by class,
        as all that follows but `feature_importances_`.
    n_columns_ : int
        Columns of the model.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Fraction of variance of all terms that contain a column; of more than two classes the mean over these.
    validation_log_loss_, validation_log_loss_se_ : float
        The log loss on rows that took no part in the search, and its standard error.
    model_ : Model
        The model of two classes, as its file has it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpClassifier
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> y = np.where(np.sin(3 * X[:, 0]) + X[:, 1] > 0, "up", "down")
    >>> model = ShrimpClassifier(quick_error=True).fit(X, y)
    >>> model.classes_.tolist()
    ['down', 'up']
    >>> bool(model.score(X, y) > 0.9)
    True
    """
