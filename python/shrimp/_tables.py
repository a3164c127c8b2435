"""Tables that are read block by block: CSV files by the library, what Arrow reads by pyarrow."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import warnings

import numpy as np

from . import _core
from ._arrow_columns import ArrowColumns
from ._groups import is_missing

_ARROW_FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "ipc", ".arrow": "ipc", ".ipc": "ipc"}


def open_table(source):
    """The table of a path, or of an object of pyarrow."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        kind = _format_of(path)
        if kind:
            return _open_arrow(path, kind)
        _require_file(path)
        return CsvTable(path)
    if type(source).__module__.partition(".")[0] == "pyarrow":
        import pyarrow
        import pyarrow.dataset

        if isinstance(source, pyarrow.Table):
            return ArrowTable(source.schema, lambda names: source.select(names).to_batches(), "the table")
        if isinstance(source, pyarrow.dataset.Dataset):
            return ArrowTable(source.schema, lambda names: _batches_of_dataset(source, names), "the dataset")
    raise TypeError(
        f"a table cannot be read from {type(source).__module__}.{type(source).__qualname__}.\n"
        "Give a path, a pyarrow.dataset.Dataset or a pyarrow.Table; fit and predict take arrays and dataframes."
    )


def names_of_columns(names):
    """A name that is given alone stands for a list of one."""
    return [names] if isinstance(names, str) else names


def _format_of(path):
    return _ARROW_FORMATS.get(os.path.splitext(path)[1].lower())


def _pyarrow_for(path):
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(f"{path} needs pyarrow, which is not there.\nInstall it: pip install pyarrow.") from error
    return pyarrow


def _require_file(path):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no such file.\nGive the path of a table.")


def _open_arrow(path, kind):
    pyarrow = _pyarrow_for(path)
    _require_file(path)
    try:
        if kind == "parquet" and os.path.isfile(path):
            schema = pyarrow.parquet.read_schema(path)
            return ArrowTable(schema, lambda names: _batches_of_parquet(path, names), path)
        dataset = pyarrow.dataset.dataset(path, format=kind)
        return ArrowTable(dataset.schema, lambda names: _batches_of_dataset(dataset, names), path)
    except (pyarrow.ArrowInvalid, OSError) as error:
        kind = {"parquet": "a Parquet file", "ipc": "an Arrow file"}[kind]
        raise ValueError(f"{path} cannot be read as {kind}.\n{error}") from None


# What Arrow reads ahead, or holds of a group of rows, is memory that grows with the table: it reads as little as it can.
_BUFFER = 1 << 16


def _batches_of_parquet(path, names):
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file:
        for batch in file.iter_batches(_core.rows_of_a_block, columns=names, use_threads=False):
            yield batch.select(names)


def _batches_of_dataset(dataset, names):
    from pyarrow.dataset import ParquetFileFormat, ParquetFragmentScanOptions

    frugal = {}
    if isinstance(getattr(dataset, "format", None), ParquetFileFormat):
        scan = ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True, buffer_size=_BUFFER)
        frugal["fragment_scan_options"] = scan
    return dataset.to_batches(
        columns=names,
        batch_size=_core.rows_of_a_block,
        batch_readahead=0,
        fragment_readahead=0,
        use_threads=False,
        **frugal,
    )


class CsvTable:
    """A CSV file, which the library reads without Python."""

    def __init__(self, path):
        self.path = path

    def fit(self, target, weights, groups, exposure, ignore, texts, told, takes_kinds):
        with _in_python_words():
            return _core.fit_csv(self.path, target, weights, groups, exposure, ignore, texts, told)

    def inputs(self, model, threads, takes_kinds):
        rows = _core.CsvInputs(self.path, model, threads)
        for warning in rows.warnings:
            warnings.warn(warning, UserWarning, stacklevel=3)
        return self._blocks(rows)

    @staticmethod
    def _blocks(rows):
        with _in_python_words():
            yield from rows
        for warning in rows.odd:
            warnings.warn(warning, UserWarning, stacklevel=3)


@contextlib.contextmanager
def _in_python_words():
    """Errors say how a column is left out: by an option of the command line's there, by a parameter here."""
    try:
        yield
    except ValueError as error:
        message = re.sub(r" with --ignore (.*)\.$", lambda found: f"{_way_out(found[1])}.", str(error))
        message = re.sub(r"Give --categorical .* or ignore the column", "Give its cells one type, or ignore it", message)
        raise ValueError(message) from None


def _way_out(name):
    return f" with ignore=[{name!r}]"


