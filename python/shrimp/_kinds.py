"""Columns that are more than numbers: categories, dates and missing cells, as the library takes them."""

from __future__ import annotations

import datetime
import decimal
import numbers
import warnings

import numpy as np

from . import _core
from ._groups import is_missing

_DAY = np.timedelta64(1, "D")


def takes_kinds(estimator):
    """Only fits by method auto do: the others need a number in every cell."""
    return getattr(estimator, "_method", getattr(estimator, "method", None)) == "auto"


def as_numbers(X, which=""):
    """A table of numbers in the place of X, and the kinds of its columns: None where it holds numbers already.

    Categories are codes of their levels and dates days since 1970-01-01; missing cells are NaN. A kind is a pair of its
    name and its levels. `which` rows they are stands before the column in messages.
    """
    if isinstance(X, np.ndarray):
        return _array_as_numbers(X, which)
    library = type(X).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(X, "column_names"):
        return _frame_as_numbers(X, which, X.column_names, lambda name: X.column(name).to_pandas())
    if library == "polars" and hasattr(X, "columns"):
        return _frame_as_numbers(X, which, X.columns, lambda name: _polars_column(X[name]))
    if library == "pandas" and hasattr(X, "columns") and X.columns.is_unique:
        return _frame_as_numbers(X, which, list(X.columns), lambda name: X[name])
    return X, None


def _array_as_numbers(X, which):
    if X.dtype.kind not in "OUSTMm" or X.ndim != 2:
        return X, None
    if X.dtype.kind in "Mm":
        X = X.astype(object) if X.dtype.kind == "m" else X.astype("datetime64[us]").astype(object)
    columns = [_understand(X[:, j].tolist(), f'{which}column "x{j + 1}"') for j in range(X.shape[1])]
    if all(kind == ("number", []) for _, kind in columns):
        return X, None
    return np.column_stack([values for values, _ in columns]), [kind for _, kind in columns]


def _polars_column(column):
    import polars

    if column.dtype in (polars.Categorical, polars.Enum):
        return column.cast(polars.String).to_list()
    if column.dtype.is_numeric() or column.dtype == polars.Boolean:
        return column.cast(polars.Float64).to_numpy()
    return column.to_list()


def _frame_as_numbers(X, which, names, column_of):
    import pandas

    if isinstance(X, pandas.DataFrame) and all(getattr(dtype, "kind", None) in "iufb" for dtype in X.dtypes):
        return X, None
    columns = [_understand_column(column_of(name), f'{which}column "{name}"') for name in names]
    index = X.index if isinstance(X, pandas.DataFrame) else None
    table = pandas.DataFrame(np.column_stack([values for values, _ in columns]), columns=names, index=index)
    return table, [kind for _, kind in columns]


def _understand_column(column, place):
    dtype = getattr(column, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if type(dtype).__name__ == "CategoricalDtype":
        codes = column.cat.codes.to_numpy().astype(float)
        codes[codes < 0] = np.nan
        return codes, ("category", [level_name(level) for level in column.cat.categories])
    if type(dtype).__name__ == "PeriodDtype":
        return _understand_column(column.dt.to_timestamp(), place)
    if kind == "m" or type(dtype).__name__ == "Duration":
        raise ValueError(
            f"{place} holds durations.\nGive numbers, such as the seconds: .dt.total_seconds() in pandas and polars."
        )
    if kind == "M":
        days = np.asarray(column, dtype="datetime64[ns]")
        return np.where(np.isnat(days), np.nan, (days - np.datetime64(0, "ns")) / _DAY), ("date", [])
    if kind in ("i", "u", "f", "b"):
        return _plain_numbers(column), ("number", [])
    return _understand(column.tolist() if hasattr(column, "tolist") else list(column), place)


def _plain_numbers(column):
    return column.to_numpy(dtype=float, na_value=np.nan) if hasattr(column, "to_numpy") else np.asarray(column, dtype=float)


def level_name(value):
    """As the command line reads it: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _understand(cells, place):
    """A column of any objects: numbers, text or dates, which must not be mixed."""
    sorts = [_sort_of(cell) for cell in cells]
    found = {sort for sort in sorts if sort != "missing"}
    if len(found) > 1:
        _refuse_mixture(cells, sorts, place)
    if found & {"a duration", "an object"}:
        _refuse_objects(cells, sorts, place)
    if found == {"text"}:
        levels = sorted({str(cell) for cell, sort in zip(cells, sorts) if sort == "text"})
        code = {level: float(k) for k, level in enumerate(levels)}
        return np.array([np.nan if sort == "missing" else code[str(cell)] for cell, sort in zip(cells, sorts)]), (
            "category",
            levels,
        )
    if found == {"date"}:
        days = [np.datetime64("NaT") if sort == "missing" else _moment(cell) for cell, sort in zip(cells, sorts)]
        return _understand_column(np.array(days, dtype="datetime64[ns]"), place)
    return np.array([np.nan if sort == "missing" else cell for cell, sort in zip(cells, sorts)], dtype=float), ("number", [])


def _moment(cell):
    """A date as NumPy has it: the start of a period, and the time in UTC of a moment with a zone."""
    if hasattr(cell, "to_timestamp"):
        cell = cell.to_timestamp()
    if getattr(cell, "tzinfo", None) is not None:
        cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.datetime64(cell)


def _sort_of(cell):
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


def _refuse_mixture(cells, sorts, place):
    first = next(sort for sort in sorts if sort != "missing")
    row = next(row for row, sort in enumerate(sorts) if sort not in ("missing", first))
    one, _ = _WORDS.get(sorts[row], (sorts[row], ""))
    _, many = _WORDS.get(first, ("", "other objects"))
    what = "is not a number" if first == "number" else f"is {one} in a column of {many}"
    raise ValueError(
        f'{place}, row {row + 1}: "{_text_of(cells[row])}" {what}.\n'
        "Give the column cells of one kind: all text, for instance, by astype(str)."
    )


def _refuse_objects(cells, sorts, place):
    row = next(row for row, sort in enumerate(sorts) if sort != "missing")
    if sorts[row] == "a duration":
        raise ValueError(f'{place}, row {row + 1}: "{cells[row]}" is a duration.\nGive numbers, such as its seconds.')
    raise ValueError(
        f"{place}, row {row + 1}: a cell of type {type(cells[row]).__name__} is no number, text or date.\n"
        "Give one of these, or leave the column out."
    )


def encoded(model, names, values, kinds):
    """Rows of a table as the inputs of the model; warns of levels and missing cells that it has not seen."""
    are_inputs = kinds is None and not model.has_kinds and list(names) == list(model.inputs)
    if are_inputs and not np.isnan(values).any():
        return values
    encoder = _core.RowEncoder(model, names, "X")
    inputs = encoder.encode(values, kinds or [])
    for warning in encoder.odd:
        warnings.warn(warning, UserWarning, stacklevel=4)
    return inputs
