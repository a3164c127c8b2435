"""Tables as people have them: categories, dates and missing cells among the inputs."""

import json
import random
import sqlite3

import pytest

LEVELS = {"red": 2.0, "green": -1.0, "blue": 0.0}


def rows_of(count, seed=0):
    """x, color, z (missing in every fifth row, which adds 1), when, y."""
    draw = random.Random(seed)
    rows = []
    for k in range(count):
        x, z, color = draw.uniform(-1, 1), draw.uniform(-1, 1), draw.choice(list(LEVELS))
        lacks = k % 5 == 0
        y = LEVELS[color] + x + (1.0 if lacks else z) + 0.02 * draw.gauss(0, 1)
        rows.append([x, color, "" if lacks else z, f"2024-01-{1 + k % 28:02}", y])
    return rows


def write(path, rows, header="x,color,z,when,y"):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


@pytest.fixture(scope="module")
def model(shrimp, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    table = write(folder / "train.csv", rows_of(120))
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--quick-error", "--output", folder / "model.json")
    assert run.returncode == 0, run.stderr
    assert "shrimp: numbers: 2\n" in run.stderr
    assert "shrimp: categories: color (3 levels)\n" in run.stderr
    assert "shrimp: dates: when\n" in run.stderr
    return folder / "model.json"


def test_a_dry_run_says_how_columns_are_understood_and_nothing_else(shrimp, tmp_path):
    rows = [[k, "a" if k % 2 else "b", "", "2024-01-01", 7, f"id{k}", k * 1.5] for k in range(12)]
    table = write(tmp_path / "t.csv", rows, "x,c,none,day,same,id,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--ignore", "x", "--dry-run", "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    kinds = {line.split()[0]: " ".join(line.split()[1:]) for line in run.stdout.splitlines()[1:]}
    assert kinds == {
        "c": "category 2 levels: b (6), a (6)",
        "none": "dropped all cells are missing",
        "day": "constant 2024-01-01",
        "same": "constant 7",
        "id": "dropped 12 levels: id0 (1), id1 (1), id2 (1), …",
        "y": "target 0 to 16.5",
        "x": "ignored",
    }
    assert not (tmp_path / "m.json").exists()


def test_levels_and_missing_cells_have_effects_that_predict_new_rows(shrimp, model, tmp_path):
    run = shrimp("evaluate", model, write(tmp_path / "new.csv", rows_of(100, seed=1)), "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["mse"] < 0.01
    inputs = json.loads(model.read_text())["inputs"]
    assert inputs == ["x", "color", "z", "missing(z)", "when"]


def test_an_unseen_level_takes_the_mean_effect_with_a_warning(shrimp, model, tmp_path):
    table = write(tmp_path / "new.csv", [[0, color, 0, "2024-01-05", 0] for color in [*LEVELS, "mauve"]])
    run = shrimp("predict", model, table)
    assert run.returncode == 0, run.stderr
    assert 'a level that the training rows did not contain ("mauve"' in run.stderr
    *seen, unseen = map(float, run.stdout.split()[1:])
    assert min(seen) < unseen < max(seen)


def test_text_where_the_model_takes_numbers_is_refused(shrimp, model, tmp_path):
    table = write(tmp_path / "new.csv", [["soft", "red", 0, "2024-01-05", 0]])
    run = shrimp("predict", model, table)
    assert run.returncode == 1
    assert 'new.csv line 2, column "x": "soft" is not a number.\n' in run.stderr


def test_a_lacking_column_is_named(shrimp, model, tmp_path):
    run = shrimp("predict", model, write(tmp_path / "new.csv", [[0, 0, "2024-01-05"]], "x,z,when"))
    assert run.returncode == 1
    assert 'lacks the column "color"' in run.stderr


def test_what_stands_for_missing_at_the_fit_does_at_predictions(shrimp, tmp_path):
    rows = [[x, color, -999 if z == "" else z, y] for x, color, z, _, y in rows_of(60)]
    table = write(tmp_path / "t.csv", rows, "x,color,z,y")
    output = tmp_path / "m.json"
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--missing", "-999", "--quick-error", "-q", "--output", output)
    assert run.returncode == 0, run.stderr
    assert "missing(z)" in json.loads(output.read_text())["inputs"]
    predictions = [
        shrimp("predict", output, write(tmp_path / "new.csv", [[0.5, "red", z]], "x,color,z")).stdout for z in ("-999", "")
    ]
    assert predictions[0] == predictions[1]


def test_rows_without_a_target_are_dropped_on_request(shrimp, tmp_path):
    rows = rows_of(60)
    for row in rows[:3]:
        row[-1] = "NA"
    table = write(tmp_path / "t.csv", rows)
    run = shrimp("fit", table, "--method", "auto", "--target", "y")
    assert run.returncode == 1
    assert '"y" is missing in lines 2, 3, 4.\n' in run.stderr
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--drop-missing-target", "--quick-error", "-q")
    assert run.returncode == 0, run.stderr
    assert "57 rows" in " ".join(run.stdout.split())


def test_dates_make_their_parts_on_request(shrimp, tmp_path):
    table = write(tmp_path / "t.csv", [[f"2024-{1 + k // 28:02}-{1 + k % 28:02}", k % 7] for k in range(80)], "when,y")
    output = tmp_path / "m.json"
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--date-parts", "--quick-error", "-q", "--output", output)
    assert run.returncode == 0, run.stderr
    assert json.loads(output.read_text())["inputs"] == ["when", "day of week(when)", "day of year(when)"]


def test_codes_are_categories_where_they_are_named(shrimp, tmp_path):
    effects = [5.0, -3.0, 1.0, 4.0]
    rows = [[k % 4, effects[k % 4] + 0.01 * (k % 3)] for k in range(80)]
    table = write(tmp_path / "t.csv", rows, "zip,y")
    output = tmp_path / "m.json"
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--categorical", "zip", "--quick-error", "-q", "--output", output)
    assert run.returncode == 0, run.stderr
    assert json.loads(output.read_text())["columns"][0]["levels"] == ["0", "1", "2", "3"]
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--categorical", "zap")
    assert run.returncode == 2
    assert 'no column "zap" to use as categorical' in run.stderr


def test_summaries_of_parts_have_the_same_levels(shrimp, model, tmp_path):
    table = write(tmp_path / "new.csv", rows_of(40, seed=3))
    run = shrimp("summarize", model, table, "--output", tmp_path / "part.summary")
    assert run.returncode == 0, run.stderr


def test_formulas_and_reports_name_levels_and_no_codes(shrimp, model, tmp_path):
    run = shrimp("export", model, "--to", "latex", "--terms", 5)
    assert run.returncode == 0, run.stderr
    indicators = [f"\\mathbf{{1}}\\left[\\text{{color}} = \\text{{{level}}}\\right]" for level in LEVELS]
    lines = [line for line in run.stdout.splitlines() if "color" in line]
    assert lines and all(any(own in line for own in indicators) for line in lines)
    run = shrimp("report", model, "--output", tmp_path / "report.html")
    assert "blue, green, red</td>" in (tmp_path / "report.html").read_text()


def test_the_explanation_of_a_row_names_levels_and_unknown_cells(shrimp, model, tmp_path):
    table = write(tmp_path / "new.csv", [[0.5, "red", 0, "2024-01-05"], ["", "mauve", "", ""]], "x,color,z,when")
    first = shrimp("explain", model, table, "--row", 1, "-q")
    assert first.returncode == 0 and "color = red" in first.stdout
    second = shrimp("explain", model, table, "--row", 2, "--by-input", "-q")
    assert second.returncode == 0 and "nan" not in second.stdout


MIXED = {
    "a number among text": (1, "17", '"17" is a number in a text column'),
    "text among numbers": (0, "many", '"many" is not a number'),
    "text among dates": (3, "soon", '"soon" is not a date, in a date column'),
    "a number among dates": (3, "17", '"17" is not a date, in a date column'),
}


@pytest.mark.parametrize("case", MIXED)
def test_a_column_of_two_kinds_is_refused_with_the_line_the_value_and_the_ways_out(case, shrimp, tmp_path):
    column, cell, words = MIXED[case]
    rows = rows_of(40)
    rows[20][column] = cell
    name = ["x", "color", "z", "when"][column]
    run = shrimp("fit", write(tmp_path / "t.csv", rows), "--method", "auto", "--target", "y", "--quick-error")
    assert run.returncode == 1 and run.stdout == ""
    assert f't.csv line 22, column "{name}": {words}.\n' in run.stderr
    for way_out in (f"--categorical {name}", f"--missing {cell}", f"--ignore {name}"):
        assert way_out in run.stderr
        run_out = shrimp("fit", tmp_path / "t.csv", "--method", "auto", "--target", "y", "--dry-run", *way_out.split())
        assert run_out.returncode == 0, run_out.stderr


def test_columns_that_cannot_be_learnt_from_are_left_out_with_a_warning(shrimp, tmp_path):
    rows = [[*row[:3], "", f"person {k}", row[-1]] for k, row in enumerate(rows_of(80))]
    table = write(tmp_path / "t.csv", rows, "x,color,z,none,id,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--quick-error", "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert 'warning: column "none" has only missing cells; it is ignored.' in run.stderr
    assert 'warning: column "id" has 80 levels in 80 rows, none with 5 rows or more; it is ignored.' in run.stderr
    assert json.loads((tmp_path / "m.json").read_text())["inputs"] == ["x", "color", "z", "missing(z)"]
    write(tmp_path / "few.csv", [row[:3] for row in rows], "x,color,z")
    lines = [shrimp("predict", tmp_path / "m.json", path).stdout for path in (table, tmp_path / "few.csv")]
    assert lines[0] == lines[1]


def test_a_table_of_such_columns_alone_is_refused(shrimp, tmp_path):
    table = write(tmp_path / "t.csv", [["", f"person {k}", k] for k in range(30)], "none,id,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y")
    assert run.returncode == 1 and "no usable input column remains.\n" in run.stderr


def test_many_levels_are_read_and_the_rarest_share_one(shrimp, tmp_path):
    """Of 600 levels of five rows or more, 500 have a code of their own."""
    rows = [[k % 600, "lev" + str(k % 600), k % 7] for k in range(3010)]
    table = write(tmp_path / "t.csv", rows, "x,c,y")
    options = ("--method", "auto", "--target", "y", "--ignore", "x", "--max-order", 1)
    run = shrimp("fit", table, *options, "--quick-error", "-q", "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    column = json.loads((tmp_path / "m.json").read_text())["columns"][0]
    assert len(column["levels"]) == 501 and column["levels"][-1] == "(other)" and len(column["pooled"]) == 100
    assert {f"lev{k}" for k in range(10)} <= set(column["levels"])


def test_a_report_names_the_levels(shrimp, model, tmp_path):
    run = shrimp("report", model, "--output", tmp_path / "report.html")
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "report.html").read_text()
    assert "green" in page
    assert "&quot;names&quot;:[&quot;blue&quot;,&quot;green&quot;,&quot;red&quot;]" in page


@pytest.fixture(scope="module")
def cabins(shrimp, tmp_path_factory):
    """A text without a level in five rows whose missing cells add 3."""
    folder = tmp_path_factory.mktemp("cabins")
    draw = random.Random(4)
    rows = [[draw.uniform(-1, 1), f"C{k}" if k % 3 else ""] for k in range(150)]
    table = write(folder / "t.csv", [[x, cabin, x + 3 * (cabin == "") + 0.02 * draw.gauss(0, 1)] for x, cabin in rows], "x,cabin,y")
    model = folder / "m.json"
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--quick-error", "--output", model)
    assert run.returncode == 0, run.stderr
    assert 'column "cabin" has 100 levels in 150 rows, none with 5 rows or more; its levels are ignored' in run.stderr
    return model, table


def test_missing_cells_of_a_text_without_common_levels_are_an_input(shrimp, cabins, tmp_path):
    model, table = cabins
    assert json.loads(model.read_text())["inputs"] == ["x", "missing(cabin)"]
    assert json.loads(shrimp("evaluate", model, table, "--json").stdout)["r2"] > 0.99
    new = write(tmp_path / "new.csv", [[0, "other"], [0, ""], [0, "17"], [0, "NA"]], "x,cabin")
    run = shrimp("predict", model, new)
    assert run.returncode == 0 and not run.stderr
    low, high, number, word = map(float, run.stdout.split()[1:])
    assert low == number and high == word and high - low == pytest.approx(3, abs=0.2)
    assert "an indicator of missing cells is an input" in shrimp("fit", table, "--method", "auto", "--target", "y", "--dry-run").stdout


def test_exports_take_the_text_of_which_only_missing_cells_matter(shrimp, cabins, tmp_path):
    model, _ = cabins
    expected = [float(line) for line in shrimp("predict", model, "-", stdin="x,cabin\n.5,C7\n.5,\n").stdout.split()[1:]]
    for language in ("python", "sql"):
        run = shrimp("export", model, "--to", language, "--output", tmp_path / language)
        assert run.returncode == 0, run.stderr
    names = {}
    exec((tmp_path / "python").read_text(), names)
    assert names["predict"]([[0.5, "C7"], [0.5, ""]]) == pytest.approx(expected, rel=1e-12)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE cells (x, cabin)")
    database.executemany("INSERT INTO cells VALUES (?, ?)", [(0.5, "C7"), (0.5, None)])
    rows = database.execute(f"SELECT {(tmp_path / 'sql').read_text()} FROM cells").fetchall()
    assert [value for (value,) in rows] == pytest.approx(expected, rel=1e-12)


def test_times_with_an_offset_are_dates_in_utc(shrimp, tmp_path):
    table = write(tmp_path / "t.csv", [[f"2024-01-{k:02}T00:30:00+02:00", k] for k in range(1, 9)], "when,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--dry-run")
    assert "date" in run.stdout and "2023-12-31 22:30:00 to 2024-01-07 22:30:00" in run.stdout


def test_a_text_that_looks_like_a_date_is_warned_about(shrimp, tmp_path):
    table = write(tmp_path / "t.csv", [[f"{1 + k % 5:02}/03/2024", k] for k in range(30)], "when,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--dry-run")
    assert 'column "when" is read as text: "01/03/2024" in line 2 looks like a date' in run.stderr
    assert "category" in run.stdout


def test_integers_that_a_number_cannot_hold_are_warned_about_and_stay_apart_as_names(shrimp, tmp_path):
    first = 12345678901234567890
    table = write(tmp_path / "t.csv", [[first + k % 2, 2**60, k % 7, k] for k in range(30)], "id,exact,x,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--dry-run")
    assert f't.csv line 2, column "id": the integer {first} exceeds double precision' in run.stderr
    assert "--categorical id" in run.stderr and run.stderr.count("warning") == 1
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--categorical", "id", "--dry-run")
    assert "2 levels" in run.stdout and not run.stderr


@pytest.mark.parametrize("role", ["--target", "--weights"])
def test_a_column_that_must_hold_numbers_is_no_category(shrimp, tmp_path, role):
    table = write(tmp_path / "t.csv", [[k, 1 + k % 3, k % 5] for k in range(30)], "x,w,y")
    roles = {"--target": "y", "--weights": "w"}
    options = [word for pair in roles.items() for word in pair]
    run = shrimp("fit", table, "--method", "auto", *options, "--categorical", roles[role])
    assert run.returncode == 2 and run.stdout == ""
    assert f'categorical names "{roles[role]}", but the target, the weights and the exposure must be numbers.' in run.stderr
    assert f'Remove "{roles[role]}" from categorical' in run.stderr


def test_squared_error_refuses_a_target_of_text_with_the_way_out(shrimp, tmp_path):
    table = write(tmp_path / "t.csv", [[k, "abc"[k % 3]] for k in range(30)], "x,y")
    run = shrimp("fit", table, "--method", "auto", "--target", "y", "--loss", "squared")
    assert run.returncode == 1
    assert 't.csv line 2, column "y": "a" is not a number.\n' in run.stderr and "--loss logistic" in run.stderr
