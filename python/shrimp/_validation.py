"""Validation of tables by scikit-learn, with the messages of the command line for cells that a method does not accept."""

from __future__ import annotations

import datetime

import numpy as np
from sklearn.utils.validation import validate_data

from . import _core
from ._column_types import accepts_column_types, encoded, to_numeric
from ._groups import is_missing

_NUMBERS = [np.float64, np.float32]
_TEXTS = (str, bytes, datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)


def default_names(count):
    """Names in model files of columns without names."""
    return [f"x{k + 1}" for k in range(count)]


def _text_names(X):
    """Column names of a pandas table as text, if none of them is text (numbers, for instance); None otherwise."""
    columns = getattr(X, "columns", None)
    if type(X).__module__.partition(".")[0] != "pandas" or columns is None or any(isinstance(name, str) for name in columns):
        return None
    names = [str(name) for name in columns]
    return names if names and len(set(names)) == len(names) else None


def _refuse_lazy(table, name):
    if type(table).__name__ == "LazyFrame":
        raise TypeError(f"{name} is a polars LazyFrame, whose rows are not yet computed.\nGive {name}.collect().")


def _with_known_names(estimator, X, reset):
    """X with text as column names, because scikit-learn compares only these with the names of the fit."""
    _refuse_lazy(X, "X")
    names = _text_names(X)
    if reset:
        estimator._column_names = names
        return X
    if names is not None and hasattr(estimator, "feature_names_in_"):
        return X.set_axis(names, axis="columns")
    known = getattr(estimator, "_column_names", None)
    if names is not None and known is not None and names != known and len(names) == len(known):
        j = next(j for j, (name, own) in enumerate(zip(names, known)) if name != own)
        raise ValueError(
            f'column {j + 1} of X is "{names[j]}", but "{known[j]}" in the fit.\nGive the columns of the fit, in their order.'
        )
    return X


def checked_inputs(estimator, X, reset=False):
    """X as an array of finite numbers, or NaN if missing cells are accepted; encoded as the model's inputs after a fit."""
    X = _with_known_names(estimator, X, reset)
    column_types = None
    finite = True
    if accepts_column_types(estimator):
        X, column_types = to_numeric(X)
        finite = "allow-nan"
    try:
        values = validate_data(estimator, X, dtype=_NUMBERS, reset=reset, ensure_all_finite=finite)
    except (TypeError, ValueError):
        _refuse_cells(X, _names(estimator), allow_missing=finite == "allow-nan")
        raise
    model = getattr(estimator, "model_", None)
    return values if model is None or reset else encoded(model, names_of(estimator, values.shape[1]), values, column_types)


def checked_rows(estimator, X, y, target, which="", **checks):
    """Inputs of the model, and y, as arrays; messages name `which` rows they are before the column."""
    values, y, column_types = checked_table(estimator, X, y, target, which, **checks)
    return encoded(estimator.model_, names_of(estimator, values.shape[1]), values, column_types), y


def checked_table(estimator, X, y, target, which="", **checks):
    """X and y as arrays of numbers, and the types of the columns of X; cells may be missing if the method accepts them."""
    return _checked(estimator, X, y, target, which, y_numeric=True, **checks)


def checked_labels(estimator, X, y, which="", **checks):
    """X as an array of numbers, y as an array of classes, and the types of the columns of X."""
    return _checked(estimator, X, y, None, which, **checks)


def _checked(estimator, X, y, target, which, **checks):
    """Validate X and y; y contains classes if `target` is None."""
    X = _with_known_names(estimator, X, checks.get("reset", True))
    _refuse_lazy(y, "y")
    refuse = _refuse_classes if target is None else _refuse_target
    refuse(y, target, which)
    column_types = None
    finite = True
    if accepts_column_types(estimator):
        X, column_types = to_numeric(X, which)
        finite = "allow-nan"
    try:
        inputs, values = validate_data(estimator, X, y, dtype=_NUMBERS, ensure_all_finite=finite, **checks)
        return inputs, values if target is None else np.ascontiguousarray(values, dtype=np.float64), column_types
    except (TypeError, ValueError):
        _refuse_cells(X, _names(estimator), which, allow_missing=finite == "allow-nan")
        if target is not None:
            _refuse_cells(y, [target], which)
        raise


