"""Fits to tables of any length, and predictions for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._clipping import warn_of
from ._column_types import accepts_column_types
from ._progress import with_callbacks
from ._tables import names_of_columns, open_table, write_predictions
from ._threads import threads_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt


class LongTables:
    """Fits and predictions of tables that may not fit into memory."""

    @with_callbacks
    def fit_table(
        self,
        source: Any,
        target: str,
        sample_weight: str | None = None,
        groups: str | None = None,
        exposure: str | None = None,
        *,
        ignore: Sequence[str] = (),
    ) -> Self:
        """Fit the model to a table of any length, which is read in blocks.

        With method auto, memory does not grow with the number of rows: the table is read twice, and about 50,000 rows
        are kept. Other methods need all rows in memory. The model is that of `fit` with the same rows in the same order.

        Parameters
        ----------
        source : path-like, pyarrow.dataset.Dataset or pyarrow.Table
            The table. pyarrow reads its own objects and paths that end in `.parquet` or `.pq`, or in `.arrow`,
            `.feather` or `.ipc` (Arrow's file format). Any other path is a CSV file, plain or compressed with gzip or
            zstd. An index that pandas wrote is not an input.
        target : str
            Name of the target column. All columns that are not named here are inputs. With method auto they may be text,
            dictionaries and dates, and have missing cells, as in a dataframe.
        sample_weight : str, default=None
            Name of the column with row weights.
        groups : str, default=None
            Name of the column with group labels of dependent rows.
        exposure : str, default=None
            Name of the column with the exposure of each count, with `loss="poisson"`.
        ignore : sequence of str, default=()
            Names of columns to leave out. They may contain anything.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Examples
        --------
        >>> import os, tempfile
        >>> from shrimp import ShrimpRegressor
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "rows.csv")
        ...     with open(path, "w") as file:
        ...         _ = file.write("a,b,y\\n" + "".join(f"{k},{k * k % 7},{2 * k}\\n" for k in range(60)))
        ...     model = ShrimpRegressor(method="lasso").fit_table(path, target="y")
        ...     prediction, = model.predict_table(path)
        >>> model.feature_names_in_.tolist(), len(prediction)
        (['a', 'b'], 60)
        """
        table = open_table(source)
        columns = (target, sample_weight or "", groups or "", exposure or "", list(names_of_columns(ignore)))
        texts = self._texts()
        result = self._run(lambda report: table.fit(*columns, texts, report, accepts_column_types(self)))
        self._take_fit(result)
        self._take_names(result.model.table_columns)
        self._warn(result)
        return self

    def predict_table(
        self, source: Any, output: str | os.PathLike[str] | None = None
    ) -> Iterator[npt.NDArray[np.float64]] | None:
        """Predict the rows of a table of any length, which is read in blocks.

        Warns once, after the last block, by an `OutsideRangeWarning` if inputs were clipped to the training range.

        Parameters
        ----------
        source : path-like, pyarrow.dataset.Dataset or pyarrow.Table
            The table, as for `fit_table`. Its columns are matched to the inputs by name, in any order, and other columns
            are ignored. Inputs without names are x1, x2, …
        output : path-like, default=None
            File to write with one column `prediction`: Parquet if its name ends in `.parquet` or `.pq`, else CSV as
            `shrimp predict` writes it. It appears when all rows are done.

        Returns
        -------
        blocks : iterator of ndarray of shape (n_rows,), or None
            Predictions in blocks of 8192 rows, the last one shorter. None if `output` is given.

        Examples
        --------
        >>> import os, tempfile
        >>> import numpy as np
        >>> from shrimp import ShrimpRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
        >>> model = ShrimpRegressor(method="lasso").fit(X, X[:, 0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "rows.csv")
        ...     np.savetxt(path, X, delimiter=",", header="x1,x2", comments="")
        ...     [block.shape for block in model.predict_table(path)]
        [(60,)]
        """
        check_is_fitted(self)
        if output is not None and isinstance(source, str | os.PathLike) and os.path.exists(output):
            if os.path.samefile(source, output):
                raise ValueError(f"{os.fspath(output)} is both the table and the output.\nGive output another path.")
        blocks = open_table(source).inputs(self.model_, threads_for(self.n_jobs), accepts_column_types(self))
        predictions = self._predictions(blocks)
        return predictions if output is None else write_predictions(output, predictions)

    def _predictions(self, blocks):
        threads = threads_for(self.n_jobs)
        clipped = _core.ClippedCount(self.model_)
        for block in blocks:
            clipped.add(block)
            yield self.model_.predict(block, threads)
        warn_of(clipped)
