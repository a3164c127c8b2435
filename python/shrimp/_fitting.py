"""How estimators run a fit, and what they keep of it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ._cells import unnamed
from ._parameters import in_python_names, texts_of
from ._progress import watchers

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    from . import _core


def name_of(y):
    """A column's own name, which the model's target takes; "y" for none."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


class Fitting:
    """Runs a fit of the library and takes its model over."""

    model_: _core.Model
    summary_: _core.Summary
    simplified_: pandas.DataFrame
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

    def _run(self, fit, X=None, y=None):
        heard = watchers(self, X, y)

        def report(*progress):
            for watcher in heard:
                watcher(*progress)

        try:
            return fit(report if heard else None)
        except KeyboardInterrupt as interrupt:
            if hasattr(interrupt, "best_model"):
                self._take_interrupted(interrupt.best_model)
            raise
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
        vars(self).pop("simplified_", None)

    def _take_interrupted(self, model):
        """The best model so far: without a path, and what an earlier fit left is not its own."""
        self._take(model)
        self._take_names(model.table_columns)
        self._path = None
        for name in ("summary_", "simplified_", "order_"):
            vars(self).pop(name, None)

    def _take_names(self, inputs):
        """As validate_data does it for dataframes and arrays."""
        self.n_features_in_ = len(inputs)
        self._column_names = None
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
                f"{result.model.method} did not converge: its relative duality gap is {result.gap:.2g}, and the "
                f"tolerance is {self.tolerance}.\nGive more max_iterations or a larger tolerance.",
                ConvergenceWarning,
                stacklevel=4,
            )
