"""What classifiers do: two classes by the logistic loss, more by one model for each against the rest."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._cells import checked_labels, names_of
from ._clipping import warn_if_clipped
from ._files import Files
from ._fitting import Fitting, name_of
from ._groups import group_numbers
from ._progress import CallbackSupportMixin, with_callbacks
from ._reading import Reading
from ._threads import threads_for

if TYPE_CHECKING:
    import numpy.typing as npt

_FORMAT = "shrimp-classes"


class _Rows(NamedTuple):
    """Rows that were checked, but for their classes."""

    X: Any
    kinds: Any
    weights: Any
    groups: Any
    X_val: Any
    kinds_val: Any
    target: str

    def with_twice(self, row):
        """The same with this row twice, counting half each time."""
        weights = np.ones(len(self.X)) if self.weights is None else self.weights.copy()
        weights[row] /= 2
        return self._replace(
            X=np.vstack([self.X, self.X[row]]),
            weights=np.append(weights, weights[row]),
            groups=None if self.groups is None else np.append(self.groups, self.groups[row]),
        )


class BaseClassifier(Files, Reading, Fitting, CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """Classes as scikit-learn has them. Subclasses take the parameters of the fit, and a `class_weight`."""

    _method = "auto"
    classes_: npt.NDArray[Any]
    estimators_: list[BaseClassifier]

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
            Numbers, categories, dates and missing cells, as `ShrimpRegressor` takes them.
        y : array-like of shape (n_samples,)
            Classes, by whatever names them: strings, numbers, booleans.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts.
        X_val, y_val : array-like, default=None
            Rows to choose the model by. All rows of X are then fitted.
        groups : array-like of shape (n_samples,), default=None
            Rows of equal values belong together and are held out together.

        Returns
        -------
        self
        """
        target = name_of(y)
        X, y, kinds = checked_labels(self, X, y, ensure_min_samples=2)
        check_classification_targets(y)
        weights = self._weights(X, y, sample_weight)
        classes = np.unique(y)
        self._refuse_unseen(y, classes, weights)
        if groups is not None:
            groups = group_numbers(groups, len(y))
        if (X_val is None) != (y_val is None):
            raise ValueError("X_val and y_val go together.\nGive both or neither.")
        kinds_val = None
        if X_val is not None:
            X_val, y_val, kinds_val = checked_labels(self, X_val, y_val, "validation data, ", reset=False)
            if unknown := sorted(set(np.unique(y_val).tolist()) - set(classes.tolist()), key=str):
                raise ValueError(f"validation data: class {unknown[0]!r} is not among those of y.\nDrop its rows.")
        self._forget()
        self.classes_ = classes
        rows = _Rows(X, kinds, weights, groups, X_val, kinds_val, target)
        if len(classes) > 2:
            self._fit_each(rows, y, y_val)
            return self
        codes_val = None if y_val is None else _codes(y_val, classes)
        names = [str(name) for name in classes.tolist()]
        self._fit_codes(rows, _codes(y, classes), codes_val, names)
        return self

    def _fit_codes(self, rows, codes, codes_val, names):
        """Rows that were checked, with classes 0 and 1."""
        inputs = names_of(self, rows.X)
        texts = self._texts() | {"loss": "logistic"}
        result = self._run(
            lambda told: _core.fit(
                rows.X,
                codes,
                rows.weights,
                inputs,
                rows.target,
                texts,
                rows.X_val,
                codes_val,
                told,
                rows.groups,
                None,
                names,
                rows.kinds or [],
                rows.kinds_val or [],
            ),
            rows.X,
            codes,
        )
        self._take_fit(result)
        self._warn(result)

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
            raise ValueError(f"y has one class, {classes.tolist()[0]!r}, where two are needed.\nGive rows of both.")
        for name in classes.tolist() if weights is not None else ():
            if not np.any(weights[y == name] > 0):
                raise ValueError(f"class {name!r} has no row of weight above 0.\nGive some, or drop its rows.")

    def _forget(self):
        for name in ("model_", "estimators_"):
            vars(self).pop(name, None)

    def _fit_each(self, rows, y, y_val):
        self.estimators_ = []
        for name in self.classes_:
            one = clone(self).set_params(class_weight=None)
            if hasattr(self, "feature_names_in_"):
                one.feature_names_in_ = self.feature_names_in_
            one.n_features_in_ = rows.X.shape[1]
            one.classes_ = np.array([False, True])
            codes_val = None if y_val is None else _codes(y_val == name, one.classes_)
            names = [f"not {name}", str(name)]
            own, codes = rows, _codes(y == name, one.classes_)
            if codes.sum() == 1:  # Of two classes that is refused, but it should not spoil what others can be told by.
                own, codes = rows.with_twice(codes.argmax()), np.append(codes, 1.0)
            one._fit_codes(own, codes, codes_val, names)
            self.estimators_.append(one)

    def _take(self, model):
        super()._take(model)
        self.validation_log_loss_ = model.results.get("validation_log_loss")
        self.validation_log_loss_se_ = model.results.get("validation_log_loss_se")

    def __getattr__(self, name):
        if "estimators_" in vars(self) and (name == "model_" or hasattr(type(self), name)):
            raise AttributeError(f"{name} is of one model, and each class has its own: look at those in estimators_")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self):
        return "model_" in vars(self) or "estimators_" in vars(self)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Log odds of the second class; of more than two, those of each against the rest.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes)
        """
        if "estimators_" in vars(self):
            self._inputs(X)
            return np.column_stack([one._log_odds(one._inputs(X)) for one in self.estimators_])
        inputs = self._inputs(X)
        warn_if_clipped(self.model_, inputs)
        return self._log_odds(inputs)

    def _log_odds(self, inputs):
        return np.asarray(self.model_.predict_linked(inputs, threads_for(self.n_jobs)))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The probability of each class.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`; rows sum to 1.
        """
        odds = self.decision_function(X)
        with np.errstate(over="ignore"):
            probability = 1.0 / (1.0 + np.exp(-odds))
        if probability.ndim == 1:
            return np.column_stack([1.0 - probability, probability])
        # Where every class is all but impossible, the least unlikely one decides.
        total = probability.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, probability / np.where(total > 0.0, total, 1.0), 1.0 / probability.shape[1])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of each row.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        odds = self.decision_function(X)
        return self.classes_[(odds > 0).astype(int) if odds.ndim == 1 else odds.argmax(axis=1)]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model: that of two classes in the file that the command line reads, those of more in one file of them.

        Classes come back as numbers or booleans where all their names are such, and as text elsewhere.
        """
        check_is_fitted(self)
        if "estimators_" not in vars(self):
            self.model_.save(os.fspath(path))
            return
        content = {
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
        """Load a model that `save`, or `shrimp fit --loss logistic --output`, wrote.

        Returns
        -------
        A fitted estimator with the parameters that were set when the model was made, but for `class_weight`.
        """
        source = os.fspath(path)
        several = _several_models(source)
        if several is None:
            model = _core.Model.load(source)
            if not model.classes:
                raise ValueError(f"{source} holds no model of classes.\nLoad it with ShrimpRegressor.load.")
            estimator = cls._of(model, path)
            estimator.classes_ = _named(model.classes)
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

    def export(self, path=None, to="c", *, name="", terms=10, digits=3):
        check_is_fitted(self)
        return super().export(path, to, name=name, terms=terms, digits=digits)

    export.__doc__ = Files.export.__doc__ + "\n        It gives what `predict_proba` gives for the second class.\n"

    def report(self, path: str | os.PathLike[str], X: Any = None, y: Any = None) -> None:
        """Write one HTML page that shows the model of two classes to people: no network, no other files.

        Its effects and shares are of log odds, its predictions and errors of the probability of the second class.

        Parameters
        ----------
        path : str or path-like
            HTML file to write.
        X, y : array-like, default=None
            Rows that the model was not fitted to, whose errors the page then shows.
        """
        if (X is None) != (y is None):
            raise ValueError("X and y go together.\nGive both or neither.")
        if y is not None:
            _, y, _ = checked_labels(self, X, y, "test data, ", reset=False)
            y = _codes(y, self.classes_)
        super().report(path, X, y)


def _codes(y, classes):
    return np.ascontiguousarray(np.searchsorted(classes, y), dtype=np.float64)


def _several_models(source):
    """Classes with their models, as JSON, where a file holds several; None for the file of one model."""
    text = pathlib.Path(source).read_bytes()
    if f'"format": "{_FORMAT}"'.encode() not in text[:200]:
        return None
    try:
        content = json.loads(text)
        return list(zip(content["classes"], content["models"], strict=True))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{source} is damaged: {error}.\nSave the model again.") from None


def _named(names):
    """Classes by their names in a file."""
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for number in (int, float):
        try:
            return np.array([number(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
