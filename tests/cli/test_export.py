"""Exported models predict what `shrimp predict` does, and nothing that a table is called can break out of them."""

import csv
import json
import os
import pty
import re
import subprocess

import numpy as np
import onnx
import pytest

import exported
from exported import COMPILERS, rounding_error
from forms import Forms, make_rows
from functions import write_csv

METHODS = "auto shrimp min-l2 srfe-s salsa ssam lasso imp-linear stlsq naive-prune random-prune krr harfe".split()
HOSTILE = [
    'x"; DROP TABLE rows; --',
    "*/ #error out /*",
    "a\\",
    "line\nbreak \"\"\" + evil()",
    "Größe 温度 \u202e",
    "class",
    "??/",
    "$\\input{x}$ % {",
    "shrimp_0",
    "'; --`",
]


@pytest.fixture(scope="module")
def all_values(export):
    """What every language makes of a model at the rows of X."""

    def run(model, X, names):
        text = export(model, "sql")
        return {
            **{compiler: exported.run_c(export(model, "c"), X, compiler) for compiler in COMPILERS},
            "python": exported.run_python(export(model, "python"), X),
            "onnx": exported.run_onnx(export(model, "onnx"), X),
            "sqlite": exported.run_sqlite(text, X, names),
            "duckdb": exported.run_duckdb(text, X, names),
        }

    return run


def assert_all_equal(values, expected, allowed=0):
    for language, own in values.items():
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=allowed, err_msg=language)


