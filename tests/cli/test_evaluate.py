import json
import re
import shutil

import numpy as np
import pytest

from functions import write_csv


def scores(run):
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_evaluate_knows_the_target_of_the_model(shrimp, model, train):
    own = scores(shrimp("evaluate", model, train, "--json"))
    assert own == scores(shrimp("evaluate", model, train, "--target", "y", "--json"))


def test_evaluate_compares_with_another_column_where_one_is_named(shrimp, model, predictions, data, tmp_path):
    x, y = data
    other = 2 * y + 1
    table = tmp_path / "table.csv"
    write_csv(table, np.column_stack([x, other]), y, ["x1", "x2", "x3", "other"])
    own = scores(shrimp("evaluate", model, table, "--target", "other", "--json"))
    assert own["mse"] == pytest.approx(np.mean((predictions(model, table) - other) ** 2), rel=1e-12)


def test_a_target_that_is_an_input_of_the_model_is_warned_of_once(shrimp, model, predictions, data, train):
    run = shrimp("evaluate", model, train, "--target", "x1", "--json")
    assert scores(run)["mse"] == pytest.approx(np.mean((predictions(model, train) - data[0][:, 0]) ** 2), rel=1e-12)
    assert run.stderr.count("warning") == run.stderr.count("\n") == 1
    assert '"x1" is an input of the model' in run.stderr
    assert not shrimp("evaluate", model, train, "--target", "x1", "-q").stderr


def test_a_table_without_the_target_of_the_model_is_refused_with_the_missing_column(shrimp, model, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("x1,x2,x3,z\n1,2,3,4\n")
    run = shrimp("evaluate", model, table)
    assert run.returncode == 1
    assert run.stderr == f'shrimp: {table} lacks the column "y".\n        It has x1, x2, x3, z.\n'


BAD_ROWS = {
    "an empty target": "1,2,3,",
    "a text as target": "1,2,3,red",
    "an infinite target": "1,2,3,inf",
    "a text as input": "1,red,3,4",
    "an infinite input": "1,inf,3,4",
    "an empty input": "1,,3,4",
    "a short row": "1,2,3",
    "an open quote": '1,2,3,"4',
    "a bad quote": '1,2,3,"4"4',
}


@pytest.mark.parametrize("command", ["evaluate", "predict", "explain", "sensitivity", "summarize", "update", "simplify"])
def test_advice_names_only_flags_that_the_command_has(shrimp, model, train, tmp_path, command):
    page = shrimp(command, "--help-all").stdout
    table = tmp_path / "new.csv"
    model = shutil.copy(model, tmp_path / "model.json")  # update writes it if a row is valid.
    options = {
        "sensitivity": [model, "--data", table],
        "summarize": [model, table, "--output", tmp_path / "s.json"],
        "update": [model, table, "--summary", tmp_path / "s.json"],
        "simplify": [model, "--data", table, "--terms", 1, "--output", tmp_path / "o.json"],
    }.get(command, [model, table])
    assert shrimp("summarize", model, train, "--output", tmp_path / "s.json").returncode == 0
    for row in BAD_ROWS.values():
        table.write_text(f"x1,x2,x3,y\n1,2,3,4\n{row}\n")
        run = shrimp(command, *options)
        for flag in re.findall(r"--[a-z-]+", run.stderr):
            assert flag in page, run.stderr
        assert "ignore" not in run.stderr, run.stderr  # A model needs all of its columns.