class ArrowTable:
    """What pyarrow reads: `batches(names)` has these columns, as often as asked for."""

    def __init__(self, schema, batches, name):
        self.schema = schema
        self.batches = batches
        self.name = name
        self.group_numbers = {}
        self._refuse_repeated_names()

    def _refuse_repeated_names(self):
        first = {}
        for place, name in enumerate(self.schema.names, 1):
            if first.setdefault(name, place) != place:
                raise ValueError(
                    f'{self.name}: columns {first[name]} and {place} are both named "{name}".\n'
                    "Give every column a unique name."
                )

    def fit(self, target, weights, groups, exposure, ignore, texts, told, takes_kinds):
        ignore = [*ignore, *(self._index() - {target, weights, groups, exposure})]
        inputs = _core.inputs_of(self.schema.names, target, weights, groups, exposure, ignore, self.name)
        others = [name for name in (target, weights, exposure) if name]
        place = {name: len(inputs) + k for k, name in enumerate(others)}
        cells = self._cells(inputs if takes_kinds else [])

        def rows():
            for values, numbers in self.blocks([*inputs, *others], groups, cells):
                weight, over = (values[:, place[name]] if name else None for name in (weights, exposure))
                yield values[:, : len(inputs)], values[:, place[target]], weight, numbers, over, cells.new_levels()

        return _core.fit_rows(rows, inputs, cells.kinds(), target, exposure, self.name, texts, told)

    def inputs(self, model, threads, takes_kinds):
        names = model.table_columns
        _core.require_columns(self.schema.names, names, self.name)
        return self._encoded(model, names, self._cells(names if takes_kinds else []))

    def _encoded(self, model, names, cells):
        encoder = _core.RowEncoder(model, names, self.name)
        for values, _ in self.blocks(names, cells=cells):
            yield encoder.encode(values, cells.kinds())
        for warning in encoder.odd:
            warnings.warn(warning, UserWarning, stacklevel=3)

    def _index(self):
        """Columns that pandas wrote an index to: they are none of the frame's."""
        written = (self.schema.pandas_metadata or {}).get("index_columns", [])
        return {name for name in written if isinstance(name, str) and name in self.schema.names}

    def blocks(self, columns, groups="", cells=None):
        """Columns as an array, and numbers of groups or None, for blocks of equal length, however batches are cut.

        The arrays are filled anew for the next block. `cells` reads columns that may be more than numbers.
        """
        cells = cells or self._cells([])
        most = _core.rows_of_a_block
        values = np.empty((most, len(columns)), order="F")
        numbers = np.empty(most, dtype=np.uint32) if groups else None
        filled = 0
        row = 1
        for batch in self.batches([*columns, groups] if groups else columns):
            while batch.num_rows:
                part = batch.slice(0, most - filled)
                batch = batch.slice(part.num_rows)
                end = filled + part.num_rows
                for j, name in enumerate(columns):
                    values[filled:end, j] = cells.read(part.column(j), name, row)
                if groups:
                    numbers[filled:end] = self._groups(part.column(len(columns)), groups, row)
                row += part.num_rows
                filled = end
                if filled == most:
                    yield values, numbers
                    filled = 0
        if row == 1:
            raise ValueError(f"{self.name} has no rows.\nGive a table with at least one row of numbers.")
        if filled:
            yield values[:filled], numbers[:filled] if groups else None

    def _cells(self, inputs):
        return ArrowColumns(self.schema, inputs, self._refuse, self._refuse_levels)

    def _refuse_levels(self, name, most):
        raise ValueError(_core.complaint_about_levels(most, f'{self.name}, column "{name}"', _way_out(name)))

    def _refuse(self, cell, name, row):
        place = f'{self.name} row {row}, column "{name}"'
        text = "" if cell is None else str(cell)
        complaint = _core.complaint_about_cell(text, place, _way_out(name))
        raise ValueError(
            complaint or f'{place}: "{text}" is text.\nMake the column one of numbers, or leave it out{_way_out(name)}.'
        )

    def _groups(self, column, name, row):
        """Numbers in the order in which groups first come, the same in every pass."""
        labels = column.dictionary_encode() if not hasattr(column, "indices") else column
        known = self.group_numbers
        if column.null_count or any(map(is_missing, labels.dictionary.to_pylist())):
            missing = list(map(is_missing, column.to_pylist()))
            if any(missing):
                self._refuse(None, name, row + missing.index(True))
        # Of a column that is a dictionary, entries come in any order, and some not at all.
        codes = labels.indices.to_numpy()
        entries = labels.dictionary.to_pylist()
        used, first = np.unique(codes, return_index=True)
        number_of = np.empty(len(entries), dtype=np.uint32)
        for code in used[np.argsort(first)]:
            number_of[code] = known.setdefault(entries[code], len(known))
        return number_of[codes]


def write_predictions(path, predictions):
    """Writes them to a file that is there when all are done, or not at all."""
    path = os.fspath(path)
    kind = _format_of(path)
    if kind == "ipc":
        raise ValueError(f"{path}: predictions are not written in Arrow's own format.\nName a Parquet or CSV file.")
    write = _write_parquet if kind == "parquet" else _write_csv
    write(path, predictions)


def _write_csv(path, predictions):
    file = _core.PredictionFile(path)
    try:
        for values in predictions:
            file.write(values)
        file.finish()
    except BaseException:
        file.discard()
        raise


def _write_parquet(path, predictions):
    pyarrow = _pyarrow_for(path)
    folder, name = os.path.split(os.path.abspath(path))
    with tempfile.TemporaryDirectory(prefix=f".{name}.", dir=folder) as unfinished:
        temporary = os.path.join(unfinished, name)
        schema = pyarrow.schema([("prediction", pyarrow.float64())])
        with pyarrow.parquet.ParquetWriter(temporary, schema) as writer:
            for values in predictions:
                writer.write_batch(pyarrow.record_batch([pyarrow.array(values)], schema=schema))
        os.replace(temporary, path)