def names_of(model):
    return json.loads(model.read_text())["inputs"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_exported(method, fit_model, predictions, all_values, train, data, tmp_path):
    model = fit_model(train, tmp_path / "m.json", "--method", method)
    X = np.concatenate([data[0][:20], np.random.default_rng(2).uniform(-2, 2, (30, 3))])
    write_csv(tmp_path / "rows.csv", X, np.zeros(len(X)))
    expected = predictions(model, tmp_path / "rows.csv")
    assert_all_equal(all_values(model, X, names_of(model)), expected, rounding_error(model))


@pytest.fixture(scope="module")
def formed(fit_model, tmp_path_factory):
    """Inputs by logarithm and rank, a target by logarithm, limits of all."""
    return Forms().make_files(fit_model, tmp_path_factory.mktemp("forms"))[1]


LIMITS = {"log": (5.0, 40.0), "sqrt": (2.0, 12.0), "identity": (1.2, 3.4)}


def with_form(formed, form, path):
    """The same forms of inputs with a few columns that do not cancel, and limits of the target that matter."""
    model = json.loads(formed.read_text())
    random = np.random.default_rng(4)
    weights = [([0], "sin"), ([1], "tanh"), ([0, 1], "cos"), ([1, 2], "relu"), ([0, 1, 2], "sin"), ([2], "step")]
    model["features"] = [
        {"variables": variables, "weights": random.normal(size=len(variables)).tolist(), kind: random.normal()}
        for variables, kind in weights
    ]
    for name in ("gamma", "kernel_order", "kernel"):
        model.pop(name, None)
    correction = {"log": 1.1, "sqrt": 0.3, "identity": 0}[form]
    lowest, highest = LIMITS[form]
    model["scaling"].update(
        target_transform=form, target_correction=correction, target_lowest=lowest, target_highest=highest, target_mean=2.3,
        target_scale=0.8,
    )  # fmt: skip
    path.write_text(json.dumps(model))
    return path


@pytest.mark.parametrize("form", ["log", "sqrt", "identity"])
def test_forms_and_limits_are_exported(form, formed, predictions, all_values, tmp_path):
    model = with_form(formed, form, tmp_path / "m.json")
    X = np.concatenate([make_rows(2), [[5, 1e300, -1e300, 0], [0, -7, 2.5, 1], [-1e-300, 0, 3, 1], [-1e9, 0, 3, 1]]])
    write_csv(tmp_path / "rows.csv", X, np.zeros(len(X)))
    expected = predictions(model, tmp_path / "rows.csv")
    assert_all_equal(all_values(model, X, names_of(model)), expected)
    assert {LIMITS[form][0], LIMITS[form][1]} <= set(expected)


def everything(rng, names, kernel):
    """A model file with a column of each kind, of one to four inputs."""
    d = len(names)
    features = []
    for k, kind in enumerate(["kernel"] * 6 if kernel else ["cos", "sin", "relu", "tanh", "identity", "step"] * 2):
        size = 4 if kernel else 1 + k % 4
        feature = {"variables": sorted(rng.choice(d, size, replace=False).tolist()), "weights": rng.normal(size=size).tolist()}
        features.append(feature | {"phase": rng.uniform(0, 6), kind: rng.normal()})
    if not kernel:
        features[0]["sin"] = 0.7
    kernels = {"gamma": rng.uniform(0.2, 1, d).tolist(), "kernel_order": kernel[1], "kernel": kernel[0]} if kernel else {}
    if kernels.get("kernel") is None:
        kernels.pop("kernel", None)
    scaling = {
        "input_mean": rng.normal(size=d).tolist(), "input_scale": rng.uniform(0.5, 2, d).tolist(),
        "target_mean": 10.0, "target_scale": 1.5,
    }  # fmt: skip
    return {
        "format": "shrimp-model", "format_version": 6, "method": "auto */", "target": names[0] + "'", "inputs": list(names),
        "scaling": scaling, "options": {}, "results": {}, "terms": [], "features": features, **kernels,
    }  # fmt: skip


KERNELS = {
    "functions": None,
    "Gaussian": (None, 0),
    "Matérn-3/2": ("matern-3/2", 0),
    "Laplacian": ("laplacian", 0),
    "Gaussian, degree 2": (None, 2),
    "Matérn-3/2, degree 3": ("matern-3/2", 3),
    "Laplacian, degree 1": ("laplacian", 1),
}


@pytest.mark.parametrize("kind", KERNELS)
def test_hostile_names_stay_where_they_stand_and_all_columns_are_exported(kind, predictions, all_values, tmp_path):
    content = everything(np.random.default_rng(5), HOSTILE, KERNELS[kind])
    model = tmp_path / "hostile.json"
    model.write_text(json.dumps(content))
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(content | {"inputs": [f"x{k + 1}" for k in range(len(HOSTILE))]}))
    X = np.random.default_rng(3).normal(size=(40, len(HOSTILE)))
    X[-1] *= 1e4
    write_csv(tmp_path / "rows.csv", X, np.zeros(len(X)))
    expected = predictions(plain, tmp_path / "rows.csv")
    values = all_values(model, X, HOSTILE)
    assert_all_equal({language: own[:-1] for language, own in values.items()}, expected[:-1])
    for language, own in values.items():  # The last row has cosines of 1e4, which is rounded to 1e-12.
        assert own[-1] == pytest.approx(expected[-1], rel=1e-10), language


def test_names_of_no_column_and_of_one_with_a_zero_are_refused_in_sql(shrimp, formed, tmp_path):
    for name in ["", "a\0b"]:
        content = json.loads(formed.read_text())
        content["inputs"][0] = name
        (tmp_path / "m.json").write_text(json.dumps(content))
        run = shrimp("export", tmp_path / "m.json", "--to", "sql")
        assert run.returncode == 2 and "cannot be a column name in SQL" in run.stderr and run.stdout == ""
        assert exported.run_c(write_output(shrimp, tmp_path / "m.json", tmp_path / "m.c", "c"), make_rows(2)[:2]).shape == (2,)


def write_output(shrimp, model, path, to):
    path.write_text(shrimp("export", model, "--to", to).stdout)
    return path


def test_a_model_without_columns_is_its_constant(fit_model, predictions, all_values, train, data, tmp_path):
    model = fit_model(train, tmp_path / "m.json", "--method", "lasso", "--lambda", 1000)
    expected = predictions(model, train)
    assert_all_equal(all_values(model, data[0], names_of(model)), expected)


