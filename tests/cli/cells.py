"""Tables of cells that are more than numbers, and exported models run on them: None is a cell that is missing."""

import csv
import ctypes
import datetime
import sqlite3

import numpy as np

import exported

SQL_TYPES = {"number": "DOUBLE", "category": "TEXT", "date": "TEXT"}


def days(cell):
    moment = datetime.datetime.fromisoformat(cell)
    return (moment - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)


class Cells:
    """`kinds` says of every column, by its name, whether it is a number, a category or a date."""

    def __init__(self, kinds, rows):
        self.kinds, self.rows = kinds, rows

    def write(self, path, target=None):
        """A CSV file, with a target where one is given for each row."""
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*self.kinds, *(["y"] if target is not None else [])])
            for k, row in enumerate(self.rows):
                writer.writerow(["" if cell is None else cell for cell in row] + ([target[k]] if target is not None else []))
        return path

    def column(self, k):
        return [row[k] for row in self.rows]

    def numbers(self, code):
        """As functions of numbers take them; `code(place, text)` is that of a level."""
        X = np.empty((len(self.rows), len(self.kinds)))
        for k, kind in enumerate(self.kinds.values()):
            cells = self.column(k)
            if kind == "category":
                X[:, k] = [code(k, cell) for cell in cells]
            else:
                read = days if kind == "date" else float
                X[:, k] = [np.nan if cell is None else read(cell) for cell in cells]
        return X

    def run_c(self, path, compiler="gcc"):
        library = exported.load_c(path, compiler)

        def code(place, text):
            function = library.shrimp_predict_code
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_size_t, ctypes.c_char_p]
            return function(place, None if text is None else text.encode())

        return exported.call_c(library, self.numbers(code))

    def run_python(self, path):
        return exported.run_python(path, self.rows)

    def run_onnx(self, path):
        import onnxruntime

        session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
        X = self.numbers(lambda place, text: 0.0)
        is_text = np.array([kind == "category" for kind in self.kinds.values()])
        texts = np.array([["" if cell is None else cell for cell in row] for row in self.rows], dtype=object)
        feed = {"X": X[:, ~is_text], "C": texts[:, is_text].astype(str).astype(object)}
        return session.run(["y"], {one.name: feed[one.name] for one in session.get_inputs()})[0]

    def run_sql(self, path, database, types=SQL_TYPES):
        exported.fill_table(database, self.rows, list(self.kinds), list, [types[kind] for kind in self.kinds.values()])
        return exported.query(database, path)

    def run_sqlite(self, path):
        return self.run_sql(path, sqlite3.connect(":memory:"))

    def run_duckdb(self, path, types=SQL_TYPES):
        import duckdb

        return self.run_sql(path, duckdb.connect(config={"threads": 1}), types)

    def run_everywhere(self, export, model):
        c, sql = export(model, "c"), export(model, "sql")
        return {
            **{compiler: self.run_c(c, compiler) for compiler in exported.COMPILERS},
            "python": self.run_python(export(model, "python")),
            "onnx": self.run_onnx(export(model, "onnx")),
            "sqlite": self.run_sqlite(sql),
            "duckdb": self.run_duckdb(sql),
        }
