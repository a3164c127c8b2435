"""Columns of Arrow's tables as numbers: codes of levels, days, NaN where a cell is missing."""

from __future__ import annotations

import numpy as np

from . import _core
from ._groups import is_missing
from ._kinds import level_name

_NANOSECONDS_OF_A_DAY = 86400e9


class ArrowColumns:
    """Reads columns of a table block by block. Those of `inputs` may be categories and dates and lack cells; the others must
    be numbers. `refuse(cell, name, row)` raises for a cell that cannot be, `refuse_levels(name, most)` for too many levels."""

    def __init__(self, schema, inputs, refuse, refuse_levels):
        self.inputs = list(inputs)
        self.refuse = refuse
        self.refuse_levels = refuse_levels
        self._kind_of = {name: kind_of(schema, name) for name in self.inputs}
        self._codes = {name: {} for name, kind in self._kind_of.items() if kind == "category"}
        self._told = dict.fromkeys(self._codes, 0)

    def kinds(self):
        """The kind of each input and its levels so far; none where all columns must be numbers."""
        return [(kind, list(self._codes.get(name, ()))) for name, kind in self._kind_of.items()]

    def new_levels(self):
        """Levels since it was asked last, with the place of their input."""
        new = []
        for place, name in enumerate(self.inputs):
            known = self._codes.get(name, ())
            if len(known) > self._told.get(name, 0):
                new.append((place, list(known)[self._told[name] :]))
                self._told[name] = len(known)
        return new

    def read(self, column, name, row):
        """The cells of a batch, whose first is that of a row of the table, as numbers."""
        kind = self._kind_of.get(name)
        if kind == "category":
            return self._codes_of(column, name)
        return _days(column) if kind == "date" else self._numbers(column, name, row, may_lack=kind is not None)

    def _codes_of(self, column, name):
        """Codes in the order in which levels first come, the same in every pass."""
        known = self._codes[name]
        labels = column if hasattr(column, "indices") else column.dictionary_encode()
        places = labels.indices.fill_null(len(labels.dictionary)).to_numpy(zero_copy_only=False)
        entries = [*labels.dictionary.to_pylist(), None]
        code_of = np.full(len(entries), np.nan)
        used, first = np.unique(places, return_index=True)
        for place in used[np.argsort(first)]:
            if not is_missing(entries[place]):
                code_of[place] = known.setdefault(level_name(entries[place]), len(known))
        if len(known) > _core.most_levels:
            self.refuse_levels(name, _core.most_levels)
        return code_of[places]

    def _numbers(self, column, name, row, may_lack):
        import pyarrow
        from pyarrow import types

        if types.is_dictionary(column.type):
            column = column.dictionary_decode()
        kind = column.type
        is_number = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
        if may_lack and types.is_null(kind):
            return np.full(len(column), np.nan)
        if not is_number or (column.null_count and not may_lack):
            first = column.is_null().index(True).as_py() if is_number else 0
            self.refuse(column[max(first, 0)].as_py(), name, row + first)
        values = column.cast(pyarrow.float64(), safe=False).to_numpy(zero_copy_only=False)
        fine = np.isfinite(values) | np.isnan(values) if may_lack else np.isfinite(values)
        if not fine.all():
            first = fine.argmin()
            self.refuse(values[first], name, row + first)
        return values


def kind_of(schema, name):
    """What a column is, as it would be in a dataframe: Parquet forgets that numbers were categories, but not what pandas
    wrote of them."""
    from pyarrow import types

    kind = schema.field(name).type
    written = (schema.pandas_metadata or {}).get("columns", [])
    if any(column["field_name"] == name and column["pandas_type"] == "categorical" for column in written):
        return "category"
    if types.is_dictionary(kind) or types.is_string(kind) or types.is_large_string(kind):
        return "category"
    return "date" if types.is_timestamp(kind) or types.is_date(kind) else "number"


def _days(column):
    import pyarrow

    moments = column.cast(pyarrow.timestamp("ns")) if pyarrow.types.is_date(column.type) else column
    zone = getattr(moments.type, "tz", None)
    counts = moments.cast(pyarrow.timestamp("ns", zone)).cast(pyarrow.int64()).cast(pyarrow.float64(), safe=False)
    return counts.to_numpy(zero_copy_only=False) / _NANOSECONDS_OF_A_DAY
