"""Models as files: the command line's own, other languages, a page for people."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._cells import checked_rows
from ._parameters import parameters_of
from ._threads import threads_for


def existing(path):
    """The path as text. Throws FileNotFoundError where there is no such file."""
    text = os.fspath(path)
    if not os.path.exists(text):
        raise FileNotFoundError(f"{text}: there is no such file.\nGive the path of a file that save or shrimp fit wrote.")
    return text


class Files:
    """Saves, loads, exports and reports the model of an estimator."""

    def save(self, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> None:
        """Save the model in the file that the command line reads: JSON, written in one step.

        `summary` names a file for the sums over rows that `partial_fit` keeps, as `shrimp update` reads them.
        """
        check_is_fitted(self)
        if summary is not None:
            if not hasattr(self, "summary_"):
                raise ValueError("the model has no sums over its rows.\nMake it by partial_fit, or save it without summary.")
            self.summary_.save(os.fspath(summary))
        self.model_.save(os.fspath(path))

    def export(
        self, path: str | os.PathLike[str] | None = None, to: str = "c", *, name: str = "", terms: int = 10, digits: int = 3
    ) -> str | bytes | None:
        """Write the model in another language, which predicts without this package.

        Parameters
        ----------
        path : str or path-like, default=None
            File to write. None returns what would be in it.
        to : {"onnx", "c", "python", "sql", "latex"}, default="c"
            ONNX in double precision ("X" of all rows to "y"), C99 that needs libm alone, a Python module that needs NumPy
            alone, one SQL expression of columns called as the inputs, or the largest terms as formulas for a paper.
        name : str, default=""
            Of the function in C (`shrimp_predict`) or Python (`predict`); in SQL, of the table whose columns the inputs are.
        terms : int, default=10
            Terms that LaTeX writes, largest share first.
        digits : int, default=3
            Digits of the numbers in LaTeX.

        Returns
        -------
        str, or bytes for ONNX; None where a path is given.
        """
        check_is_fitted(self)
        if terms < 1:
            raise ValueError(f"terms {terms} is not allowed.\nGive 1 or more.")
        content = self.model_.export(to, name, terms, digits)
        if path is not None:
            pathlib.Path(path).write_bytes(content)
            return None
        return content if to == "onnx" else content.decode()

    def report(self, path: str | os.PathLike[str], X: Any = None, y: Any = None, exposure: Any = None) -> None:
        """Write one HTML page that shows the model to people: no network, no other files.

        It tells how good the model is beside a baseline, which terms it has and how each acts, as curves and maps that
        show values under the pointer or by arrow keys, what higher orders hold, the prune path, how the model was made
        and how it is loaded. Where a model knows how sure it is, shares have intervals and curves have bands.

        Parameters
        ----------
        path : str or path-like
            HTML file to write.
        X, y : array-like, default=None
            Rows that the model was not fitted to: the page then shows errors, calibration and how many of them lie
            within their prediction intervals; of counts (`loss="poisson"`), the deviance and how many rows have which
            count, observed and expected.
        exposure : array-like of shape (n_samples,), default=None
            What each count of y was counted over, as in `fit`. None is 1 for each row.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("X and y go together.\nGive both or neither.")
        if X is not None:
            X, y = checked_rows(self, X, y, self.model_.target, "test data, ", reset=False)
        if exposure is not None:
            if X is None or getattr(self, "loss", "squared") != "poisson":
                raise ValueError("exposure is for the rows of a model of counts.\nGive it with X and y, or leave it out.")
            exposure = np.ascontiguousarray(_check_sample_weight(exposure, X, dtype=np.float64))
        steps = [] if self._path is None else list(
            zip(self._path["columns"], self._path["train_mse"], self._path["validation_mse"], self._path["chosen"])
        )  # fmt: skip
        _core.write_report(self.model_, os.fspath(path), X, y, exposure, steps, threads_for(self.n_jobs))

    @classmethod
    def load(cls, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> Self:
        """Load a model that `save` or `shrimp fit --output` wrote, and the summary of its rows, for `partial_fit`.

        Returns
        -------
        A fitted estimator with the parameters that were set when the model was made; several candidates are a list.
        What a fit tells beside its model (`path_`, `order_`, `converged_`, `gap_`) is not there.
        """
        model = _core.Model.load(existing(path))
        if model.classes:
            raise ValueError(f"{os.fspath(path)} holds a model of classes.\nLoad it with ShrimpClassifier.load.")
        return cls._of(model, path, summary)

    @classmethod
    def _of(cls, model, path, summary=None):
        own = getattr(cls, "_method", model.method)
        if model.method != own:
            raise ValueError(
                f"{os.fspath(path)} holds a model of method {model.method}, not {own}.\n"
                "Load it with ShrimpRegressor.load."
            )
        # Files of older programs do not tell what was set: they have every option.
        texts = model.options if model.given is None else model.given
        taken = {"method", *parameters_of(model.method)} & texts.keys()
        estimator = cls(
            **{
                p.name: p.value(texts[p.text_name])
                for p in cls._parameters.values()
                if p.text_name in taken and (p.text_name, texts[p.text_name]) != ("validation", "file")
            }
        )
        estimator._take(model)
        estimator._path = None
        if summary is not None:
            estimator.summary_ = _core.Summary.load(existing(summary))
            if not estimator.summary_.belongs_to(model):
                raise ValueError(
                    f"{os.fspath(summary)} sums up other rows or columns than those of {os.fspath(path)}.\n"
                    "Load the two that were saved together."
                )
        estimator._take_names(model.table_columns)
        return estimator
