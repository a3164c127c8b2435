"""Exported models take the cells that their tables have: categories, dates, and cells that are missing."""

import datetime
import json
import random
import sqlite3

import numpy as np
import onnx
import pytest

import exported
from cells import Cells
from exported import rounding_error

KINDS = {"x": "number", "color": "category", "z": "number", "when": "date", "shop": "category"}
COLORS = {"red": 2.0, 'gr"ü\'n ??/\\': -1.0, "blue": 0.0, "a\nb*/": 1.0}


def rows_of(count, seed):
    """z, colors and dates are missing now and then, some shops are rare, and some colors new."""
    draw = random.Random(seed)
    for k in range(count):
        color = draw.choice([*COLORS, None]) if seed == 0 else draw.choice([*COLORS, None, "mauve", ""])
        when = datetime.datetime(2023, 1, 1) + datetime.timedelta(hours=draw.randrange(24 * 800))
        shop = f"shop {k % 3}" if draw.random() < 0.8 else f"rare {draw.randrange(20)}"
        yield [
            draw.uniform(-1, 1),
            color,
            None if draw.random() < 0.3 else draw.uniform(-1, 1),
            None if draw.random() < 0.1 else draw.choice([when.isoformat(" "), when.date().isoformat()]),
            shop,
        ]


def effect(row):
    x, color, z, when, shop = row
    day = datetime.date.fromisoformat(when[:10]).weekday() if when else 2
    curve = x if color == "red" else np.sin(3 * x)
    return COLORS.get(color, 3.0) + 2 * curve + (1.5 if z is None else z**2) + 0.5 * day + (shop == "shop 1")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    train, test = Cells(KINDS, list(rows_of(300, 0))), Cells(KINDS, list(rows_of(120, 1)))
    draw = np.random.default_rng(0)
    means = np.array([effect(row) for row in train.rows])
    targets = {
        "squared": means + 0.05 * draw.normal(size=300),
        "logistic": np.where(draw.uniform(size=300) < 1 / (1 + np.exp(4 - means)), "yes", "no"),
        "poisson": draw.poisson(np.exp(means / 4)),
    }
    return test, test.write(folder / "test.csv"), {loss: train.write(folder / f"{loss}.csv", y) for loss, y in targets.items()}


