"""Conversion of categories, dates and missing cells to the numbers and column types of the library."""

from __future__ import annotations

import datetime
import decimal
import numbers
import warnings

import numpy as np

from . import _core
from ._groups import is_missing

_DAY = np.timedelta64(1, "D")


def accepts_column_types(estimator):
    """Whether the method accepts categories, dates and missing cells: only auto does, others need numbers."""
    return getattr(estimator, "_method", getattr(estimator, "method", None)) == "auto"


def to_numeric(X, which=""):
    """X as a table of numbers, and the types of its columns; (X, None) if it is numeric already.

    Categories become codes of their levels, dates days since 1970-01-01, and missing cells NaN. A column type is a pair
    of its name ("number", "category" or "date") and its levels. Messages name `which` rows they are before the column.
    """
    if isinstance(X, np.ndarray):
        return _array_to_numeric(X, which)
    library = type(X).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(X, "column_names"):
        return _frame_to_numeric(X, which, X.column_names, lambda name: X.column(name).to_pandas())
    if library == "polars" and hasattr(X, "columns"):
        return _frame_to_numeric(X, which, X.columns, lambda name: _polars_column(X[name]))
    if library == "pandas" and hasattr(X, "columns") and X.columns.is_unique:
        return _frame_to_numeric(X, which, list(X.columns), lambda name: X[name])
    return X, None


def _array_to_numeric(X, which):
    if X.dtype.kind not in "OUSTMm" or X.ndim != 2:
        return X, None
    if X.dtype.kind in "Mm":
        X = X.astype(object) if X.dtype.kind == "m" else X.astype("datetime64[us]").astype(object)
    columns = [_convert_cells(X[:, j].tolist(), f'{which}column "x{j + 1}"') for j in range(X.shape[1])]
    if all(column_type == ("number", []) for _, column_type in columns):
        return X, None
    return np.column_stack([values for values, _ in columns]), [column_type for _, column_type in columns]


def _polars_column(column):
    import polars

    if column.dtype in (polars.Categorical, polars.Enum):
        return column.cast(polars.String).to_list()
    if column.dtype.is_numeric() or column.dtype == polars.Boolean:
        return column.cast(polars.Float64).to_numpy()
    return column.to_list()


def _frame_to_numeric(X, which, names, column_of):
    import pandas

    if isinstance(X, pandas.DataFrame) and all(getattr(dtype, "kind", None) in "iufb" for dtype in X.dtypes):
        return X, None
    columns = [_convert_column(column_of(name), f'{which}column "{name}"') for name in names]
    index = X.index if isinstance(X, pandas.DataFrame) else None
    table = pandas.DataFrame(np.column_stack([values for values, _ in columns]), columns=names, index=index)
    return table, [column_type for _, column_type in columns]


