"""Columns of Arrow tables as numbers: codes of levels, days, and NaN for missing cells."""

from __future__ import annotations

import numpy as np

from . import _core
from ._column_types import level_name
from ._groups import is_missing

_NANOSECONDS_PER_DAY = 86400e9


class ArrowColumns:
    """Converts columns of a table, block by block.

    Columns of `inputs` may be categories and dates and have missing cells; all others must be numbers.
    `refuse(cell, name, row)` raises for an invalid cell, `refuse_levels(name, limit)` for a category with too many levels.
    """

    def __init__(self, schema, inputs, refuse, refuse_levels):
        self.inputs = list(inputs)
        self.refuse = refuse
        self.refuse_levels = refuse_levels
        self._types = {name: column_type_of(schema, name) for name in self.inputs}
        self._codes = {name: {} for name, column_type in self._types.items() if column_type == "category"}
        self._reported = dict.fromkeys(self._codes, 0)

    def column_types(self):
        """The type of each input and its levels so far; empty if all columns must be numbers."""
        return [(column_type, list(self._codes.get(name, ()))) for name, column_type in self._types.items()]

    def new_levels(self):
        """Levels that appeared since the last call, with the index of their input."""
        new = []
        for index, name in enumerate(self.inputs):
            known = self._codes.get(name, ())
            if len(known) > self._reported.get(name, 0):
                new.append((index, list(known)[self._reported[name] :]))
                self._reported[name] = len(known)
        return new

    def read(self, column, name, row):
        """The cells of a batch as numbers; `row` is the row of the first one in the table, from 1."""
        column_type = self._types.get(name)
        if column_type == "category":
            return self._codes_of(column, name)
        if column_type == "date":
            return _days(column)
        return self._numbers(column, name, row, may_be_missing=column_type is not None)

    def _codes_of(self, column, name):
        """Codes in the order in which levels first appear, which is the same in every pass."""
        known = self._codes[name]
        labels = column if hasattr(column, "indices") else column.dictionary_encode()
        indices = labels.indices.fill_null(len(labels.dictionary)).to_numpy(zero_copy_only=False)
        entries = [*labels.dictionary.to_pylist(), None]
        code_of = np.full(len(entries), np.nan)
        used, first = np.unique(indices, return_index=True)
        for index in used[np.argsort(first)]:
            if not is_missing(entries[index]):
                code_of[index] = known.setdefault(level_name(entries[index]), len(known))
        if len(known) > _core.most_levels:
            self.refuse_levels(name, _core.most_levels)
        return code_of[indices]

    def _numbers(self, column, name, row, may_be_missing):
        import pyarrow
        from pyarrow import types

        if types.is_dictionary(column.type):
            column = column.dictionary_decode()
        own = column.type
        is_number = types.is_integer(own) or types.is_floating(own) or types.is_boolean(own) or types.is_decimal(own)
        if may_be_missing and types.is_null(own):
            return np.full(len(column), np.nan)
        if not is_number or (column.null_count and not may_be_missing):
            first = column.is_null().index(True).as_py() if is_number else 0
            self.refuse(column[max(first, 0)].as_py(), name, row + first)
        values = column.cast(pyarrow.float64(), safe=False).to_numpy(zero_copy_only=False)
        is_valid = np.isfinite(values) | np.isnan(values) if may_be_missing else np.isfinite(values)
        if not is_valid.all():
            first = is_valid.argmin()
            self.refuse(values[first], name, row + first)
        return values


def column_type_of(schema, name):
    """The type of a column in a dataframe: Parquet does not store that numbers were categories, but pandas' metadata does."""
    from pyarrow import types

    own = schema.field(name).type
    metadata = (schema.pandas_metadata or {}).get("columns", [])
    if any(column["field_name"] == name and column["pandas_type"] == "categorical" for column in metadata):
        return "category"
    if types.is_dictionary(own) or types.is_string(own) or types.is_large_string(own):
        return "category"
    return "date" if types.is_timestamp(own) or types.is_date(own) else "number"


def _days(column):
    import pyarrow

    times = column.cast(pyarrow.timestamp("ns")) if pyarrow.types.is_date(column.type) else column
    zone = getattr(times.type, "tz", None)
    counts = times.cast(pyarrow.timestamp("ns", zone)).cast(pyarrow.int64()).cast(pyarrow.float64(), safe=False)
    return counts.to_numpy(zero_copy_only=False) / _NANOSECONDS_PER_DAY
