"""Tables checked by scikit-learn; cells that a method does not take are refused in the command line's words."""

from __future__ import annotations

import datetime

import numpy as np
from sklearn.utils.validation import validate_data

from . import _core
from ._kinds import as_numbers, encoded, takes_kinds

_NUMBERS = [np.float64, np.float32]
_TEXTS = (str, bytes, datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)


def unnamed(count):
    """The names that columns without a name have in model files."""
    return [f"x{k + 1}" for k in range(count)]


def checked_inputs(estimator, X, reset=False):
    """X as an array of the model's inputs, where there is a model: finite numbers, but for missing cells if it takes them."""
    kinds = None
    finite = True
    if takes_kinds(estimator):
        X, kinds = as_numbers(X)
        finite = "allow-nan"
    try:
        values = validate_data(estimator, X, dtype=_NUMBERS, reset=reset, ensure_all_finite=finite)
    except (TypeError, ValueError):
        _refuse_cells(X, _names(estimator), allow_missing=finite == "allow-nan")
        raise
    model = getattr(estimator, "model_", None)
    return values if model is None or reset else encoded(model, names_of(estimator, values), values, kinds)


def checked_rows(estimator, X, y, target, which="", **checks):
    """Inputs of the model, and y, as arrays; `which` rows they are stands before the column in messages."""
    values, y, kinds = checked_table(estimator, X, y, target, which, **checks)
    return encoded(estimator.model_, names_of(estimator, values), values, kinds), y


def checked_table(estimator, X, y, target, which="", **checks):
    """X and y as arrays of numbers, and the kinds of X's columns; cells may be missing where the method takes them."""
    return _checked(estimator, X, y, target, which, y_numeric=True, **checks)


def checked_labels(estimator, X, y, which="", **checks):
    """The same with y an array of whatever classes are named by."""
    return _checked(estimator, X, y, None, which, **checks)


def _checked(estimator, X, y, target, which, **checks):
    """Without a target's name, y need not be numbers."""
    kinds = None
    finite = True
    if takes_kinds(estimator):
        X, kinds = as_numbers(X, which)
        finite = "allow-nan"
    try:
        inputs, values = validate_data(estimator, X, y, dtype=_NUMBERS, ensure_all_finite=finite, **checks)
        return inputs, values if target is None else np.ascontiguousarray(values, dtype=np.float64), kinds
    except (TypeError, ValueError):
        _refuse_cells(X, _names(estimator), which, allow_missing=finite == "allow-nan")
        if target is not None:
            _refuse_cells(y, [target], which)
        raise


def names_of(estimator, values):
    """Names of the table's columns, as model files have them."""
    return [str(name) for name in getattr(estimator, "feature_names_in_", unnamed(values.shape[1]))]


def _names(estimator):
    return [str(name) for name in getattr(estimator, "feature_names_in_", [])]


def _refuse_cells(table, names, which="", allow_missing=False):
    """Raises for the first cell that is no finite number, if there is one; what else may be wrong is not looked at."""
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
        names = unnamed(cells.shape[1])
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
    """The cell as a CSV file would show it: dataframes mean an empty one by NaN."""
    if _is_missing(cell):
        return ""
    if isinstance(cell, float) and np.isnan(cell):
        return "" if is_frame else "NaN"
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)