def test_a_missing_input_gives_no_number_unless_the_model_does_not_look_at_it(formed, all_values):
    X = make_rows(2)[:4]
    X[1, 0], X[2, 1], X[3, 3] = np.nan, np.nan, np.nan  # The model does not use the last one.
    for language, own in all_values(formed, X, names_of(formed)).items():
        assert np.isnan(own).tolist() == [False, True, True, False], language


def test_integers_in_a_table_are_taken_for_numbers(export, model, predictions, tmp_path):
    import sqlite3

    X = np.array([[1, 0, -1], [0, 1, 1], [2, 3, 1]])
    write_csv(tmp_path / "rows.csv", X.astype(float), np.zeros(3))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE rows (shrimp_row INTEGER, x1 INTEGER, x2 INTEGER, x3 INTEGER)")
    database.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", [(k, *map(int, row)) for k, row in enumerate(X)])
    found = exported.query(database, export(model, "sql"))
    np.testing.assert_allclose(found, predictions(model, tmp_path / "rows.csv"), rtol=1e-10)
    qualified = export(model, "sql", "--name", "rows")
    assert '"rows"."x1"' in qualified.read_text()
    assert np.array_equal(exported.query(database, qualified), found)


def test_onnx_passes_its_own_checker_and_tells_the_inputs(export, formed):
    graph = onnx.load(export(formed, "onnx"))
    onnx.checker.check_model(graph, full_check=True)
    assert [(one.domain, one.version) for one in graph.opset_import] == [("", 17)]
    notes = {note.key: note.value for note in graph.metadata_props}
    assert json.loads(notes["inputs"]) == names_of(formed) and notes["target"] == "y"
    kinds = {value.type.tensor_type.elem_type for value in [*graph.graph.input, *graph.graph.output]}
    assert kinds == {onnx.TensorProto.DOUBLE}


def test_functions_have_the_name_they_are_given(export, model, data):
    c = exported.run_c(export(model, "c", "--name", "flow_rate"), data[0], name="flow_rate")
    python = exported.run_python(export(model, "python", "--name", "flow_rate"), data[0], name="flow_rate")
    np.testing.assert_allclose(c, python, rtol=1e-9)


def test_two_models_live_in_one_program(export, model, formed, tmp_path):
    first, second = export(model, "c", "--name", "first"), export(formed, "c", "--name", "second")
    (tmp_path / "both.c").write_text(first.read_text() + second.read_text())
    assert len(exported.run_c(tmp_path / "both.c", make_rows(2)[:3], name="second")) == 3


def test_the_first_comment_of_c_lists_the_inputs_in_their_order(export, formed):
    comment = re.match(r"/\*.*?\*/", export(formed, "c").read_text(), re.S)[0]
    assert re.findall(r'x\[(\d)\]  "(\w+)"', comment) == [(str(j), name) for j, name in enumerate(names_of(formed))]
    assert "clipped to" in comment and "does not use" in comment


def test_python_refuses_a_table_of_another_shape(export, model, data):
    path = export(model, "python")
    with pytest.raises(ValueError, match="3 columns"):
        exported.run_python(path, data[0][:, :2])
    assert len(exported.run_python(path, data[0][:0])) == 0