@pytest.mark.parametrize("loss", ["squared", "logistic", "poisson"])
def test_exports_of_tables_as_people_have_them_predict_what_the_program_does(loss, shrimp, export, tables, tmp_path):
    test, path, trains = tables
    fit = ("fit", trains[loss], "--method", "auto", "--target", "y", "--loss", loss, "--date-parts", "--quick-error", "-q")
    run = shrimp(*fit, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    content = json.loads((tmp_path / "m.json").read_text())
    assert {"missing(z)", "day of week(when)", "day of year(when)"} <= set(content["inputs"])
    assert "(missing)" in content["columns"][1]["levels"] and "(other)" in content["columns"][-1]["levels"]
    predicted = shrimp("predict", tmp_path / "m.json", path).stdout.splitlines()[1:]
    expected = [float(line.split(",")[0]) for line in predicted]
    for language, own in test.run_everywhere(export, tmp_path / "m.json").items():
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"), err_msg=language)


def test_a_robust_fit_is_exported_as_any_other(shrimp, predictions, export, tmp_path):
    table = Cells({"x": "number", "color": "category"}, [row[:2] for row in rows_of(90, 0)])
    target = [effect([*row, 0.0, None, ""]) + 20 * (k % 29 == 0) for k, row in enumerate(table.rows)]
    fit = ("fit", table.write(tmp_path / "t.csv", target), "--method", "auto", "--target", "y", "--loss", "huber", "--quick-error", "-q")
    assert shrimp(*fit, "--output", tmp_path / "m.json").returncode == 0
    expected = predictions(tmp_path / "m.json", tmp_path / "t.csv")
    for language, own in table.run_everywhere(export, tmp_path / "m.json").items():
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"), err_msg=language)


INPUTS = {
    "x": {},
    "missing(x)": {"part": "missing", "column": "x"},
    "color": {"type": "category", "levels": ["blue", "red", "(missing)", "(other)"], "pooled": ["mauve", "pink"]},
    "code": {"type": "category", "levels": ["7", "10", "2.5"]},
    "when": {"type": "date"},
    "day of week(when)": {"type": "category", "part": "day_of_week", "column": "when", "levels": list("MTWTFSS"[:2]) + ["c", "d", "e", "f", "g"]},
    "day of year(when)": {"part": "day_of_year", "column": "when"},
    "size": {},
    "flag": {},
}  # fmt: skip
CELLS = {"x": "number", "color": "category", "code": "category", "when": "date", "size": "number", "flag": "number"}


def every_column(seed, kernel_order=None):
    """A model file with a column of each function, of inputs of every kind, by logarithm and by rank, with limits."""
    draw = np.random.default_rng(seed)
    d = len(INPUTS)
    features = []
    for k, function in enumerate(["cos", "sin", "identity"] * 8):
        size = 1 + k % 3
        features.append({"variables": sorted(draw.choice(d, size, replace=False).tolist()), "weights": draw.normal(size=size).tolist(),
                         "phase": draw.uniform(0, 6), function: draw.normal()})  # fmt: skip
    for variable, function, phase in [(2, "level", -1), (2, "level", -3), (3, "level", 0), (5, "level", -6), (0, "step", 0.2),
                                      (7, "tanh", 0.1), (8, "relu", 0.4)]:  # fmt: skip
        features.append({"variables": [variable], "weights": [1.0], "phase": phase, function: draw.normal()})
    if kernel_order is not None:
        features += [{"variables": [0, 4, 7, 8], "weights": draw.normal(size=4).tolist(), "phase": 0.0, "kernel": draw.normal()}
                     for _ in range(5)]
    kernels = {} if kernel_order is None else {"gamma": [0.4] * d, "kernel_order": kernel_order}
    is_category = ["levels" in column for column in INPUTS.values()]
    mean = [0.1, 0.3, 0, 0, 19000, 0, 180, 0.5, 0.4]
    scale = [0.6, 0.5, 1, 1, 300, 1, 100, 0.8, 0.5]
    lowest = [-2, -0.1, -0.2, -0.2, 17000, -0.3, 0, 0.01, -0.1]
    highest = [2, 1.1, 3.2, 2.2, 21000, 6.3, 367, 50, 1.1]
    warps = [{"type": "none"} for _ in range(d)]
    warps[7] = {"type": "log"}
    warps[0] = {"type": "rank", "values": [-1.5, -0.2, 0.3, 1.8], "ranks": [0.1, 0.4, 0.6, 0.95]}
    marginals = [
        {"values": list(map(float, range(len(column["levels"]))))} if is_category[j]
        else {"values": np.sort(draw.uniform(lowest[j], highest[j], 5)).tolist(), "masses": [0.1, 0.2, 0.3, 0.15, 0.25]}
        for j, column in enumerate(INPUTS.values())
    ]  # fmt: skip
    scaling = {"input_mean": mean, "input_scale": scale, "input_lowest": lowest, "input_highest": highest, "input_transforms": warps,
               "target_mean": 40.0, "target_scale": 1.5}  # fmt: skip
    return {
        "format": "shrimp-model", "format_version": 6, "method": "auto", "target": "y", "inputs": list(INPUTS),
        "columns": list(INPUTS.values()), "scaling": scaling, "options": {}, "results": {}, "marginals": marginals, "terms": [],
        "features": features, **kernels,
    }  # fmt: skip


def cells_of(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        lacks = lambda cell: None if draw.random() < 0.25 else cell  # noqa: E731
        day = datetime.date(1890, 1, 1) + datetime.timedelta(days=draw.randrange(80000))
        yield [
            lacks(draw.uniform(-3, 3)),
            lacks(draw.choice(["blue", "red", "mauve", "pink", "(other)", "white", "Blue"])),
            lacks(draw.choice(["7", "10", "2.5", "8"])),
            lacks(draw.choice([day.isoformat(), f"{day}T23:59:59.5", f"{day} 07:30"])),
            lacks(10 ** draw.uniform(-3, 3)),
            lacks(float(draw.random() < 0.5)),
        ]


@pytest.mark.parametrize("kernel_order", [None, 0, 2])
def test_every_kind_of_input_column_and_form_is_exported(kernel_order, predictions, export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3, kernel_order)))
    table = Cells(CELLS, list(cells_of(200, 2)))
    expected = predictions(tmp_path / "m.json", table.write(tmp_path / "rows.csv"))
    for language, own in table.run_everywhere(export, tmp_path / "m.json").items():
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"), err_msg=language)


def test_a_model_of_such_a_table_without_columns_is_its_constant(predictions, export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3) | {"features": []}))
    table = Cells(CELLS, list(cells_of(5, 2)))
    expected = predictions(tmp_path / "m.json", table.write(tmp_path / "rows.csv"))
    for language, own in table.run_everywhere(export, tmp_path / "m.json").items():
        assert own.tolist() == expected.tolist(), language


