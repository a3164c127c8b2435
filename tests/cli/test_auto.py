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
        X = random.uniform(-1, 1, (400, 8))
        y = X[:, 0] * X[:, 2] + X[:, 1] + noise * random.standard_normal(400)
        paths.append(folder / f"{name}.csv")
        write_csv(paths[-1], X, y)
    return paths


def fit(shrimp, *arguments):
    run = shrimp("fit", *arguments, "-q", variables={"SHRIMP_METHOD": "auto"})
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_is_the_default(binary, environment, tables):
    own = {name: value for name, value in environment.items() if name != "SHRIMP_METHOD"}
    run = subprocess.run([binary, "fit", tables[0], "--target", "y", "--json", "-q"], env=own, capture_output=True, timeout=300)
    assert json.loads(run.stdout)["method"] == "auto"


def test_finds_the_terms_and_says_how_likely_chance_is(shrimp, tables, tmp_path):
    train, test = tables
    model = tmp_path / "model.json"
    report = json.loads(fit(shrimp, train, "--target", "y", "--json", "--output", model))
    large = {tuple(term["variables"]): term for term in report["terms"] if term["fraction"] > 0.01}
    assert set(large) == {("x2",), ("x1", "x3")}
    assert all(term["p_value"] < 0.01 for term in large.values())
    errors = json.loads(shrimp("evaluate", model, test, "--target", "y", "--json").stdout)
    assert errors["mse"] < 0.001
    again = json.loads(shrimp("inspect", model, "--json").stdout)
    intervals = [(term.pop("low"), term["fraction"], term.pop("high")) for term in again["terms"]]
    assert again["terms"] == report["terms"]
    assert all(low <= share <= high for low, share, high in intervals)


def test_gives_the_same_file_twice(shrimp, tables, tmp_path):
    for name in ("a", "b"):
        fit(shrimp, tables[0], "--target", "y", "--output", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_takes_terms_in_and_out(shrimp, tables):
    options = ("--include", "x5*x6,x8", "--exclude", "x2", "--json")
    terms = json.loads(fit(shrimp, tables[0], "--target", "y", *options))["terms"]
    names = {tuple(term["variables"]) for term in terms if term["basis_functions"] > 0}
    assert {("x5", "x6"), ("x8",)} <= names
    assert not any("x2" in name for name in names)


@pytest.mark.parametrize(
    "options, words",
    [
        (("--include", "x9"), ["x9", "no input"]),
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


def test_reports_rounds_terms_and_error(shrimp, tables):
    run = shrimp("fit", tables[0], "--target", "y", variables={"SHRIMP_METHOD": "auto"})
    assert "round 1, 1 terms" in run.stderr
    assert "validation MSE" in run.stderr


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
