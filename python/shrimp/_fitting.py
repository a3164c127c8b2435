"""How estimators run a fit, and what they keep of its result."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ._binding import (
    duality_gap_of,
    n_basis_functions_of,
    path_of,
    result_of,
    target_transform_of,
    transforms_of,
)
from ._parameters import in_python_names, texts_of
from ._progress import listeners_of
from ._validation import default_names

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    from . import _core


def name_of(y):
    """The name of the target column; "y" if it has none."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


class Fitting:
    """Runs a fit of the library and stores its model."""

    model_: _core.Model
    summary_: _core.Summary
    simplified_: pandas.DataFrame
    order_: list[int]
    n_basis_functions_: int
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    train_mse_: float | None
    validation_mse_: float | None
    validation_se_: float | None
    fraction_above_order_three_: float | None
    transforms_: dict[str, str]
    target_transform_: str
    converged_: bool
    duality_gap_: float

    def _run(self, fit, X=None, y=None):
        """Run `fit(report)`, with progress reported to the listeners of this estimator."""
        listeners = listeners_of(self, X, y)

        def report(*progress):
            for listener in listeners:
                listener(*progress)

        try:
            return fit(report if listeners else None)
        except KeyboardInterrupt as interrupt:
            if hasattr(interrupt, "best_model"):
                self._take_interrupted(interrupt.best_model)
            raise
        except ValueError as error:
            message = in_python_names(str(error))
            if message == str(error):  # The error may come from other code, such as the reader of a table.
                raise
            raise ValueError(message) from None
        finally:
            for listener in listeners:
                listener.close()

    def _texts(self):
        own = {"method": self._method} if hasattr(self, "_method") else {}
        return texts_of(self) | own

    def _take_fit(self, result):
        self._take(result.model)
        self._take_search(result)

    def _take_search(self, result):
        """Store what the fit found besides the model."""
        self._path = path_of(result)
        self._readable = result.readable
        self.order_ = list(result.order)
        self.converged_ = result.converged
        self.duality_gap_ = duality_gap_of(result)
        vars(self).pop("summary_", None)
        vars(self).pop("simplified_", None)

    def _take_interrupted(self, model):
        """Store the best model of an interrupted fit, and drop what only a complete fit has."""
        self._take(model)
        self._take_names(model.table_columns)
        self._path = self._readable = None
        for name in ("summary_", "simplified_", "order_"):
            vars(self).pop(name, None)

    def _take_names(self, inputs):
        """Set the names of the columns, as `validate_data` of scikit-learn does."""
        self.n_features_in_ = len(inputs)
        self._column_names = None
        if inputs != default_names(len(inputs)):
            self.feature_names_in_ = np.asarray(inputs, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _take(self, model):
        """Make this an estimator that was fitted with the model."""
        self.model_ = model
        self.n_basis_functions_ = n_basis_functions_of(model)
        self.train_mse_ = model.results.get("train_mse")
        self.validation_mse_ = model.results.get("validation_mse")
        self.validation_se_ = model.results.get("validation_se")
        self.fraction_above_order_three_ = result_of(model, "fraction_above_order_three")
        self.transforms_ = transforms_of(model)
        self.target_transform_ = target_transform_of(model)

    def _warn(self, result):
        for warning in result.warnings:
            warnings.warn(in_python_names(warning), UserWarning, stacklevel=4)
        if not result.converged:
            warnings.warn(
                f"method {result.model.method} did not converge: its relative duality gap is {self.duality_gap_:.2g}, above "
                f"the tolerance {self.tolerance}.\nIncrease max_iterations or tolerance.",
                ConvergenceWarning,
                stacklevel=4,
            )