@pytest.fixture(scope="module")
def calendar(tmp_path_factory):
    """A model that is the day of the year and, in thousands, that of the week."""
    content = every_column(0)
    scaling = {"input_mean": [0.0] * 9, "input_scale": [1.0] * 9, "target_mean": 0.0, "target_scale": 1.0}
    features = [{"variables": [j], "weights": [1.0], "identity": c} for j, c in [(5, 1000.0), (6, 1.0)]]
    path = tmp_path_factory.mktemp("calendar") / "m.json"
    path.write_text(json.dumps(content | {"scaling": scaling, "features": features}))
    return path


def test_days_of_the_week_and_of_the_year_are_those_of_the_calendar(calendar, export):
    dates = [datetime.date(year, month, day) for year in (1600, 1899, 1900, 1970, 1999, 2000, 2023, 2024, 2100)
             for month, day in [(1, 1), (2, 28), (3, 1), (12, 31), (7, 14)]] + [datetime.date(2024, 2, 29), datetime.date(2000, 2, 29)]  # fmt: skip
    expected = [1000 * day.weekday() + day.timetuple().tm_yday for day in dates]
    table = Cells(CELLS, [[None, None, None, day.isoformat(), None, None] for day in dates])
    for language, own in table.run_everywhere(export, calendar).items():
        assert own.tolist() == expected, language


