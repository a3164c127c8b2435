"""Tables checked by scikit-learn; cells that a method does not take are refused in the command line's words."""

from __future__ import annotations

import datetime

import numpy as np
from sklearn.utils.validation import validate_data

from . import _core
from ._groups import is_missing
from ._kinds import as_numbers, encoded, takes_kinds

_NUMBERS = [np.float64, np.float32]
_TEXTS = (str, bytes, datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)


def unnamed(count):
    """The names that columns without a name have in model files."""
    return [f"x{k + 1}" for k in range(count)]


def _text_names(X):
    """Names of a pandas table whose columns all have names other than text, such as numbers, as text; None elsewhere."""
    columns = getattr(X, "columns", None)
    if type(X).__module__.partition(".")[0] != "pandas" or columns is None or any(isinstance(name, str) for name in columns):
        return None
    names = [str(name) for name in columns]
    return names if names and len(set(names)) == len(names) else None


def _with_known_names(estimator, X, reset):
    """X with the names of its columns as scikit-learn compares them, which looks at text alone."""
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a polars LazyFrame, whose rows are not computed yet.\nGive X.collect().")
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
            f'column {j + 1} of X is "{names[j]}", where the fit had "{known[j]}".\nGive the columns of the fit, in their order.'
        )
    return X


def checked_inputs(estimator, X, reset=False):
    """X as an array of the model's inputs, where there is a model: finite numbers, but for missing cells if it takes them."""
    X = _with_known_names(estimator, X, reset)
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
    return values if model is None or reset else encoded(model, names_of(estimator, values.shape[1]), values, kinds)


def checked_rows(estimator, X, y, target, which="", **checks):
    """Inputs of the model, and y, as arrays; `which` rows they are stands before the column in messages."""
    values, y, kinds = checked_table(estimator, X, y, target, which, **checks)
    return encoded(estimator.model_, names_of(estimator, values.shape[1]), values, kinds), y


def checked_table(estimator, X, y, target, which="", **checks):
    """X and y as arrays of numbers, and the kinds of X's columns; cells may be missing where the method takes them."""
    return _checked(estimator, X, y, target, which, y_numeric=True, **checks)


def checked_labels(estimator, X, y, which="", **checks):
    """The same with y an array of whatever classes are named by."""
    return _checked(estimator, X, y, None, which, **checks)


def _checked(estimator, X, y, target, which, **checks):
    """Without a target's name, y need not be numbers."""
    X = _with_known_names(estimator, X, checks.get("reset", True))
    refuse = _refuse_classes if target is None else _refuse_target
    refuse(y, target, which)
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


def names_of(estimator, count):
    """Names of the table's columns, as many as `count`, as model files have them."""
    return _names(estimator) or unnamed(count)


def _names(estimator):
    """Empty where the columns have no names."""
    return [str(name) for name in getattr(estimator, "feature_names_in_", getattr(estimator, "_column_names", None) or [])]


def _cells_of(y):
    """The cells of a target that is not an array of numbers; none for one that is, or that has not one cell in a row."""
    cells = np.asarray(y)
    if cells.dtype.kind in "biufc" or cells.ndim != 1:
        return []
    return list(np.asarray(y, dtype=object))


def _refuse_target(y, target, which):
    """Text that is no number, dates and durations: NumPy makes numbers of some of them."""
    for row, cell in enumerate(_cells_of(y), 1):
        place = f'{which}column "{target}", row {row}'
        if isinstance(cell, (str, bytes)) and not _is_number(cell):
            raise ValueError(f'{place}: "{_text_of(cell, True)}" is not a number.\nGive numbers, or take ShrimpClassifier for classes.')
        if isinstance(cell, _TEXTS) and not isinstance(cell, (str, bytes)):
            raise ValueError(f'{place}: "{cell}" is not a number.\nGive numbers, such as days or seconds.')


def _is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def _refuse_classes(y, _, which):
    """Classes that are missing, and names of classes that cannot be sorted."""
    cells = np.asarray(y)
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
            "Give names of one type, as astype(str) makes them."
        )


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