def _convert_column(column, place):
    dtype = getattr(column, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if type(dtype).__name__ == "CategoricalDtype":
        codes = column.cat.codes.to_numpy().astype(float)
        codes[codes < 0] = np.nan
        return codes, ("category", [level_name(level) for level in column.cat.categories])
    if type(dtype).__name__ == "PeriodDtype":
        return _convert_column(column.dt.to_timestamp(), place)
    if kind == "m" or type(dtype).__name__ == "Duration":
        raise ValueError(
            f"{place} contains durations.\nGive numbers, such as seconds: .dt.total_seconds() in pandas and polars."
        )
    if kind == "M":
        days = np.asarray(column, dtype="datetime64[ns]")
        return np.where(np.isnat(days), np.nan, (days - np.datetime64(0, "ns")) / _DAY), ("date", [])
    if kind in ("i", "u", "f", "b"):
        return _to_floats(column), ("number", [])
    return _convert_cells(column.tolist() if hasattr(column, "tolist") else list(column), place)


def _to_floats(column):
    return column.to_numpy(dtype=float, na_value=np.nan) if hasattr(column, "to_numpy") else np.asarray(column, dtype=float)


def level_name(value):
    """The name of a level as the command line reads it: whole numbers without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _convert_cells(cells, place):
    """Convert a column of objects, which must be all numbers, all text or all dates."""
    cell_types = [_cell_type(cell) for cell in cells]
    found = {cell_type for cell_type in cell_types if cell_type != "missing"}
    if len(found) > 1:
        _refuse_mixture(cells, cell_types, place)
    if found & {"a duration", "an object"}:
        _refuse_objects(cells, cell_types, place)
    is_missing_cell = np.array([cell_type == "missing" for cell_type in cell_types], dtype=bool)
    if found == {"text"}:
        texts = [str(cell) for cell in cells]
        levels = sorted({text for text, missing in zip(texts, is_missing_cell) if not missing})
        code = {level: float(k) for k, level in enumerate(levels)}
        codes = [np.nan if missing else code[text] for text, missing in zip(texts, is_missing_cell)]
        return np.array(codes), ("category", levels)
    if found == {"date"}:
        times = [np.datetime64("NaT") if missing else _time(cell) for cell, missing in zip(cells, is_missing_cell)]
        return _convert_column(np.array(times, dtype="datetime64[ns]"), place)
    values = [np.nan if missing else cell for cell, missing in zip(cells, is_missing_cell)]
    return np.array(values, dtype=float), ("number", [])


def _time(cell):
    """A date as a datetime64: the start of a period, and UTC for a time with a zone."""
    if hasattr(cell, "to_timestamp"):
        cell = cell.to_timestamp()
    if getattr(cell, "tzinfo", None) is not None:
        cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.datetime64(cell)


def _cell_type(cell):
    if is_missing(cell):
        return "missing"
    if isinstance(cell, (str, bytes)):
        return "text"
    if isinstance(cell, (datetime.date, np.datetime64)) or type(cell).__name__ == "Period":
        return "date"
    if isinstance(cell, (datetime.timedelta, np.timedelta64)):
        return "a duration"
    return "number" if isinstance(cell, (numbers.Real, decimal.Decimal, np.bool_)) else "an object"


def _text_of(cell):
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)


_WORDS = {"text": ("text", "text"), "date": ("a date", "dates"), "number": ("a number", "numbers")}


def _refuse_mixture(cells, cell_types, place):
    first = next(cell_type for cell_type in cell_types if cell_type != "missing")
    row = next(row for row, cell_type in enumerate(cell_types) if cell_type not in ("missing", first))
    one, _ = _WORDS.get(cell_types[row], (cell_types[row], ""))
    _, many = _WORDS.get(first, ("", "other objects"))
    what = "is not a number" if first == "number" else f"is {one} in a column of {many}"
    raise ValueError(
        f'{place}, row {row + 1}: "{_text_of(cells[row])}" {what}.\n'
        "Give the column cells of one type, for instance by astype(str)."
    )


def _refuse_objects(cells, cell_types, place):
    row = next(row for row, cell_type in enumerate(cell_types) if cell_type != "missing")
    if cell_types[row] == "a duration":
        raise ValueError(f'{place}, row {row + 1}: "{cells[row]}" is a duration.\nGive numbers, such as its seconds.')
    raise ValueError(
        f"{place}, row {row + 1}: a cell of type {type(cells[row]).__name__} is not a number, text or date.\n"
        "Give one of these, or leave the column out."
    )


def encoded(model, names, values, column_types):
    """Rows of a table as the inputs of the model; warns of levels and missing cells that were not in the training rows."""
    are_inputs = column_types is None and not model.has_kinds and list(names) == list(model.inputs)
    if are_inputs and not np.isnan(values).any():
        return values
    encoder = _core.RowEncoder(model, names, "X")
    inputs = encoder.encode(values, column_types or [])
    for warning in encoder.odd:
        warnings.warn(warning, UserWarning, stacklevel=4)
    return inputs