def test_databases_may_have_columns_of_dates_times_and_codes_of_their_own_types(predictions, export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    rows = [row for row in cells_of(100, 5) if row[3] and "." not in row[3]]
    table = Cells(CELLS, rows)
    expected = predictions(tmp_path / "m.json", table.write(tmp_path / "rows.csv"))
    text = export(tmp_path / "m.json", "sql")
    types = {"number": "DOUBLE", "category": "TEXT", "date": "TIMESTAMP"}
    np.testing.assert_allclose(table.run_duckdb(text, types), expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"))
    codes = Cells({"code": "number"} | {name: kind for name, kind in CELLS.items() if name != "code"},
                  [[row[2] and float(row[2]), *row[:2], *row[3:]] for row in rows])  # fmt: skip
    np.testing.assert_allclose(codes.run_sqlite(text), expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"))
    np.testing.assert_allclose(codes.run_duckdb(text), expected, rtol=1e-12, atol=rounding_error(tmp_path / "m.json"))


TEXTS = ["red", " red", "red ", "Red", "NaN", "nan", "NA", "null", "NULL", "?", "", "  ", "nap", "blue", "mauve", "(other)"]
ONNX_TRIMS_NOT = {" red", "red ", "  "}


def test_texts_are_levels_or_missing_cells_as_the_program_reads_them(predictions, export, tmp_path):
    """ONNX has no operator that removes blanks: it takes these texts for levels that the model has not seen."""
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    numbers = ["7", "2.5", "8", None]
    rows = [[1.0, text, numbers[k % 4], "2024-02-01", 1.0, 1.0] for k, text in enumerate(TEXTS)]
    table = Cells(CELLS, rows)
    expected = predictions(tmp_path / "m.json", table.write(tmp_path / "rows.csv"))
    found = table.run_everywhere(export, tmp_path / "m.json")
    for language, own in found.items():
        same = [k for k, text in enumerate(TEXTS) if language != "onnx" or text not in ONNX_TRIMS_NOT]
        np.testing.assert_allclose(own[same], expected[same], rtol=1e-12, err_msg=language)
    unseen = Cells(CELLS, [[1.0, "mauve2", *row[2:]] for row in rows]).run_onnx(export(tmp_path / "m.json", "onnx"))
    for k, text in enumerate(TEXTS):
        if text in ONNX_TRIMS_NOT:
            assert found["onnx"][k] == unseen[k] != pytest.approx(expected[k])


def test_words_for_missing_cells_do_so_in_columns_of_numbers_and_dates(predictions, export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    words = ["NA", "nan", " null ", "?", ""]
    rows = [[word, "red", "7", word, word, word] for word in words]
    expected = predictions(tmp_path / "m.json", Cells(CELLS, rows).write(tmp_path / "rows.csv"))
    assert len(set(expected)) == 1
    text = {"number": "TEXT", "category": "TEXT", "date": "TEXT"}
    sql = export(tmp_path / "m.json", "sql")
    table = Cells(CELLS, rows)
    np.testing.assert_allclose(exported.run_python(export(tmp_path / "m.json", "python"), rows), expected, rtol=1e-12)
    np.testing.assert_allclose(table.run_duckdb(sql, text), expected, rtol=1e-12)
    np.testing.assert_allclose(table.run_sql(sql, sqlite3.connect(":memory:"), text), expected, rtol=1e-12)


def test_what_is_no_number_or_no_date_gives_null_in_sql(export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    good = [1.0, "red", "7", "2024-02-01", 1.0, 1.0]
    rows = [good, [float("inf"), *good[1:]], [*good[:3], "soon", *good[4:]]]
    assert np.isnan(Cells(CELLS, rows).run_sqlite(export(tmp_path / "m.json", "sql"))).tolist() == [False, True, True]


def test_python_takes_dataframes_by_name_and_cells_of_any_type(export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    path = export(tmp_path / "m.json", "python")
    day = datetime.date(2024, 2, 1)
    row = [1.0, "red", "7", "2024-02-01", 1.0, 1.0]
    alike = [row, [1, "red", 7, day, 1, True], [np.float32(1), np.str_("red"), 7.0, np.datetime64("2024-02-01"), 1.0, np.True_]]
    assert len(set(exported.run_python(path, alike).tolist())) == 1

    class Frame(dict):
        """As much of a dataframe as is asked for."""

        columns = list(CELLS)

    frame = Frame({name: [row[k]] for k, name in reversed(list(enumerate(CELLS)))})
    assert exported.run_python(path, frame).tolist() == exported.run_python(path, [row]).tolist()
    nothing = [[None] * 6, [float("nan")] * 6, [np.datetime64("NaT")] * 6]
    assert len(set(exported.run_python(path, nothing).tolist())) == 1
    with pytest.raises(ValueError, match="6 columns"):
        exported.run_python(path, [row[:5]])


def test_c_tells_the_code_of_a_level_and_takes_codes_of_none_for_unseen_ones(export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3)))
    path = export(tmp_path / "m.json", "c")
    comment = path.read_text().split("*/")[0]
    assert 'x[1]  "color", a category: shrimp_predict_code(1, "(missing)") for one of its 4 levels' in comment
    assert 'x[3]  "when", a date: days since 1970-01-01' in comment
    library = exported.load_c(path)
    base = [0.5, -1.0, 0.0, 19000.0, 1.0, 1.0]
    values = exported.call_c(library, [[*base[:1], code, *base[2:]] for code in (-1.0, 4.0, 99.0, 2.0, float("nan"))])
    assert len(set(values[:3])) == 1 and values[3] == values[4] != values[0]


def test_onnx_names_the_columns_of_both_its_matrices(export, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(every_column(3) | {"target": "y"}))
    graph = onnx.load(export(tmp_path / "m.json", "onnx"))
    onnx.checker.check_model(graph, full_check=True)
    notes = {note.key: note.value for note in graph.metadata_props}
    assert json.loads(notes["inputs"]) == ["x", "when", "size", "flag"]
    assert json.loads(notes["categories"]) == ["color", "code"]
    assert [(one.domain, one.version) for one in graph.opset_import] == [("", 17), ("ai.onnx.ml", 3)]
    shapes = {one.name: one.type.tensor_type.shape.dim[1].dim_value for one in graph.graph.input}
    assert shapes == {"X": 4, "C": 2}


def test_a_curve_of_several_inputs_that_may_be_missing_is_refused_by_name(shrimp, tmp_path):
    content = every_column(3)
    content["features"].append({"variables": [0, 2], "weights": [1.0, 1.0], "phase": 0.0, "tanh": 1.0})
    (tmp_path / "m.json").write_text(json.dumps(content))
    for to in ("c", "python", "onnx", "sql"):
        run = shrimp("export", tmp_path / "m.json", "--to", to, "--output", tmp_path / "m.out")
        assert run.returncode == 2 and "a basis function tanh of several inputs" in run.stderr


def test_levels_with_a_zero_are_refused_where_text_cannot_have_it(shrimp, tmp_path):
    content = every_column(3)
    content["columns"][3] = {"type": "category", "levels": ["7", "a\0b", "2.5"]}
    (tmp_path / "m.json").write_text(json.dumps(content))
    for to, code in {"c": 2, "sql": 2, "python": 0, "onnx": 0}.items():
        run = shrimp("export", tmp_path / "m.json", "--to", to, "--output", tmp_path / "m.out")
        assert run.returncode == code, run.stderr
        assert (code == 0) == ("character of code 0" not in run.stderr)
