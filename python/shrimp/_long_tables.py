"""Fitting and predicting tables of any length."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._clipping import warn_of
from ._kinds import takes_kinds
from ._progress import with_callbacks
from ._tables import names_of_columns, open_table, write_predictions
from ._threads import threads_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt


class LongTables:
    """What regressors do with tables that need not fit into memory."""

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
        """Fit the model to a table of any length, which is read block by block.

        By method `auto`, memory does not grow with the number of rows: the table is read twice, and some 50,000 rows are
        kept. Other methods need all rows at once. The model is that of `fit` with the same values in the same order.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset or pyarrow.Table
            A path that ends in `.parquet` or `.pq`, or in `.arrow`, `.feather` or `.ipc` (Arrow's file format), is read
            by pyarrow, as are its objects; any other path is a CSV file, plain or packed by gzip or zstd. An index that
            pandas wrote is no input.
        target : str
            The column to predict. All columns that are not named here are inputs; by method `auto` they may be text,
            dictionaries and dates and lack cells, as in a dataframe.
        sample_weight : str, default=None
            The column that says how often each row counts.
        groups : str, default=None
            The column of which rows of equal values belong together.
        exposure : str, default=None
            With `loss="poisson"`, the column that says what each count was counted over.
        ignore : sequence of str, default=()
            Columns to leave out; they may hold text.

        Returns
        -------
        self
        """
        table = open_table(source)
        columns = (target, sample_weight or "", groups or "", exposure or "", list(names_of_columns(ignore)))
        texts = self._texts()
        result = self._run(lambda told: table.fit(*columns, texts, told, takes_kinds(self)))
        self._take_fit(result)
        self._take_names(result.model.table_columns)
        self._warn(result)
        return self

    def predict_table(
        self, source: Any, output: str | os.PathLike[str] | None = None
    ) -> Iterator[npt.NDArray[np.float64]] | None:
        """Predict the rows of a table of any length, block by block.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset or pyarrow.Table
            As for `fit_table`. Columns are found by the names of the inputs, in any order, and others are passed over;
            inputs without names are x1, x2, …
        output : path, default=None
            File to write, of one column `prediction`: Parquet where the name ends in `.parquet` or `.pq`, else CSV as
            `shrimp predict` writes it. It is there when all rows are done, or not at all.

        Returns
        -------
        iterator of ndarray
            Predictions of 8192 rows, the last time of what is left. None where an output is given. Rows that are held at
            the edge of the training range are warned of at the end, once.
        """
        check_is_fitted(self)
        if output is not None and isinstance(source, str | os.PathLike) and os.path.exists(output):
            if os.path.samefile(source, output):
                raise ValueError(f"{os.fspath(output)} is the table that is read.\nGive output another file.")
        blocks = open_table(source).inputs(self.model_, threads_for(self.n_jobs), takes_kinds(self))
        predictions = self._predictions(blocks)
        return predictions if output is None else write_predictions(output, predictions)

    def _predictions(self, blocks):
        threads = threads_for(self.n_jobs)
        rows = _core.ClippedCount(self.model_)
        for block in blocks:
            rows.add(block)
            yield self.model_.predict(block, threads)
        warn_of(rows)
