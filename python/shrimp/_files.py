"""Models as files: the model file of the command line, other languages, and a report page."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._parameters import values_of
from ._threads import threads_for
from ._validation import checked_rows


def existing(path):
    """The path as text. Raises FileNotFoundError if the file does not exist."""
    text = os.fspath(path)
    if not os.path.exists(text):
        raise FileNotFoundError(f"{text}: the file does not exist.\nGive the path of a file that save or shrimp fit wrote.")
    return text


class Files:
    """Saves, loads, exports and reports the model of an estimator."""

    def save(self, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> None:
        """Save the model as the JSON file that the command line reads.

        The file is written under a temporary name and then renamed.

        Parameters
        ----------
        path : str or path-like
            Model file to write.
        summary : str or path-like, default=None
            File to write with the sufficient statistics in `summary_`, as `shrimp update` reads it.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, X[:, 0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.json")
        ...     model.save(path)
        ...     same = ShrimpRegressor.load(path)
        >>> bool((same.predict(X) == model.predict(X)).all())
        True
        """
        check_is_fitted(self)
        if summary is not None:
            if not hasattr(self, "summary_"):
                raise ValueError("the model has no sufficient statistics.\nFit it by partial_fit, or save it without summary.")
            self.summary_.save(os.fspath(summary))
        self.model_.save(os.fspath(path))

    def export(
        self, path: str | os.PathLike[str] | None = None, to: str = "c", *, name: str = "", terms: int = 10, digits: int = 3
    ) -> str | bytes | None:
        """Export the model to another language, in which it predicts without this package.

        Parameters
        ----------
        path : str or path-like, default=None
            File to write. None returns its content instead.
        to : {"onnx", "c", "python", "sql", "latex"}, default="c"
            Format. "onnx" is in double precision, with an input "X" of all rows and an output "y". "c" is C99 and needs
            only libm. "python" is a module that needs only NumPy. "sql" is one expression of columns with the names of
            the inputs. "latex" has the largest terms as formulas.
        name : str, default=""
            Name of the function in C (`shrimp_predict` if empty) or Python (`predict` if empty). In SQL, name of the
            table that has the inputs as columns.
        terms : int, default=10
            Maximum number of terms in LaTeX, largest fraction of variance first.
        digits : int, default=3
            Significant digits of the numbers in LaTeX.

        Returns
        -------
        content : str, bytes or None
            Content of the file: bytes for ONNX, else a string. None if a path is given.

        Examples
        --------
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, X[:, 0])
        >>> "double shrimp_predict(" in model.export(to="c")
        True
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
        """Write an HTML page that describes the model, in one file without network access.

        The page shows the error next to that of a baseline, and the terms with their effects as curves and maps. It also
        shows the fraction of higher orders, the path, and how the model was fitted and is loaded. Fractions of variance have intervals and
        curves have bands, if the model has a posterior of its coefficients.

        Parameters
        ----------
        path : str or path-like
            HTML file to write.
        X : array-like or dataframe of shape (n_samples, n_features), default=None
            Test rows. The page then shows errors, calibration, and the coverage of prediction intervals on them. For
            counts (`loss="poisson"`) it shows the deviance, and observed and expected numbers of rows for each count.
        y : array-like of shape (n_samples,), default=None
            Target of the test rows.
        exposure : array-like of shape (n_samples,), default=None
            Exposure of each count of `y`, as in `fit`. It is 1 by default.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, X[:, 0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "report.html")
        ...     model.report(path)
        ...     os.path.getsize(path) > 1000
        True
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("only one of X and y is given.\nGive both or neither.")
        if X is not None:
            X, y = checked_rows(self, X, y, self.model_.target, "test data, ", reset=False)
        if exposure is not None:
            if X is None or getattr(self, "loss", "squared") != "poisson":
                raise ValueError(
                    "exposure needs test rows and a model of counts.\nGive X and y to a model with loss='poisson', or omit exposure."
                )
            exposure = np.ascontiguousarray(_check_sample_weight(exposure, X, dtype=np.float64))
        path_columns = ("basis_functions", "train_mse", "validation_mse", "chosen")
        steps = [] if self._path is None else list(zip(*(self._path[name] for name in path_columns)))
        _core.write_report(self.model_, os.fspath(path), X, y, exposure, steps, threads_for(self.n_jobs))

    @classmethod
    def load(cls, path: str | os.PathLike[str], summary: str | os.PathLike[str] | None = None) -> Self:
        """Load a model that `save` or `shrimp fit --output` wrote.

        Parameters
        ----------
        path : str or path-like
            Model file.
        summary : str or path-like, default=None
            File with the sufficient statistics of the model's rows, for `partial_fit` and `simplify`.

        Returns
        -------
        estimator : estimator
            A fitted estimator with the parameters that were set when the model was fitted. It has no `path_`, `order_`,
            `converged_` and `duality_gap_`, which model files do not store.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.json")
        ...     ShrimpRegressor(method="lasso").fit(X, X[:, 0]).save(path)
        ...     ShrimpRegressor.load(path)
        ShrimpRegressor(method='lasso')
        """
        model = _core.Model.load(existing(path))
        if model.classes:
            raise ValueError(f"{os.fspath(path)} contains a model of classes.\nLoad it with ShrimpClassifier.load.")
        return cls._of(model, path, summary)

    @classmethod
    def _of(cls, model, path, summary=None):
        own = getattr(cls, "_method", model.method)
        if model.method != own:
            raise ValueError(
                f"{os.fspath(path)} contains a model of method {model.method!r}, but {cls.__name__} is for {own!r}.\n"
                "Load it with ShrimpRegressor.load."
            )
        # Files of older versions do not store which options were set: they have every option.
        texts = model.options if model.given is None else model.given
        estimator = cls(**values_of(texts, cls._parameters, model.method))
        estimator._take(model)
        estimator._path = estimator._readable = None
        if summary is not None:
            estimator.summary_ = _core.Summary.load(existing(summary))
            if not estimator.summary_.belongs_to(model):
                raise ValueError(
                    f"{os.fspath(summary)} has sufficient statistics of another model than {os.fspath(path)}.\n"
                    "Load two files that were saved together."
                )
        estimator._take_names(model.table_columns)
        return estimator
