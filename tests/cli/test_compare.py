import json

import pytest


def compare(shrimp, train, methods, *options):
    return shrimp("compare", train, "--target", "y", "--methods", methods, "--features", 60, *options)


def test_a_table_has_one_row_a_method(shrimp, train):
    run = compare(shrimp, train, "shrimp,lasso,krr", "--test", train, "-q")
    assert run.returncode == 0, run.stderr
    header, *rows = run.stdout.splitlines()
    assert header.split() == ["method", "test", "MSE", "R2", "validation", "MSE", "basis", "functions", "terms", "seconds"]
    assert [row.split()[0] for row in rows] == ["shrimp", "lasso", "krr"]
    assert all(len(row.split()) == 7 for row in rows)
    assert run.stderr == ""


def test_without_test_rows_there_is_no_test_column(shrimp, train):
    run = compare(shrimp, train, "lasso", "-q")
    assert "test" not in run.stdout.splitlines()[0]


def test_json_agrees_with_fit(shrimp, train, tmp_path):
    run = compare(shrimp, train, "shrimp,min-l2", "--test", train, "--json", "-q", "--seed", 4)
    rows = json.loads(run.stdout)["methods"]
    keys = ["method", "test_mse", "test_r2", "validation_mse", "validation_r2", "train_mse"]
    keys += ["basis_functions", "terms", "seconds", "error"]
    assert [list(row) for row in rows] == [keys, keys]
    fitted = shrimp("fit", train, "--target", "y", "--features", 60, "--seed", 4, "--json", "-q")
    fitted = json.loads(fitted.stdout)
    assert rows[0]["validation_mse"] == fitted["validation_mse"]
    assert rows[0]["basis_functions"] == fitted["basis_functions"]
    assert rows[0]["terms"] == len(fitted["terms"])
    assert rows[0]["test_mse"] == pytest.approx(fitted["train_mse"], rel=1e-9)


def test_a_method_that_fails_is_a_row_and_the_others_go_on(shrimp, train):
    run = compare(shrimp, train, "shrimp,lasso", "--order", 9, "-q")
    assert run.returncode == 0
    rows = run.stdout.splitlines()[1:]
    assert rows[0].startswith("shrimp") and "failed: order 9" in rows[0]
    assert rows[1].startswith("lasso") and "failed" not in rows[1]
    rows = json.loads(compare(shrimp, train, "shrimp,lasso", "--order", 9, "--json", "-q").stdout)["methods"]
    assert "order 9" in rows[0]["error"] and rows[0]["validation_mse"] is None
    assert rows[1]["error"] is None


def test_where_every_method_fails_the_exit_code_says_so(shrimp, train):
    run = compare(shrimp, train, "shrimp,min-l2", "--order", 9, "-q")
    assert run.returncode == 1
    assert "no method" in run.stderr


def test_a_method_that_does_not_converge_is_a_failure_unless_allowed(shrimp, train):
    options = ("srfe-s", "--basis", "linear", "--json", "-q")
    assert compare(shrimp, train, *options).returncode == 1
    allowed = compare(shrimp, train, *options, "--allow-unconverged")
    assert allowed.returncode == 0 and json.loads(allowed.stdout)["methods"][0]["error"] is None


def test_unknown_methods_and_missing_ones_are_refused_before_work(shrimp, train):
    run = compare(shrimp, train, "shrimp,nonsense")
    assert run.returncode == 2 and "nonsense" in run.stderr and run.stdout == ""
    assert shrimp("compare", train, "--target", "y").returncode == 2


def test_progress_names_the_method(shrimp, train):
    run = compare(shrimp, train, "shrimp,lasso")
    assert "shrimp, order 2" in run.stderr and "lasso, order 1" in run.stderr