def names_of(estimator, count):
    """Names of the table's columns in model files; `count` default names if the table has none."""
    return _names(estimator) or default_names(count)


def _names(estimator):
    """Names of the columns; empty if they have none."""
    return [str(name) for name in getattr(estimator, "feature_names_in_", getattr(estimator, "_column_names", None) or [])]


def _cells_of(y):
    """The cells of a target, to search for invalid ones; empty if it is numeric or not one-dimensional."""
    cells = np.asarray(y)
    if cells.dtype.kind in "biufc" or cells.ndim != 1:
        return []
    return list(np.asarray(y, dtype=object))


def _refuse_target(y, target, which):
    """Refuse text, dates and durations as target: NumPy would convert some of them to numbers."""
    for row, cell in enumerate(_cells_of(y), 1):
        place = f'{which}column "{target}", row {row}'
        if isinstance(cell, (str, bytes)) and not _is_number(cell):
            raise ValueError(f'{place}: "{_text_of(cell, True)}" is not a number.\nGive numbers, or use ShrimpClassifier for classes.')
        if type(cell).__name__ == "Period" or (isinstance(cell, _TEXTS) and not isinstance(cell, (str, bytes))):
            raise ValueError(f'{place}: "{cell}" is not a number.\nGive numbers, such as days or seconds.')


def _is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def _refuse_classes(y, _, which):
    """Refuse missing classes, and classes that cannot be sorted."""
    cells = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)  # NumPy would turn NaN among text into "nan".
    if cells.ndim != 1 or cells.dtype.kind not in "fO":
        return
    known = {}
    for row, cell in enumerate(cells.tolist(), 1):
        if is_missing(cell):
            raise ValueError(f"{which}y, row {row}: the class is missing.\nDrop the row, or give its class.")
        known.setdefault(isinstance(cell, (str, bytes)), (row, cell))
    if len(known) == 2:
        (first, one), (second, other) = sorted(known.values(), key=lambda found: found[0])
        raise ValueError(
            f"{which}y has text and numbers as classes: {one!r} in row {first}, {other!r} in row {second}.\n"
            "Give classes of one type, for instance by astype(str)."
        )


def _refuse_cells(table, names, which="", allow_missing=False):
    """Raise for the first cell that is not a finite number. Other problems are left to scikit-learn."""
    try:
        cells = np.asarray(table)
        if cells.dtype.kind != "f":
            cells = np.asarray(table, dtype=object)
    except (TypeError, ValueError):
        return
    cells = cells[:, np.newaxis] if cells.ndim == 1 and len(names) == 1 else cells
    if cells.ndim != 2:
        return
    bad = ~np.isfinite(cells) if cells.dtype.kind == "f" else np.frompyfunc(_is_bad, 1, 1)(cells).astype(bool)
    if allow_missing and cells.dtype.kind == "f":
        bad &= ~np.isnan(cells)
    if not bad.any():
        return
    row, column = np.unravel_index(bad.argmax(), bad.shape)
    if len(names) != cells.shape[1]:
        names = default_names(cells.shape[1])
    text = _text_of(cells[row, column], is_frame=not isinstance(table, (np.ndarray, list, tuple)))
    complaint = _core.complaint_about_cell(text, f'{which}column "{names[column]}", row {row + 1}')
    if complaint:
        raise ValueError(complaint) from None


def _is_missing(cell):
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _is_bad(cell):
    if _is_missing(cell):
        return True
    try:
        return not np.isfinite(float(cell))
    except (TypeError, ValueError):
        return isinstance(cell, _TEXTS)


def _text_of(cell, is_frame):
    """The cell as in a CSV file. NaN in a dataframe is an empty cell."""
    if _is_missing(cell):
        return ""
    if isinstance(cell, float) and np.isnan(cell):
        return "" if is_frame else "NaN"
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)
