"""`shrimp report`: the page it writes, and what it refuses."""

import html.parser
import json
import re

import numpy as np
import pytest

from functions import write_csv


@pytest.fixture(scope="module")
def test_table(tmp_path_factory):
    x = np.random.default_rng(2).uniform(-1, 1, (80, 3))
    path = tmp_path_factory.mktemp("report") / "test.csv"
    write_csv(path, x, x[:, 0] * x[:, 1] + x[:, 2])
    return path


@pytest.fixture
def report(shrimp, model, tmp_path):
    """The page of some arguments."""

    def write(*arguments, of=model, code=0):
        output = tmp_path / "report.html"
        run = shrimp("report", of, *arguments, "--output", output)
        assert run.returncode == code, run.stderr
        return (output.read_text(encoding="utf-8") if code == 0 else None), run.stderr

    return write


class Elements(html.parser.HTMLParser):
    """Counts elements, and whether each that opens is closed."""

    ALONE = {"meta", "path", "rect", "circle"}

    def __init__(self, page):
        super().__init__()
        self.open, self.counts, self.texts = [], {}, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in self.ALONE or self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_page_is_well_formed_and_below_a_megabyte(report, test_table):
    page, messages = report("--data", test_table)
    elements = Elements(page)
    assert elements.open == []
    assert elements.counts["section"] == 9
    assert elements.counts["figure"] >= 3 + 4
    assert len(page.encode()) < 1_000_000
    assert messages == ""


def test_errors_are_those_that_evaluate_tells(report, shrimp, model, test_table):
    page, _ = report("--data", test_table)
    found = json.loads(shrimp("evaluate", model, test_table, "--json").stdout)
    assert f"<b>{found['rmse']:.4g}</b>".replace("e-", "e−") in page
    baseline = np.sqrt(found["mse"] / (1 - found["r2"]))
    assert f"<b>{baseline:.4g}</b>" in page


def test_without_a_table_the_page_says_how_to_give_one(report):
    page, _ = report()
    assert "No test rows were given" in page and "--data TEST.csv" in page


def test_a_page_comes_out_of_standard_output_and_the_same_again(report, shrimp, model):
    page, _ = report()
    assert shrimp("report", model, "--output", "-").stdout == page
    assert shrimp("report", model, "--threads", 1).stdout == page
    with open(model) as file:
        assert shrimp("report", "-", stdin=file.read()).returncode == 0


def test_the_path_of_shrimp_path_is_drawn(report, shrimp, model, train, tmp_path):
    path = tmp_path / "path.csv"
    assert shrimp("path", train, "--target", "y", "--features", 60, "--output", path, "-q").returncode == 0
    page, _ = report("--path", path)
    assert "Error along the path" in page and "does not contain the errors" not in page
    assert "does not contain the errors" in report()[0]


def test_the_curves_hold_what_terms_are(report, shrimp, model, tmp_path):
    """The numbers under the pointer, against `shrimp explain` of the same rows."""
    page, _ = report()
    charts = [json.loads(html.unescape(text)) for text in re.findall(r'data-chart="([^"]*)"', page)]
    curve = next(chart for chart in charts if chart["says"].startswith("x3 = "))
    x, effect = curve["columns"][:2]
    rows = np.zeros((len(x), 3))
    rows[:, 2] = x
    write_csv(tmp_path / "rows.csv", rows, np.zeros(len(x)))
    parts = json.loads(shrimp("explain", model, tmp_path / "rows.csv", "--json").stdout)
    own = [next(part["contribution"] for part in row["terms"] if part["variables"] == ["x3"]) for row in parts["rows"]]
    assert np.allclose(own, effect, atol=0.01 * np.ptp(effect))


def test_data_that_lack_a_column_are_refused_and_nothing_is_written(report, tmp_path):
    (tmp_path / "lacks.csv").write_text("x1,x3,y\n1,2,3\n")
    _, message = report("--data", tmp_path / "lacks.csv", code=1)
    assert '"x2"' in message and "lacks.csv" in message
    (tmp_path / "lacks.csv").write_text("x1,x2,x3\n1,2,3\n")
    _, message = report("--data", tmp_path / "lacks.csv", code=1)
    assert '"y"' in message
    assert not (tmp_path / "report.html").exists()


def test_a_table_of_one_row_or_one_target_has_no_r2_and_no_baseline(report, tmp_path):
    for rows in ("0.1,0.2,0.3,1\n", "0.1,0.2,0.3,1\n0.5,-0.2,0.1,1\n"):
        (tmp_path / "few.csv").write_text("x1,x2,x3,y\n" + rows)
        page, _ = report("--data", tmp_path / "few.csv")
        assert "on the test table few.csv" not in page and "the same of the baseline" not in page
        assert "nan" not in re.sub(r'<[^>]*>', "", page.split("<main>")[1].split("<script>")[0])
    (tmp_path / "few.csv").write_text("x1,x2,x3,y\n")
    _, message = report("--data", tmp_path / "few.csv", code=1)
    assert "few.csv" in message


def test_bad_files_are_refused_with_the_right_code(report, shrimp, train, model, tmp_path):
    assert shrimp("report", train, "--output", tmp_path / "a.html").returncode == 3
    assert shrimp("report", tmp_path / "none.json", "--output", tmp_path / "a.html").returncode == 3
    assert shrimp("report", model, "--output", tmp_path / "no folder" / "a.html").returncode == 1
    assert shrimp("report", model, "--data", tmp_path / "none.csv", "--output", tmp_path / "a.html").returncode == 1
    assert shrimp("report", "-", "--data", "-", "--output", tmp_path / "a.html").returncode == 2
    _, message = report("--path", train, code=1)
    assert '"basis_functions"' in message
    (tmp_path / "path.csv").write_text("basis_functions,train_mse,validation_mse,chosen\n5,1,1,0\n-3,1,1,1\n")
    _, message = report("--path", tmp_path / "path.csv", code=1)
    assert "row 2" in message and "shrimp path" in message
    assert not (tmp_path / "a.html").exists()


def test_a_model_without_marginals_has_a_page_that_says_so(report, model, test_table, tmp_path):
    content = json.loads(model.read_text())
    del content["marginals"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    page, message = report("--data", test_table, of=tmp_path / "old.json")
    assert "marginal distributions of the inputs, which the model file was saved without" in page
    assert "was saved without the marginal distributions of its inputs" in message
    assert page.count("<figure ") == 4  # Those of the test table.


def test_names_of_columns_cannot_break_out(fit_model, report, tmp_path):
    names = ["<script>alert(1)</script>", '"><b>&amp;', "{0}-->"]
    x = np.random.default_rng(3).uniform(-1, 1, (60, 3))
    table = tmp_path / "names.csv"
    quoted = ['"' + name.replace('"', '""') + '"' for name in [*names, "</script>y"]]
    rows = "\n".join(",".join(map(str, [*row, row[0] * row[1]])) for row in x)
    table.write_text(",".join(quoted) + "\n" + rows + "\n")
    own = fit_model(table, tmp_path / "names.json", target="</script>y")
    page, _ = report("--data", table, of=own)
    elements = Elements(page)
    assert elements.counts["script"] == 1
    assert elements.open == []
    for name in names:
        assert any(name in text for text in elements.texts), name