def test_latex_shows_the_main_terms(export, shrimp, tmp_path):
    x = np.random.default_rng(0).uniform(-1, 1, (120, 3))
    names = ["r_w", "room & size_1", "x3"]
    with open(tmp_path / "t.csv", "w", newline="") as file:
        csv.writer(file).writerows([[*names, "y"], *np.column_stack([x, 3 * x[:, 0] + 2 * x[:, 1] * x[:, 2]]).tolist()])
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", "--method", "auto", "-q", "--output", tmp_path / "m.json")
    assert run.returncode == 0
    text = export(tmp_path / "m.json", "latex").read_text()
    assert r"+3\,r_{w}" in text
    assert re.search(r"\+2\\,\\left\(\\text\{room \\& size\\_1\}.*\\right\)\\,\\left\(x_\{3\}.*\\right\)", text)
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}") == 1
    assert len(re.findall(r"(?<!\\)\{", text)) == len(re.findall(r"(?<!\\)\}", text))
    assert text.count(r"\left") == text.count(r"\right")
    one = export(tmp_path / "m.json", "latex", "--terms", 1).read_text()
    assert "1 more term" in one and "x_{3}" not in one


def test_latex_writes_the_form_of_the_target(export, formed):
    text = export(formed, "latex").read_text()
    assert r"y &\approx 1.1\,\exp\left(\eta\right)" in text and r"\eta &=" in text
    assert r"\log\left(-x_{1}\right)" in text and r"\operatorname{rank}\left(x_{2}\right)" in text


def test_formats_that_a_model_cannot_have_are_refused(shrimp, fit_model, tmp_path):
    random = np.random.default_rng(1)
    x = random.normal(size=(400, 9))
    write_csv(tmp_path / "t.csv", x, np.sin(5 * x).prod(axis=1) + random.normal(size=400))
    model = fit_model(tmp_path / "t.csv", tmp_path / "m.json", "--method", "salsa", "--order", 5)
    run = shrimp("export", model, "--to", "sql", "--output", tmp_path / "m.sql")
    assert run.returncode == 2 and "at least" in run.stderr and "C, Python or ONNX" in run.stderr
    content = json.loads(model.read_text())
    content["terms"] = [{"variables": list(range(9)), "basis_functions": 400, "fraction": 1.0}]
    (tmp_path / "wide.json").write_text(json.dumps(content))
    run = shrimp("export", tmp_path / "wide.json", "--to", "latex")
    assert run.returncode == 2 and "no term of this model has a short formula" in run.stderr and run.stdout == ""
    assert not (tmp_path / "m.sql").exists()


REFUSED = {
    ("--to", "fortran"): "Give onnx, c, python, sql, latex",
    ("--to", "c", "--name", "two words"): "letters, digits and underscores",
    ("--to", "c", "--name", "int"): "a reserved word of C or Python",
    ("--to", "python", "--name", "class"): "a reserved word of C or Python",
    ("--to", "onnx", "--name", "f"): "Remove it",
    ("--to", "latex", "--terms", 0): "terms",
    ("--to", "latex", "--digits", 18): "--digits",
    (): "--to",
}


@pytest.mark.parametrize("options", REFUSED, ids=lambda options: " ".join(map(str, options)) or "nothing")
def test_bad_flags_are_refused(options, shrimp, model):
    run = shrimp("export", model, *options)
    assert run.returncode == 2 and REFUSED[options] in run.stderr and run.stdout == ""


def test_what_is_no_model_is_refused(shrimp, train, model, tmp_path):
    assert shrimp("export", train, "--to", "c").returncode == 3
    (tmp_path / "half.json").write_text(model.read_text()[:400])
    assert shrimp("export", tmp_path / "half.json", "--to", "c").returncode == 3
    (tmp_path / "complex.json").write_text(model.read_text().replace("shrimp-model", "shrimp-complex-model"))
    run = shrimp("export", tmp_path / "complex.json", "--to", "c")
    assert run.returncode == 3 and "holds a complex model" in run.stderr
    assert shrimp("export", model, "--to", "c", "--output", tmp_path / "no" / "m.c").returncode == 1


def test_onnx_is_not_written_to_a_terminal(binary, model, environment):
    ours, theirs = pty.openpty()
    run = subprocess.run([binary, "export", model, "--to", "onnx"], stdout=theirs, stderr=subprocess.PIPE, text=True, env=environment)
    os.close(theirs)
    os.close(ours)
    assert run.returncode == 2 and "--output" in run.stderr
