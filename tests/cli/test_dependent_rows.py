"""Rows that belong together, through the command line: groups, and blocks of a series."""

import json

import numpy as np
import pytest
from functions import write_csv

FEW = ["--features", 300]


@pytest.fixture(scope="module")
def grouped():
    """20 patients of 10 rows each: rows of one hardly differ, and patients have levels that no input tells."""
    random = np.random.default_rng(5)
    patient = np.tile(np.arange(20), 10)
    x = random.normal(size=(20, 2))[patient] + 0.001 * random.normal(size=(200, 2))
    return x, random.normal(size=20)[patient] + 0.01 * random.normal(size=200), patient


def write_labelled(path, x, y, labels):
    lines = [f"{a},{b},{label},{target}" for (a, b), label, target in zip(x, labels, y)]
    path.write_text("\n".join(["x1,x2,patient,y", *lines, ""]))
    return path


@pytest.fixture
def table(grouped, tmp_path):
    x, y, patient = grouped
    return write_labelled(tmp_path / "grouped.csv", x, y, patient)


@pytest.mark.parametrize("method", ["auto", "shrimp"])
@pytest.mark.parametrize("choice", [["--validation", 0.3], ["--folds", 5]], ids=["held-out", "folds"])
def test_groups_are_held_out_together_and_are_no_input(method, choice, shrimp, table, grouped, tmp_path):
    errors = {}
    for name, flags in {"together": ["--groups", "patient"], "apart": ["--ignore", "patient"]}.items():
        model = tmp_path / f"{name}.json"
        flags = ["--target", "y", "--method", method, *flags, *choice, *FEW, "--output", model, "-q"]
        run = shrimp("fit", table, *flags)
        assert run.returncode == 0, run.stderr
        content = json.loads(model.read_text())
        assert content["inputs"] == ["x1", "x2"]
        errors[name] = content["results"]["validation_mse"]
    assert errors["together"] > 3 * errors["apart"]
    assert errors["together"] > 0.4 * np.var(grouped[1])


def test_groups_may_be_text_and_only_equality_counts(shrimp, grouped, table, tmp_path):
    x, y, patient = grouped
    labels = {
        "words": [f"Müller {p}" for p in patient],
        "quoted": [f'"no. {p}, ""{p}"""' for p in patient],
        "numbers": [f"{p}.50" if i % 2 else f"{p}.5" for i, p in enumerate(patient)],
        "mixed": [p if p % 2 else f"p{p}" for p in patient],
    }
    models = []
    for name, column in {"plain": patient, **labels}.items():
        model = tmp_path / f"{name}.json"
        path = write_labelled(tmp_path / f"{name}.csv", x, y, column)
        run = shrimp("fit", path, "--target", "y", "--features", 60, "--groups", "patient", "--output", model, "-q")
        assert run.returncode == 0, run.stderr
        models.append(model.read_bytes())
    assert len(set(models)) == 1


def test_a_row_without_a_group_is_refused(shrimp, grouped, tmp_path):
    x, y, patient = grouped
    labels = ["" if i == 4 else p for i, p in enumerate(patient)]
    run = shrimp("fit", write_labelled(tmp_path / "t.csv", x, y, labels), "--target", "y", "--groups", "patient")
    assert run.returncode == 1
    assert 'line 6, column "patient": the cell is empty' in run.stderr


def test_text_in_other_columns_is_still_refused(shrimp, grouped, tmp_path):
    x, y, patient = grouped
    y = ["lots" if i == 3 else value for i, value in enumerate(y)]
    run = shrimp("fit", write_labelled(tmp_path / "t.csv", x, y, patient), "--target", "y", "--groups", "patient")
    assert run.returncode == 1
    assert 'line 5, column "y": "lots" is not a number' in run.stderr


def test_an_unknown_groups_column_is_refused(shrimp, table):
    run = shrimp("fit", table, "--target", "y", "--groups", "patients")
    assert run.returncode == 2
    assert 'no column "patients" to use as groups' in run.stderr
    assert '"patient"' in run.stderr


def test_groups_and_blocks_exclude_each_other(shrimp, table):
    run = shrimp("fit", table, "--target", "y", "--groups", "patient", "--blocks")
    assert run.returncode == 2
    assert "groups and blocks exclude each other" in run.stderr


def test_more_folds_than_groups_are_refused(shrimp, table):
    run = shrimp("fit", table, "--target", "y", "--groups", "patient", "--folds", 21)
    assert run.returncode == 2
    assert "folds 21 is more than the 20 groups" in run.stderr


def test_one_group_is_refused(shrimp, grouped, tmp_path):
    x, y, _ = grouped
    path = write_labelled(tmp_path / "one.csv", x, y, ["a"] * len(y))
    run = shrimp("fit", path, "--target", "y", "--groups", "patient")
    assert run.returncode == 1
    assert "all 200 rows belong to one group, but two are needed" in run.stderr


def test_compare_and_path_take_groups(shrimp, table):
    flags = ["--target", "y", "--groups", "patient", "--features", 60, "-q"]
    assert shrimp("compare", table, *flags, "--methods", "shrimp,min-l2").returncode == 0
    assert shrimp("path", table, *flags, "--folds", 4).returncode == 0


@pytest.fixture
def series(grouped, tmp_path):
    """One patient after the other: the same as a machine that runs for a while in one way, then in another."""
    x, y, patient = grouped
    order = np.argsort(patient, kind="stable")
    write_csv(tmp_path / "series.csv", x[order], y[order])
    return tmp_path / "series.csv"


@pytest.mark.parametrize("method", ["auto", "shrimp"])
@pytest.mark.parametrize("choice", [["--validation", 0.3], ["--folds", 5]], ids=["held-out", "folds"])
def test_blocks_hold_neighbours_out_together_and_stand_in_the_model(method, choice, shrimp, series, tmp_path):
    errors = []
    for flags in ([], ["--blocks"]):
        model = tmp_path / "model.json"
        flags = ["--target", "y", "--method", method, *flags, *choice, *FEW, "--output", model, "-q"]
        run = shrimp("fit", series, *flags)
        assert run.returncode == 0, run.stderr
        content = json.loads(model.read_text())
        assert content["options"]["blocks"] == ("true" if "--blocks" in flags else "false")
        errors.append(content["results"]["validation_mse"])
    assert errors[1] > 3 * errors[0]


def test_neighbours_with_similar_residuals_are_worth_a_word(shrimp, series):
    flags = ["--target", "y", "--method", "lasso"]
    run = shrimp("fit", series, *flags)
    assert "warning: neighbouring rows have similar residuals" in run.stderr
    assert "For time series, use option blocks" in run.stderr
    assert "neighbouring" not in shrimp("fit", series, *flags, "--blocks").stderr
    assert "neighbouring" not in shrimp("fit", series, *flags, "-q").stderr
