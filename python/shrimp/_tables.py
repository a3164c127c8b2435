"""Tables that are read in blocks: CSV files by the library, Arrow formats by pyarrow."""

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
    """The table at a path, or in an object of pyarrow."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        format_ = _format_of(path)
        if format_:
            return _open_arrow(path, format_)
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
        f"{type(source).__module__}.{type(source).__qualname__} is not a table that can be read in blocks.\n"
        "Give a path, a pyarrow.dataset.Dataset or a pyarrow.Table. For arrays and dataframes use fit and predict."
    )


def names_of_columns(names):
    """A list of names; a single name is a list of one."""
    return [names] if isinstance(names, str) else names


def _format_of(path):
    return _ARROW_FORMATS.get(os.path.splitext(path)[1].lower())


def _pyarrow_for(path):
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(f"{path} needs pyarrow, which is not installed.\nInstall it: pip install pyarrow.") from error
    return pyarrow


def _require_file(path):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: the file does not exist.\nGive the path of a table.")


def _open_arrow(path, format_):
    pyarrow = _pyarrow_for(path)
    _require_file(path)
    try:
        if format_ == "parquet" and os.path.isfile(path):
            schema = pyarrow.parquet.read_schema(path)
            return ArrowTable(schema, lambda names: _batches_of_parquet(path, names), path)
        dataset = pyarrow.dataset.dataset(path, format=format_)
        return ArrowTable(dataset.schema, lambda names: _batches_of_dataset(dataset, names), path)
    except (pyarrow.ArrowInvalid, OSError) as error:
        name = {"parquet": "Parquet file", "ipc": "Arrow file"}[format_]
        raise ValueError(f"{path} is not a readable {name}: {error}\nGive a file of another name, or write it again.") from None


# Read-ahead and buffered row groups would take memory that grows with the table, so that both are kept small.
_BUFFER = 1 << 16


def _batches_of_parquet(path, names):
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file:
        for batch in file.iter_batches(_core.rows_of_a_block, columns=names, use_threads=False):
            yield batch.select(names)


def _batches_of_dataset(dataset, names):
    from pyarrow.dataset import ParquetFileFormat, ParquetFragmentScanOptions

    options = {}
    if isinstance(getattr(dataset, "format", None), ParquetFileFormat):
        scan = ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True, buffer_size=_BUFFER)
        options["fragment_scan_options"] = scan
    return dataset.to_batches(
        columns=names,
        batch_size=_core.rows_of_a_block,
        batch_readahead=0,
        fragment_readahead=0,
        use_threads=False,
        **options,
    )


class CsvTable:
    """A CSV file, which the library reads itself."""

    def __init__(self, path):
        self.path = path

    def fit(self, target, weights, groups, exposure, ignore, texts, report, accepts_column_types):
        with _in_python_terms():
            return _core.fit_csv(self.path, target, weights, groups, exposure, ignore, texts, report)

    def inputs(self, model, threads, accepts_column_types):
        rows = _core.CsvInputs(self.path, model, threads)
        for warning in rows.warnings:
            warnings.warn(warning, UserWarning, stacklevel=3)
        return self._blocks(rows)

    @staticmethod
    def _blocks(rows):
        with _in_python_terms():
            yield from rows
        for warning in rows.odd:
            warnings.warn(warning, UserWarning, stacklevel=3)


@contextlib.contextmanager
def _in_python_terms():
    """Replace options of the command line in error messages by parameters."""
    try:
        yield
    except ValueError as error:
        message = re.sub(r" with --ignore (.*)\.$", lambda found: f"{_advice_to_ignore(found[1])}.", str(error))
        message = re.sub(r"Say --categorical .* or leave the column out", "Give its cells one type, or leave it out", message)
        raise ValueError(message) from None


def _advice_to_ignore(name):
    return f" with ignore=[{name!r}]"


class ArrowTable:
    """A table that pyarrow reads: each call of `batches(names)` iterates over these columns from the start."""

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
                    "Give every column a different name."
                )

    def fit(self, target, weights, groups, exposure, ignore, texts, report, accepts_column_types):
        ignore = [*ignore, *(self._index() - {target, weights, groups, exposure})]
        inputs = _core.inputs_of(self.schema.names, target, weights, groups, exposure, ignore, self.name)
        others = [name for name in (target, weights, exposure) if name]
        place = {name: len(inputs) + k for k, name in enumerate(others)}
        cells = self._cells(inputs if accepts_column_types else [])

        def rows():
            for values, numbers in self.blocks([*inputs, *others], groups, cells):
                weight, exposures = (values[:, place[name]] if name else None for name in (weights, exposure))
                yield values[:, : len(inputs)], values[:, place[target]], weight, numbers, exposures, cells.new_levels()

        return _core.fit_rows(rows, inputs, cells.column_types(), target, exposure, self.name, texts, report)

    def inputs(self, model, threads, accepts_column_types):
        names = model.table_columns
        _core.require_columns(self.schema.names, names, self.name)
        return self._encoded(model, names, self._cells(names if accepts_column_types else []))

    def _encoded(self, model, names, cells):
        encoder = _core.RowEncoder(model, names, self.name)
        for values, _ in self.blocks(names, cells=cells):
            yield encoder.encode(values, cells.column_types())
        for warning in encoder.odd:
            warnings.warn(warning, UserWarning, stacklevel=3)

    def _index(self):
        """Columns in which pandas stored the index of a dataframe."""
        stored = (self.schema.pandas_metadata or {}).get("index_columns", [])
        return {name for name in stored if isinstance(name, str) and name in self.schema.names}

    def blocks(self, columns, groups="", cells=None):
        """Iterate over blocks of equal length: columns as an array, and group numbers or None.

        The arrays are reused for the next block. `cells` converts columns, which are all numbers by default.
        """
        cells = cells or self._cells([])
        block_rows = _core.rows_of_a_block
        values = np.empty((block_rows, len(columns)), order="F")
        numbers = np.empty(block_rows, dtype=np.uint32) if groups else None
        filled = 0
        row = 1
        for batch in self.batches([*columns, groups] if groups else columns):
            while batch.num_rows:
                part = batch.slice(0, block_rows - filled)
                batch = batch.slice(part.num_rows)
                end = filled + part.num_rows
                for j, name in enumerate(columns):
                    values[filled:end, j] = cells.read(part.column(j), name, row)
                if groups:
                    numbers[filled:end] = self._groups(part.column(len(columns)), groups, row)
                row += part.num_rows
                filled = end
                if filled == block_rows:
                    yield values, numbers
                    filled = 0
        if row == 1:
            raise ValueError(f"{self.name} has no rows.\nGive a table with at least one row of numbers.")
        if filled:
            yield values[:filled], numbers[:filled] if groups else None

    def _cells(self, inputs):
        return ArrowColumns(self.schema, inputs, self._refuse, self._refuse_levels)

    def _refuse_levels(self, name, limit):
        raise ValueError(_core.complaint_about_levels(limit, f'{self.name}, column "{name}"', _advice_to_ignore(name)))

    def _refuse(self, cell, name, row):
        place = f'{self.name} row {row}, column "{name}"'
        text = "" if cell is None else str(cell)
        complaint = _core.complaint_about_cell(text, place, _advice_to_ignore(name))
        raise ValueError(
            complaint or f'{place}: "{text}" is text.\nGive the column numbers, or leave it out{_advice_to_ignore(name)}.'
        )

    def _groups(self, column, name, row):
        """Group numbers in the order in which groups first appear, which is the same in every pass."""
        labels = column.dictionary_encode() if not hasattr(column, "indices") else column
        known = self.group_numbers
        if column.null_count or any(map(is_missing, labels.dictionary.to_pylist())):
            missing = list(map(is_missing, column.to_pylist()))
            if any(missing):
                self._refuse(None, name, row + missing.index(True))
        # Entries of a dictionary may be in any order, and some may not occur in the rows.
        codes = labels.indices.to_numpy()
        entries = labels.dictionary.to_pylist()
        used, first = np.unique(codes, return_index=True)
        number_of = np.empty(len(entries), dtype=np.uint32)
        for code in used[np.argsort(first)]:
            number_of[code] = known.setdefault(entries[code], len(known))
        return number_of[codes]


def write_predictions(path, predictions):
    """Write predictions to a file that appears when all of them are done."""
    path = os.fspath(path)
    format_ = _format_of(path)
    if format_ == "ipc":
        raise ValueError(f"{path}: predictions cannot be written in Arrow's file format.\nGive the path of a Parquet or CSV file.")
    write = _write_parquet if format_ == "parquet" else _write_csv
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
