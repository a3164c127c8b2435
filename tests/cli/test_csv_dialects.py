import numpy as np
import pytest


def write_table(path, data, delimiter=",", number=repr, names=("x1", "x2", "x3", "y"), line_end="\n", encoding="utf-8"):
    lines = [delimiter.join(names)] if names else []
    lines += [delimiter.join(number(float(value)) for value in [*row, target]) for row, target in zip(*data)]
    path.write_bytes((line_end.join(lines) + line_end).encode(encoding))


def decimal_comma(value):
    return repr(value).replace(".", ",")


def quoted(value):
    return f'"{value!r}"'


DIALECTS = {
    "comma": {},
    "comma and space": {"delimiter": ", "},
    "semicolon": {"delimiter": ";"},
    "semicolon and decimal comma": {"delimiter": ";", "number": decimal_comma},
    "tab": {"delimiter": "\t"},
    "tab and decimal comma": {"delimiter": "\t", "number": decimal_comma},
    "space": {"delimiter": " "},
    "aligned with spaces": {"delimiter": " ", "number": lambda value: f"{value!r:>24}"},
    "quoted numbers": {"number": quoted},
    "quoted names with the delimiter in them": {"names": ('"x, mm"', '"x ""2"""', "x3", '"y"')},
    "plus signs": {"number": lambda value: f"{value:+.17g}"},
    "exponents": {"number": lambda value: f"{value:.16E}"},
    "CRLF": {"line_end": "\r\n"},
    "byte-order mark": {"encoding": "utf-8-sig"},
    "blank lines": {"line_end": "\n\n  \n"},
    "accents in UTF-8": {"names": ("größe", "été", "x3", "y")},
    "accents in Latin-1": {"names": ("größe", "été", "x3", "y"), "encoding": "latin-1"},
}


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_every_dialect_gives_the_same_predictions(fit_model, predictions, data, train, model, tmp_path, dialect):
    table = tmp_path / "table.csv"
    write_table(table, data, **dialect)
    own = fit_model(table, tmp_path / "own.json")
    assert (predictions(own, table) == predictions(model, train)).all()


def test_a_table_without_header_has_columns_x1_x2_and_so_on(fit_model, predictions, data, train, model, tmp_path):
    table = tmp_path / "table.csv"
    write_table(table, data, names=None)
    own = fit_model(table, tmp_path / "own.json", target="x4")
    assert (predictions(own, table) == predictions(model, train)).all()


def test_a_last_line_without_line_end_is_read(predictions, train, model, tmp_path):
    table = tmp_path / "table.csv"
    table.write_bytes(train.read_bytes().rstrip(b"\n"))
    assert (predictions(model, table) == predictions(model, train)).all()


def test_standard_input_is_read_as_a_file_is(shrimp, train, model):
    fitted = shrimp("fit", "-", "--target", "y", "--features", 60, "-q", "--output", "-", stdin=train.read_text())
    assert fitted.stdout == model.read_text()
    predicted = shrimp("predict", model, "-", stdin=train.read_text())
    assert predicted.stdout == shrimp("predict", model, train).stdout


def test_a_model_is_read_from_standard_input(shrimp, train, model):
    assert shrimp("predict", "-", train, stdin=model.read_text()).stdout == shrimp("predict", model, train).stdout


# Data have rows of whole numbers: they must not hide what the decimal sign is.
@pytest.mark.parametrize("row", [0, 8, -1])
def test_decimal_commas_are_found_beside_rows_of_whole_numbers(fit_model, predictions, data, tmp_path, row):
    x, y = np.copy(data[0])[:9], np.copy(data[1])[:9]
    x[row], y[row] = [1, 0, 1], 1
    point, comma = tmp_path / "point.csv", tmp_path / "comma.csv"
    write_table(point, (x, y))
    write_table(comma, (x, y), ";", lambda value: f"{value:.17g}".replace(".", ","))
    expected = predictions(fit_model(point, tmp_path / "point.json"), point)
    assert (predictions(fit_model(comma, tmp_path / "comma.json"), comma) == expected).all()


def with_text_column(table):
    header, *rows = table.read_text().splitlines()
    texts = ["plain", '"with, comma"', '"with ""quotes"""', "", '"two\nlines"']
    return "\n".join([f"note,{header}"] + [f"{texts[k % len(texts)]},{row}" for k, row in enumerate(rows)]) + "\n"


def test_a_text_column_is_left_out_with_ignore(fit_model, predictions, train, model, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(with_text_column(train))
    own = fit_model(table, tmp_path / "own.json", "--ignore", "note")
    assert own.read_bytes() == model.read_bytes()
    assert (predictions(own, table) == predictions(model, train)).all()


def test_ignore_may_stand_before_the_table(shrimp, train, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(with_text_column(train))
    run = shrimp("fit", "--ignore", "note", table, "--target", "y", "--features", 20, "-q")
    assert run.returncode == 0, run.stderr


def test_the_line_of_a_bad_cell_counts_lines_inside_quotes(shrimp, train, tmp_path):
    table = tmp_path / "table.csv"
    text = with_text_column(train)
    table.write_text(text + "last,1,2,bad,4\n")
    run = shrimp("fit", table, "--target", "y", "--ignore", "note")
    assert run.returncode == 1
    assert f"line {text.count(chr(10)) + 1}" in run.stderr
    assert '"bad"' in run.stderr


def test_a_latin1_name_is_warned_about(shrimp, data, tmp_path):
    table = tmp_path / "table.csv"
    write_table(table, data, names=("größe", "x2", "x3", "y"), encoding="latin-1")
    run = shrimp("fit", table, "--target", "y", "--features", 20)
    assert run.returncode == 0
    assert "größe" in run.stderr
    assert "Latin-1" in run.stderr
    assert "größe" in run.stdout


def with_notes(table, notes):
    header, *rows = table.read_text().splitlines()
    return "\n".join([f"note,{header}"] + [f"{notes[k % len(notes)]},{row}" for k, row in enumerate(rows)]) + "\n"


def test_a_quote_within_a_cell_is_text(shrimp, predictions, train, model, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(with_notes(train, ['2" pipe', "6' 3\"", 'a "b', "plain"]))
    assert (predictions(model, table) == predictions(model, train)).all()
    assert "warning" not in shrimp("predict", model, table).stderr


def test_quotes_that_may_swallow_rows_are_warned_about(shrimp, predictions, train, model, tmp_path):
    table = tmp_path / "table.csv"
    remark = '"' + "line\n" * 7 + '"'
    table.write_text(with_notes(train, ["plain", remark]))
    assert "table.csv line 3: a row has quoted cells that span 8 lines" in shrimp("predict", model, table).stderr
    assert (predictions(model, table) == predictions(model, train)).all()
    ditto = [f'",{row}' for row in train.read_text().splitlines()[1:]]  # Each quote says: as above.
    table.write_text("\n".join(["note,x1,x2,x3,y", *ditto[:40]]) + "\n")
    joined = "table.csv line 2: quotes join 40 lines into 20 rows, but without the quotes each of these lines is a row"
    for run in (shrimp("predict", model, table), shrimp("fit", table, "--target", "y", "--dry-run")):
        assert run.returncode == 0 and joined in run.stderr


def test_a_row_of_empty_cells_between_tabs_is_a_row(shrimp, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("x\ty\n1\t2\n\t\n3\t4\n")
    run = shrimp("fit", table, "--target", "y", "--dry-run")
    assert run.returncode == 1 and '"y" is missing in line 3' in run.stderr
