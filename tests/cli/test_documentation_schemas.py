"""The JSON Schemas of the documentation describe every key that the program writes, and the pages name these keys."""

import copy
import json
import re
import subprocess
import sys

import jsonschema
import numpy as np
import pytest

MODEL, OUTPUT = "model.schema.json", "output.schema.json"
FITS = {  # Table of examples/, target, and options of the fit.
    "exact": ("ishigami_train.csv", "y", ["--method", "auto", "--quick-error"]),
    "kernel": ("borehole_train.csv", "flow", ["--method", "auto", "--quick-error"]),
    "mixed": ("flats.csv", "rent", ["--method", "auto", "--quick-error"]),
    "classes": ("failures_train.csv", "fails", ["--method", "auto", "--quick-error", "--loss", "logistic"]),
    "counts": ("faults_train.csv", "faults", ["--method", "auto", "--quick-error", "--loss", "poisson", "--exposure", "hours"]),
    "outliers": ("flats.csv", "rent", ["--method", "auto", "--quick-error", "--loss", "huber"]),
    "lasso": ("ishigami_train.csv", "y", ["--method", "lasso"]),
    "krr": ("borehole_train.csv", "flow", ["--method", "krr"]),
}


def closed(schema):
    """The schema without room for keys that it does not name."""
    schema = copy.deepcopy(schema)
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if "properties" in part:
                part.setdefault("additionalProperties", False)
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return schema


@pytest.fixture(scope="module")
def schemas(repository):
    return {name: json.loads((repository / "docs" / "schemas" / name).read_text()) for name in (MODEL, OUTPUT)}


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for script in ("ishigami.py", "borehole.py", "flats.py", "machines.py"):
        subprocess.run([sys.executable, repository / "examples" / script, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def fitted(shrimp, folder):
    """The model file and the JSON output of a fit."""
    known = {}

    def fit(name):
        if name not in known:
            table, target, options = FITS[name]
            model = folder / f"{name}.json"
            run = shrimp("fit", folder / table, "--target", target, "--output", model, "-q", "--json", *options)
            assert run.returncode == 0, run.stderr
            known[name] = model, json.loads(run.stdout)
        return known[name]

    return fit


@pytest.fixture(scope="module")
def check(schemas):
    def check(command, output):
        output = json.loads(output) if isinstance(output, str) else output
        one = closed(schemas[OUTPUT])
        jsonschema.validate(output, one | {"$ref": f"#/$defs/{command}"})

    return check


@pytest.mark.parametrize("name", FITS)
def test_a_fit_writes_what_the_schemas_describe(fitted, schemas, check, shrimp, name):
    model, output = fitted(name)
    jsonschema.validate(json.loads(model.read_text()), closed(schemas[MODEL]))
    check("fit", output)
    check("inspect", shrimp("inspect", model, "--json").stdout)


@pytest.mark.parametrize(("name", "table"), [("exact", "ishigami_test.csv"), ("classes", "failures_test.csv"), ("counts", "faults_test.csv")])
def test_scores_are_what_the_schema_describes(fitted, check, shrimp, folder, name, table):
    check("evaluate", shrimp("evaluate", fitted(name)[0], folder / table, "--json").stdout)


def test_explanations_are_what_the_schema_describes(fitted, check, shrimp, folder):
    model, rows = fitted("mixed")[0], folder / "new_flats.csv"
    check("explain", shrimp("explain", model, rows, "--row", 2, "--json").stdout)
    check("explain", shrimp("explain", model, rows, "--by-input", "--json").stdout)
    check("sensitivity", shrimp("sensitivity", model, "--json").stdout)
    check("sensitivity", shrimp("sensitivity", model, "--data", folder / "flats.csv", "--json").stdout)


def test_paths_and_comparisons_are_what_the_schema_describes(check, shrimp, train):
    few = ["--target", "y", "--features", 30, "-q", "--json"]
    check("path", shrimp("path", train, *few).stdout)
    check("path", shrimp("path", train, *few, "--test", train).stdout)
    check("compare", shrimp("compare", train, *few, "--methods", "shrimp,lasso", "--test", train).stdout)


def test_refits_are_what_the_schema_describes(check, shrimp, model, train, tmp_path):
    small, statistics = tmp_path / "small.json", tmp_path / "rows.summary"
    check("simplify", shrimp("simplify", model, "--data", train, "--terms", 1, "--output", small, "--json", "-q").stdout)
    assert shrimp("summarize", model, train, "--output", statistics, "-q").returncode == 0
    check("merge", shrimp("merge", model, statistics, "--output", small, "--json", "-q").stdout)
    check("update", shrimp("update", model, train, "--summary", statistics, "--output", small, "--json", "-q").stdout)


def test_statements_have_the_keys_of_the_schema_and_their_main_results(check, shrimp):
    for arguments in (["bound", "--d", 3, "--s", 2, "--sigma", 2, "--N", 1000],
                      ["order-q", "--d", 10, "--q", 1, "--gamma", 5, "--N", 10]):
        output = json.loads(shrimp("theory", *arguments, "--json").stdout)
        known = {"schema_version", "statement", "holds", "note", "conditions", "constants"}
        assert all(isinstance(output[key], (float, int)) for key in output.keys() - known)
        check("theory", {key: value for key, value in output.items() if key in known})


def names_in(schema):
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for part in schema.values():
            yield from names_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from names_in(part)


@pytest.mark.parametrize(("name", "page"), [(MODEL, "model-file.md"), (OUTPUT, "json-output.md")])
def test_the_page_names_every_key_of_the_schema(repository, schemas, name, page):
    words = set(re.findall(r"`\"?([\w-]+)\"?`", (repository / "docs" / "reference" / page).read_text()))
    assert set(names_in(schemas[name])) - words == set()


def test_the_model_file_page_predicts_as_the_program_does(repository, fitted, folder, shrimp, monkeypatch):
    """The Python code of the page, run on models of numbers."""
    text = (repository / "docs" / "reference" / "model-file.md").read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", text, flags=re.S) if "def predict" in block)
    for name, table in (("exact", "ishigami_test.csv"), ("kernel", "borehole_test.csv"), ("krr", "borehole_test.csv"), ("lasso", "ishigami_test.csv")):
        model = fitted(name)[0]
        (folder / "model.json").write_text(model.read_text())
        monkeypatch.chdir(folder)
        names = {}
        exec(code, names)
        header, *rows = (line.split(",") for line in (folder / table).read_text().splitlines())
        x = np.array(rows, float)[:50, [header.index(own) for own in names["m"]["inputs"]]]
        predicted = [float(value) for value in shrimp("predict", model, folder / table, "-q").stdout.split()[1:51]]
        # Kernel functions have large coefficients that cancel, and the program computes their sum in another order.
        np.testing.assert_allclose(names["predict"](x), predicted, rtol=0, atol=1e-8 * np.std(predicted))
