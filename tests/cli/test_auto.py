"""The default method through the command line."""

import json
import subprocess

import numpy as np
import pytest

from functions import write_csv


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """x1·x3 and a line in x2 among eight inputs, with a little noise in the training rows."""
    folder = tmp_path_factory.mktemp("auto")
    random = np.random.default_rng(5)
    paths = []
    for name, noise in (("train", 0.1), ("test", 0.0)):
        X = random.uniform(-1, 1, (300, 8))
        y = X[:, 0] * X[:, 2] + X[:, 1] + noise * random.standard_normal(300)
        paths.append(folder / f"{name}.csv")
        write_csv(paths[-1], X, y)
    return paths


def fit(shrimp, *arguments):
    run = shrimp("fit", *arguments, "-q", variables={"SHRIMP_METHOD": "auto"})
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def default_fit(binary, environment, tables):
    """A fit without a word about the method: its process, and the path of its model."""
    own = {name: value for name, value in environment.items() if name != "SHRIMP_METHOD"}
    model = tables[0].with_name("default.json")
    command = [binary, "fit", tables[0], "--target", "y", "--json", "--output", model]
    run = subprocess.run(command, env=own, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run, model


def test_is_the_default(default_fit):
    assert json.loads(default_fit[0].stdout)["method"] == "auto"


def test_finds_the_terms_and_says_how_likely_chance_is(shrimp, tables, default_fit):
    test = tables[1]
    run, model = default_fit
    report = json.loads(run.stdout)
    large = {tuple(term["variables"]): term for term in report["terms"] if term["fraction"] > 0.01}
    assert set(large) == {("x2",), ("x1", "x3")}
    assert all(term["p_value"] < 0.01 for term in large.values())
    errors = json.loads(shrimp("evaluate", model, test, "--target", "y", "--json").stdout)
    assert errors["mse"] < 0.001
    again = json.loads(shrimp("inspect", model, "--json").stdout)
    intervals = [(term.pop("low"), term["fraction"], term.pop("high")) for term in again["terms"]]
    assert again["terms"] == report["terms"]
    assert all(low <= share <= high for low, share, high in intervals)


def test_gives_the_same_file_twice(shrimp, tables, default_fit, tmp_path):
    fit(shrimp, tables[0], "--target", "y", "--output", tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == default_fit[1].read_bytes()


def test_takes_terms_in_and_out(shrimp, tables):
    options = ("--include", "x5*x6,x8", "--exclude", "x2", "--quick-error", "--json")
    terms = json.loads(fit(shrimp, tables[0], "--target", "y", *options))["terms"]
    names = {tuple(term["variables"]) for term in terms if term["basis_functions"] > 0}
    assert {("x5", "x6"), ("x8",)} <= names
    assert not any("x2" in name for name in names)


@pytest.mark.parametrize(
    "options, words",
    [
        (("--include", "x9"), ['include names "x9", which is not an input', 'Did you mean "x1"']),
        (("--include", "x1*"), ["include"]),
        (("--max-order", "0"), ["max-order", "1 or more"]),
        (("--transform", "rank"), ["transform", "auto"]),
        (("--target-transform", "exp"), ["target-transform", "log"]),
        (("--order", "9"), ["order 9"]),
        (("--budget", "soon"), ["budget"]),
        (("--clip", "-1"), ["clip"]),
        (("--basis", "relu"), ["auto", "shrimp"]),
    ],
)
def test_refuses_bad_options_with_exit_code_2(shrimp, tables, options, words):
    run = shrimp("fit", tables[0], "--target", "y", *options, variables={"SHRIMP_METHOD": "auto"})
    assert run.returncode == 2, run.stderr
    for word in words:
        assert word in run.stderr


@pytest.mark.parametrize("form, word", [("log", "logarithm"), ("sqrt", "square root")])
def test_refuses_a_form_that_the_target_does_not_have(shrimp, tmp_path, form, word):
    table = tmp_path / "table.csv"
    table.write_text("x1,y\n" + "".join(f"{k},{k - 2}\n" for k in range(3, 33)) + "40,-1\n")
    run = shrimp("fit", table, "--target", "y", "--target-transform", form, "--output", tmp_path / "model.json",
                 variables={"SHRIMP_METHOD": "auto"})
    assert run.returncode == 1, run.stderr
    assert not (tmp_path / "model.json").exists()
    for part in ["table.csv row 31", '"y"', "-1", f"no {word}", "target-transform identity"]:
        assert part in run.stderr


def test_without_forms_leaves_inputs_as_they_are(shrimp, tmp_path):
    rng = np.random.default_rng(3)
    u = rng.uniform(-1, 1, (200, 2))
    write_csv(tmp_path / "skewed.csv", u**5, np.sin(2 * u[:, 0]) + u[:, 1] + 0.05 * rng.normal(size=200))
    arguments = (tmp_path / "skewed.csv", "--target", "y", "--quick-error", "--json")
    by_rank = json.loads(fit(shrimp, *arguments))
    assert by_rank["transforms"] == {"x1": "rank", "x2": "rank"}
    assert by_rank["target_transform"] == "identity"
    plain = json.loads(fit(shrimp, *arguments, "--transform", "none"))
    assert not plain["transforms"]
    assert "fraction_above_order_three" in plain


def test_reports_rounds_terms_and_error(default_fit):
    stderr = default_fit[0].stderr
    assert "round 1, 1 terms" in stderr
    assert "validation MSE" in stderr


def test_tries_every_pruning_rate_and_tells_which_it_took(shrimp, data, tmp_path):
    x, y = data
    write_csv(tmp_path / "t.csv", x, y + np.random.default_rng(1).normal(scale=0.3, size=len(y)))

    def fit(rates):
        run = shrimp("fit", tmp_path / "t.csv", "--target", "y", "--prune", rates, "--json", "-q")
        return json.loads(run.stdout)

    alone = {rate: fit(rate)["validation_mse"] for rate in (0.1, 0.6)}
    best = min(alone, key=alone.get)
    for rates in ("0.1,0.6", "0.6,0.1"):
        assert fit(rates)["pruning_rate"] == best and fit(rates)["validation_mse"] == alone[best]
