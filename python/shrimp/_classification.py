"""The base class of the classifier: two classes with logistic loss, more classes with multinomial loss."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._clipping import warn_if_clipped
from ._deprecated import RenamedAttributes, RenamedParameters
from ._files import Files, existing
from ._fitting import Fitting, name_of
from ._groups import group_numbers
from ._inspection import Inspection
from ._progress import CallbackSupportMixin, with_callbacks
from ._summary import describe_html
from ._threads import threads_for
from ._validation import checked_labels, names_of

if TYPE_CHECKING:
    import numpy.typing as npt

_FORMAT = "shrimp-classes"

# Attributes that describe one model. With more than two classes they are dicts by class.
_ATTRIBUTES_OF_ONE_MODEL = {
    "terms_", "sobol_", "path_", "order_", "n_basis_functions_", "train_mse_", "validation_mse_", "validation_se_",
    "validation_log_loss_", "validation_log_loss_se_", "fraction_above_order_three_", "transforms_", "target_transform_",
    "converged_", "duality_gap_",
}  # fmt: skip

_OF_LOG_ODDS = (
    "The values refer to the log odds of the second of two classes. With more classes, they refer to the linear predictor "
    "of the class. It is the logarithm of its probability over the geometric mean of the probabilities of all classes. "
)
_OF_PROBABILITY = (
    "The values refer to the probability of the second of two classes. With more classes, they refer to the linear "
    "predictor of the class. It is the logarithm of its probability over the geometric mean of all classes. "
)
_BY_CLASS = (
    "Two classes have one linear predictor, of the second class. More classes have one each. "
    "The result is then a dict by class in the order of `classes_`, or the result for `class_of_interest` if it is given. "
)
_FOR_FILES = "With a path, more than two classes need `class_of_interest`. "

_CLASS_PARAMETER = """class_of_interest : label, default=None
    With more than two classes, the class whose model is used. Two classes need none."""


def _documented_as(method, notes):
    """Give a method the docstring of another, with `class_of_interest` and notes; its example is of a regressor."""

    def decorate(own):
        doc = inspect.cleandoc(method.__doc__).partition("\n\nExamples\n--------")[0]
        end = doc.index("\n\nReturns\n-------")
        own.__doc__ = f"{doc[:end]}\n{_CLASS_PARAMETER}{doc[end:]}\n\nNotes\n-----\n{textwrap.fill(notes.strip(), 112)}"
        return own

    return decorate


class _Rows(NamedTuple):
    """Validated training and validation rows, without their classes."""

    X: Any
    column_types: Any
    weights: Any
    groups: Any
    X_val: Any
    column_types_val: Any
    target: str

    def with_duplicate(self, row):
        """These rows with one of them twice, each time with half its weight."""
        weights = np.ones(len(self.X)) if self.weights is None else self.weights.copy()
        weights[row] /= 2
        return self._replace(
            X=np.vstack([self.X, self.X[row]]),
            weights=np.append(weights, weights[row]),
            groups=None if self.groups is None else np.append(self.groups, self.groups[row]),
        )


class BaseClassifier(
    RenamedAttributes,
    RenamedParameters,
    Files,
    Inspection,
    Fitting,
    CallbackSupportMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """A scikit-learn classifier. Subclasses take the parameters of the fit, and `class_weight`."""

    _method = "auto"
    classes_: npt.NDArray[Any]
    estimators_: list[BaseClassifier]
    _class_model: _core.ClassModel | None = None

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
            Inputs: numbers, categories, dates and missing cells, as `ShrimpRegressor` accepts them.
        y : array-like of shape (n_samples,)
            Classes: strings, numbers or booleans.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        X_val : array-like or dataframe of shape (n_validation_samples, n_features), default=None
            Validation rows for model selection, instead of rows held out from X. The final fit uses all rows of X.
        y_val : array-like of shape (n_validation_samples,), default=None
            Classes of the validation rows.
        groups : array-like of shape (n_samples,), default=None
            Group labels of dependent rows. Rows of one group are held out together.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        target = name_of(y)
        X, y, column_types = checked_labels(self, X, y, ensure_min_samples=2)
        check_classification_targets(y)
        weights = self._weights(X, y, sample_weight)
        classes = np.unique(y)
        self._refuse_unseen(y, classes, weights)
        if groups is not None:
            groups = group_numbers(groups, len(y))
        if (X_val is None) != (y_val is None):
            raise ValueError("only one of X_val and y_val is given.\nGive both or neither.")
        column_types_val = None
        if X_val is not None:
            X_val, y_val, column_types_val = checked_labels(self, X_val, y_val, "validation data, ", reset=False)
            if unknown := sorted(set(np.unique(y_val).tolist()) - set(classes.tolist()), key=str):
                raise ValueError(f"validation data: class {unknown[0]!r} does not occur in y.\nDrop its rows.")
        self._forget()
        self.classes_ = classes
        rows = _Rows(X, column_types, weights, groups, X_val, column_types_val, target)
        codes, codes_val = _codes(y, classes), None if y_val is None else _codes(y_val, classes)
        if len(classes) > 2:
            # The library refuses a class with one row, but the other classes can be fitted.
            for k in np.flatnonzero(np.bincount(codes.astype(int)) == 1):
                row = np.flatnonzero(codes == k)[0]
                rows, codes = rows.with_duplicate(row), np.append(codes, codes[row])
        result = self._fit_codes(rows, codes, codes_val, [str(name) for name in classes.tolist()])
        if len(classes) > 2:
            self._take_classes(result.class_model)
            for one in self.estimators_:
                one._take_search(result)
        else:
            self._take_fit(result)
        self._warn(result)
        return self

    def _fit_codes(self, rows, codes, codes_val, names):
        """Fit validated rows with classes 0, 1, …."""
        inputs = names_of(self, rows.X.shape[1])
        texts = self._texts() | {"loss": "logistic" if len(names) == 2 else "multinomial"}
        return self._run(
            lambda report: _core.fit(
                rows.X,
                codes,
                rows.weights,
                inputs,
                rows.target,
                texts,
                rows.X_val,
                codes_val,
                report,
                rows.groups,
                None,
                names,
                rows.column_types or [],
                rows.column_types_val or [],
            ),
            rows.X,
            codes,
        )

    def _weights(self, X, y, sample_weight):
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if self.class_weight is None:
            return sample_weight
        by_class = compute_sample_weight(self.class_weight, y)
        return np.ascontiguousarray(by_class if sample_weight is None else by_class * sample_weight)

    @staticmethod
    def _refuse_unseen(y, classes, weights):
        if len(classes) < 2:
            raise ValueError(f"y has a single class, {classes.tolist()[0]!r}.\nGive rows of at least two classes.")
        for name in classes.tolist() if weights is not None else ():
            if not np.any(weights[y == name] > 0):
                raise ValueError(f"class {name!r} has no row with a weight above 0.\nGive it a positive weight, or drop its rows.")

    def _forget(self):
        for name in ("model_", "estimators_", "_class_model"):
            vars(self).pop(name, None)

    def _take_classes(self, class_model):
        """Make this an estimator of several classes: one estimator per class has the model of its linear predictor."""
        self._class_model = class_model
        self.estimators_ = []
        for k in range(len(self.classes_)):
            one = clone(self).set_params(class_weight=None)
            one.classes_ = np.array([False, True])
            one._of_one_class = True
            one._take(class_model.model_of(k))
            one._take_names(class_model.shared.table_columns)
            one._path = one._readable = None
            self.estimators_.append(one)

    def _take_interrupted(self, model):
        if isinstance(model, _core.ClassModel):
            self._take_classes(model)
            self._take_names(model.shared.table_columns)
        else:
            super()._take_interrupted(model)

    def _take(self, model):
        super()._take(model)
        self.validation_log_loss_ = model.results.get("validation_log_loss")
        self.validation_log_loss_se_ = model.results.get("validation_log_loss_se")

    def __getattr__(self, name):
        """Attributes of one model are dicts by class if each class has its own model."""
        if "estimators_" in vars(self):
            if name == "model_":
                raise AttributeError("each class has its own model_.\nUse class_of_interest, or read those of estimators_.")
            if name == "feature_importances_":
                return np.mean([one.feature_importances_ for one in self.estimators_], axis=0)
            if name in _ATTRIBUTES_OF_ONE_MODEL:
                return {label: getattr(one, name) for label, one in self._ones()}
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self):
        return sorted({*super().__dir__(), *(_ATTRIBUTES_OF_ONE_MODEL if "estimators_" in vars(self) else ())})

    def _ones(self):
        """Pairs of a class and the estimator of it against the rest; for two classes, of the second class alone."""
        if "estimators_" in vars(self):
            return list(zip(self.classes_.tolist(), self.estimators_))
        return [(self.classes_.tolist()[1], self)]

    def _one(self, class_of_interest=None):
        """The estimator with the model of one class. Two classes have one model."""
        check_is_fitted(self)
        ones = self._ones()
        if class_of_interest is None and len(ones) == 1:
            return ones[0][1]
        labels = ", ".join(repr(label) for label, _ in ones)
        if class_of_interest is None:
            raise ValueError(f"each class has its own model.\nGive class_of_interest, one of {labels}.")
        for label, one in ones:
            if label == class_of_interest:
                return one
        raise ValueError(f"class_of_interest {class_of_interest!r} has no model.\nGive one of {labels}.")

    def _by_class(self, read, class_of_interest):
        """The result of `read` for one model, or a dict by class of its results."""
        check_is_fitted(self)
        if class_of_interest is not None or "estimators_" not in vars(self):
            return read(self._one(class_of_interest))
        return {label: read(one) for label, one in self._ones()}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self):
        return "model_" in vars(self) or "estimators_" in vars(self)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Log odds of the second class; with more than two classes, the linear predictor of each class.

        The linear predictors of a row sum to 0. A linear predictor is the logarithm of the probability of the class over
        the geometric mean of the probabilities of all classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        log_odds : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Log odds or linear predictors.
        """
        if self._class_model is not None:
            return np.asarray(self._class_model.predict_linear(self._shared_inputs(X), threads_for(self.n_jobs)))
        if "estimators_" in vars(self):
            self._inputs(X)
            return np.column_stack([one._log_odds(one._inputs(X)) for one in self.estimators_])
        inputs = self._inputs(X)
        warn_if_clipped(self.model_, inputs)
        return self._log_odds(inputs)

    def _shared_inputs(self, X):
        """Validated inputs of all classes."""
        self._inputs(X)
        inputs = self.estimators_[0]._inputs(X)
        warn_if_clipped(self.estimators_[0].model_, inputs)
        return inputs

    def _refuse_one_class(self):
        if vars(self).get("_of_one_class"):
            raise AttributeError(
                "this estimator has the linear predictor of one class alone.\nUse the classifier of all classes to predict."
            )

    def _log_odds(self, inputs):
        return np.asarray(self.model_.predict_linked(inputs, threads_for(self.n_jobs)))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Predict the probability of each class.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        probability : ndarray of shape (n_samples, n_classes)
            Probabilities in the order of `classes_`. Rows sum to 1.
        """
        self._refuse_one_class()
        if self._class_model is not None:
            return np.asarray(self._class_model.predict_probabilities(self._shared_inputs(X), threads_for(self.n_jobs)))
        odds = self.decision_function(X)
        with np.errstate(over="ignore"):
            probability = 1.0 / (1.0 + np.exp(-odds))
        if probability.ndim == 1:
            return np.column_stack([1.0 - probability, probability])
        # All probabilities of a row may underflow to 0: its classes are then equally probable.
        total = probability.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, probability / np.where(total > 0.0, total, 1.0), 1.0 / probability.shape[1])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        prediction : ndarray of shape (n_samples,)
            Class of each row.
        """
        self._refuse_one_class()
        odds = self.decision_function(X)
        return self.classes_[(odds > 0).astype(int) if odds.ndim == 1 else odds.argmax(axis=1)]

    def predict_interval(self, X: Any, level: float = 0.9) -> npt.NDArray[np.float64]:
        """Credible intervals of the probability of the second class. They need two classes.

        The coefficients have a normal posterior distribution (Laplace's approximation), and so have the log odds.
        Effects that were not detected are allowed for by a factor on the standard deviation.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.
        level : float, default=0.9
            Probability, between 0 and 1.

        Returns
        -------
        bounds : ndarray of shape (n_samples, 2)
            Lower and upper bounds of the probability of `classes_[1]`.
        """
        check_is_fitted(self)
        if "estimators_" in vars(self):
            raise ValueError(
                "predict_interval needs two classes, but the model has more.\n"
                "Fit one class against the rest, or use predict_proba."
            )
        inputs = self._inputs(X)
        bounds = self.model_.predict_intervals(inputs, level, threads_for(self.n_jobs))
        warn_if_clipped(self.model_, inputs)
        return bounds

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model.

        The command line reads the file. `load` returns classes as numbers or booleans if all their names are such, else
        as text.

        Parameters
        ----------
        path : str or path-like
            File to write.
        """
        check_is_fitted(self)
        if self._class_model is not None:
            self._class_model.save(os.fspath(path))
            return
        if "estimators_" not in vars(self):
            self.model_.save(os.fspath(path))
            return
        content = {  # Of models against the rest, from a file of an earlier version.
            "format": _FORMAT,
            "format_version": 1,
            "classes": [str(name) for name in self.classes_.tolist()],
            "models": [json.loads(one.model_.to_json()) for one in self.estimators_],
        }
        unfinished = pathlib.Path(f"{os.fspath(path)}.part")
        unfinished.write_text(json.dumps(content, indent=1) + "\n")
        unfinished.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model that `save` or `shrimp fit --output` wrote.

        Files of more than two classes of earlier versions have one model per class against the rest. Their
        probabilities are divided by their sum.

        Parameters
        ----------
        path : str or path-like
            Model file.

        Returns
        -------
        estimator : ShrimpClassifier
            A fitted estimator with the parameters that were set when the model was fitted, except `class_weight`.
        """
        source = existing(path)
        several = _several_models(source)
        if several is None:
            model = _core.Model.load(source)
            if not model.classes:
                raise ValueError(f"{source} contains a model without classes.\nLoad it with ShrimpRegressor.load.")
            estimator = cls._of(model, path)
            estimator.classes_ = _named(model.classes)
            return estimator
        if several is True:
            class_model = _core.ClassModel.load(source)
            estimator = cls._of(class_model.model_of(0), path)
            estimator._forget()
            estimator.classes_ = _named(class_model.classes)
            estimator._take_classes(class_model)
            estimator._take_names(class_model.shared.table_columns)
            return estimator
        models = [_core.Model.from_json(json.dumps(one), f"{source}, class {name}") for name, one in several]
        ones = [cls._of(model, path) for model in models]
        estimator = clone(ones[0])
        for one in ones:
            one.classes_ = np.array([False, True])
        estimator.estimators_ = ones
        estimator.classes_ = _named([name for name, _ in several])
        estimator._take_names(models[0].table_columns)
        return estimator

    def clipped(self, X: Any) -> npt.NDArray[np.bool_]:
        """Cells that predictions clip to the training range, in the model of any class.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        is_clipped : ndarray of bool of shape (n_samples, n_features)
            True for cells that are clipped.
        """
        if "estimators_" not in vars(self):
            return Inspection.clipped(self, X)
        return np.any([one.clipped(X) for one in self.estimators_], axis=0)

    @_documented_as(Inspection.predict_terms, _OF_LOG_ODDS + _BY_CLASS)
    def predict_terms(self, X: Any, *, class_of_interest: Any = None) -> Any:
        return self._by_class(lambda one: Inspection.predict_terms(one, X), class_of_interest)

    @_documented_as(Inspection.explain, _OF_LOG_ODDS + _BY_CLASS)
    def explain(self, X: Any, by: str = "term", *, class_of_interest: Any = None) -> Any:
        return self._by_class(lambda one: Inspection.explain(one, X, by), class_of_interest)

    @_documented_as(Inspection.sensitivity, _OF_LOG_ODDS + _BY_CLASS)
    def sensitivity(self, inputs: Any = None, data: Any = None, *, class_of_interest: Any = None) -> Any:
        return self._by_class(lambda one: Inspection.sensitivity(one, inputs, data), class_of_interest)

    @_documented_as(Inspection.gradient, _OF_PROBABILITY + _BY_CLASS)
    def gradient(self, X: Any, *, class_of_interest: Any = None) -> Any:
        return self._by_class(lambda one: Inspection.gradient(one, X), class_of_interest)

    @_documented_as(Inspection.equation, _OF_LOG_ODDS + _BY_CLASS)
    def equation(self, digits: int | None = None, *, terms: int | None = None, class_of_interest: Any = None) -> Any:
        return self._by_class(lambda one: Inspection.equation(one, digits, terms=terms), class_of_interest)

    @_documented_as(Files.export, _OF_PROBABILITY + _BY_CLASS + _FOR_FILES)
    def export(
        self,
        path: str | os.PathLike[str] | None = None,
        to: str = "c",
        *,
        name: str = "",
        terms: int = 10,
        digits: int = 3,
        class_of_interest: Any = None,
    ) -> Any:
        def write(one):
            return Files.export(one, path, to, name=name, terms=terms, digits=digits)

        return write(self._one(class_of_interest)) if path is not None else self._by_class(write, class_of_interest)

    def report(
        self, path: str | os.PathLike[str], X: Any = None, y: Any = None, *, class_of_interest: Any = None
    ) -> None:
        """Write an HTML page that describes the model of a class, in one file without network access.

        Effects and fractions of variance refer to log odds. With test rows, the page has the log loss, AUC and accuracy,
        the calibration and ROC curves and the confusion matrix.

        Parameters
        ----------
        path : str or path-like
            HTML file to write.
        X : array-like or dataframe of shape (n_samples, n_features), default=None
            Test rows, for two classes only.
        y : array-like of shape (n_samples,), default=None
            Classes of the test rows.
        class_of_interest : label, default=None
            With more than two classes, the class whose linear predictor is described. Two classes need none.
        """
        one = self._one(class_of_interest)
        if (X is None) != (y is None):
            raise ValueError("only one of X and y is given.\nGive both or neither.")
        if y is not None and self._class_model is not None:
            raise ValueError(
                "test rows apply to two classes only.\nOmit X and y, and use sklearn.metrics for the errors of all classes."
            )
        if y is not None:
            _, y, _ = checked_labels(self, X, y, "test data, ", reset=False)
            if unknown := sorted(set(np.unique(y).tolist()) - set(self.classes_.tolist()), key=str):
                raise ValueError(f"test data: class {unknown[0]!r} does not occur in the training rows.\nDrop its rows.")
            y = _codes(y, self.classes_) if one is self else (y == class_of_interest).astype(np.float64)
        Files.report(one, path, X, y)

    def _repr_html_inner(self):
        if "estimators_" not in vars(self):
            return super()._repr_html_inner()
        tables = (describe_html(one.model_) for one in self.estimators_)
        return BaseEstimator._repr_html_inner(self) + "".join(tables)


def _codes(y, classes):
    return np.ascontiguousarray(np.searchsorted(classes, y), dtype=np.float64)


def _several_models(source):
    """True for a joint model of several classes, None for one model; pairs of a class and its JSON for earlier files."""
    text = pathlib.Path(source).read_bytes()
    if f'"format": "{_FORMAT}"'.encode() not in text[:200]:
        return None
    try:
        content = json.loads(text)
        if content.get("format_version", 1) > 1:
            return True
        return list(zip(content["classes"], content["models"], strict=True))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{source} is damaged: {error}.\nSave the model again.") from None


def _named(names):
    """Classes from their names in a file."""
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for number in (int, float):
        try:
            return np.array([number(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
