"""simplify against NumPy's least squares on the columns that stay."""

import json

import numpy as np
import pytest

from cases import RunsOfTheProgram, made_once
from functions import write_csv
from model_fits import assert_same_fit, entered, expected_fit
from model_matrix import matrix, read_model


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 5))
    y = 50 + np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] + 0.2 * random.normal(size=rows)
    return x, y


def logarithmic(rows, seed):
    x, y = noisy(rows, seed)
    return x, np.exp(y - 49)


def many_inputs(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 8))
    return x, 3 * np.exp(-0.5 * (x**2).sum(axis=1)) + 2 * np.sin(5 * x[:, 0]) + 0.02 * random.normal(size=rows)


TABLES = {
    "ridge": (noisy, ["--method", "auto", "--quick-error"]),
    "log target": (logarithmic, ["--method", "auto", "--quick-error", "--target-transform", "log"]),
    "kernel": (many_inputs, ["--method", "auto", "--quick-error"]),
    "shrimp": (noisy, ["--method", "shrimp", "--features", 20, "--order", "1-2"]),
    "shrimp with ridge": (noisy, ["--method", "shrimp", "--features", 60, "--ridge", 0.1]),
    "no scaling": (noisy, ["--method", "min-l2", "--features", 12, "--no-standardize"]),
}


class Case(RunsOfTheProgram):
    """A model with its rows, as a table and as a summary."""

    def __init__(self, shrimp, folder, name):
        make, options = TABLES[name]
        super().__init__(shrimp, folder)
        self.x, self.y = make(300, 1)
        self.table, self.path, self.summary = folder / "train.csv", folder / "model.json", folder / "rows.summary"
        write_csv(self.table, self.x, self.y)
        self.run("fit", self.table, "--target", "y", "--output", self.path, "--summary", self.summary, "-q", *options)
        self.model = read_model(self.path)

    def simplify(self, *options):
        told = self.run("simplify", self.path, "--output", self.folder / "small.json", "--json", *options)
        return read_model(self.folder / "small.json"), json.loads(told.stdout), told.stderr


@pytest.fixture(scope="module")
def cases(shrimp, tmp_path_factory):
    return made_once(Case, shrimp, tmp_path_factory)


def supports(model):
    return {tuple(feature["variables"]) for feature in model["features"]}


def columns_of(model):
    names = ("cos", "sin", "identity", "kernel", "step")
    return {(name, *f["variables"], *f["weights"]) for f in model["features"] for name in names if name in f}


def expected_error(model, smaller, x, y, folds):
    """Of each fold by the others, for columns that do not depend on them; over the variance of the target."""
    squares = 0.0
    for fold in range(folds):
        held = np.arange(len(y)) % folds == fold
        constant, c = expected_fit(smaller, x[~held], y[~held])
        A, _ = matrix(smaller, entered(smaller, x[held]))
        squares += ((y[held] / model["scaling"]["target_scale"] - constant - A @ c) ** 2).sum()
    return squares / len(y) * model["scaling"]["target_scale"] ** 2


@pytest.mark.parametrize("goal", ["terms", "basis-functions"])
@pytest.mark.parametrize("name", TABLES)
def test_what_stays_is_the_fit_of_the_columns_that_stay(cases, name, goal):
    case = cases(name)
    has = len(case.model["terms"]) if goal == "terms" else len(columns_of(case.model))
    wanted = max(1, has // 2)
    for rows in (["--summary", case.summary], ["--data", case.table]):
        smaller, told, _ = case.simplify(f"--{goal}", wanted, *rows)
        assert columns_of(smaller) < columns_of(case.model)
        assert 1 <= told["after"][goal.replace("-", "_")] <= wanted
        assert_same_fit(smaller, expected_fit(smaller, case.x, case.y))
        assert told["after"]["basis_functions"] == len(columns_of(smaller)) and told["after"]["terms"] == len(smaller["terms"])
        assert sum(t["fraction"] for t in smaller["terms"]) == pytest.approx(1)
        assert told["before"]["basis_functions"] == len(columns_of(case.model)) == smaller["results"]["simplified_from"]
        assert told["rows"] == 300 and told["folds"] == 5
        used = {variable for support in supports(smaller) for variable in support}
        assert {j for j, values in enumerate(smaller["marginals"]) if values["values"]} == used


def test_the_terms_that_matter_stay(cases):
    smaller, told, _ = cases("ridge").simplify("--terms", 3, "--summary", cases("ridge").summary)
    assert {tuple(t["variables"]) for t in told["terms"]} == {("x1",), ("x2", "x3"), ("x4",)}
    assert told["after"]["validation_r2"] > 0.9
    assert told["after"]["train_mse"] >= told["before"]["train_mse"]


def test_one_column_less_is_the_one_that_is_missed_least(cases):
    case = cases("shrimp with ridge")
    has = len(columns_of(case.model))
    smaller, _, _ = case.simplify("--basis-functions", has - 1, "--summary", case.summary)
    A, _ = matrix(case.model, entered(case.model, case.x))
    z = (case.y - case.y.mean()) / case.model["scaling"]["target_scale"]

    def objective(kept):
        left = np.vstack([A[:, kept], np.sqrt(0.1) * np.eye(len(kept))])
        right = np.concatenate([z, np.zeros(len(kept))])
        return ((left @ np.linalg.lstsq(left, right)[0] - right) ** 2).sum()

    best = min(range(has), key=lambda k: objective([j for j in range(has) if j != k]))
    kept, _ = matrix(smaller, entered(smaller, case.x))
    assert kept == pytest.approx(np.delete(A, best, axis=1))


def test_errors_are_those_of_both_fits_by_folds(cases):
    case = cases("ridge")
    name = next(t for t in case.model["terms"] if t["basis_functions"])
    term = "x1" if name["variables"] == [0] else "x4"
    smaller, told, _ = case.simplify("--drop", term, "--data", case.table)
    for model, errors in ((case.model, told["before"]), (smaller, told["after"])):
        assert errors["validation_mse"] == pytest.approx(expected_error(case.model, model, case.x, case.y, 5), rel=1e-6)
        constant, c = expected_fit(model, case.x, case.y)
        A, _ = matrix(model, entered(model, case.x))
        gap = case.y - case.model["scaling"]["target_scale"] * (constant + A @ c)
        assert errors["train_mse"] == pytest.approx((gap**2).mean(), rel=1e-9)
    assert told["after"]["validation_mse"] > 2 * told["before"]["validation_mse"]


def test_dropped_terms_are_those_that_inspect_names(cases):
    case = cases("ridge")
    for name in ("(x2, x3)", "x2*x3"):
        smaller, told, _ = case.simplify("--drop", name, "--drop", "x4", "--summary", case.summary)
        assert supports(smaller) == supports(case.model) - {(1, 2), (3,)}
        assert ["x2", "x3"] in [t["variables"] for t in told["removed"]]


def test_what_carries_a_dropped_term_on_is_said(cases):
    case = cases("shrimp")
    assert {(0,), (0, 4)} <= supports(case.model)
    smaller, _, words = case.simplify("--drop", "x1", "--summary", case.summary)
    assert (0,) not in supports(smaller) and (0, 4) in supports(smaller)
    assert "the basis functions of x1 are removed, but those of (x1, x" in words
    assert [0] in [t["variables"] for t in smaller["terms"]]  # Columns on more inputs carry it.


def test_a_term_goes_before_those_that_its_columns_carry(cases):
    case = cases("shrimp")
    for wanted in (1, 3, 6, 10):
        smaller, told, _ = case.simplify("--terms", wanted, "--summary", case.summary)
        assert told["after"]["terms"] <= wanted
        gone = supports(case.model) - supports(smaller)
        assert not any(set(small) < set(large) for small in gone for large in supports(smaller))


def test_a_term_that_others_carry_does_not_go_alone(cases, shrimp):
    case = cases("kernel")
    carried = next(t for t in case.model["terms"] if t["basis_functions"] == 0)
    inputs = [case.model["inputs"][variable] for variable in carried["variables"]]
    name = inputs[0] if len(inputs) == 1 else f"({', '.join(inputs)})"
    run = shrimp("simplify", case.path, "--drop", name, "--summary", case.summary, "--output", case.folder / "never.json")
    assert run.returncode == 2 and f'"{name}", which has no separate basis functions' in run.stderr
    assert not (case.folder / "never.json").exists()


def test_columns_that_go_together_go_or_stay_together(cases, shrimp):
    case = cases("kernel")
    kernel = sum("kernel" in feature for feature in case.model["features"])
    others = len(columns_of(case.model)) - kernel
    assert kernel > others > 1
    smaller, _, _ = case.simplify("--basis-functions", kernel - 1, "--summary", case.summary)
    assert len(columns_of(smaller)) == others  # All that may stay.
    alone = case.folder / "alone.json"
    drops = [word for support in supports(case.model) if len(support) < 4 for word in ("--drop", "*".join(f"x{j + 1}" for j in support))]
    case.run("simplify", case.path, *drops, "--summary", case.summary, "--output", alone, "--new-summary", case.folder / "alone.summary")
    run = shrimp("simplify", alone, "--basis-functions", 5, "--summary", case.folder / "alone.summary", "--output", case.folder / "never.json")
    assert run.returncode == 2 and f"Give {kernel} or more" in run.stderr


def test_the_new_summary_belongs_to_the_new_model(cases):
    case = cases("ridge")
    small, rows = case.folder / "small.json", case.folder / "small.summary"
    case.simplify("--terms", 3, "--summary", case.summary, "--new-summary", rows)
    more = noisy(100, 5)
    write_csv(case.folder / "more.csv", *more)
    smaller = read_model(small)
    case.run("update", small, case.folder / "more.csv", "--summary", rows)
    assert_same_fit(read_model(small), expected_fit(smaller, *(np.concatenate(both) for both in zip((case.x, case.y), more))))


def test_people_read_what_it_costs(cases):
    case = cases("ridge")
    run = case.run("simplify", case.path, "--terms", 2, "--summary", case.summary, "--output", case.folder / "two.json")
    lines = dict(line.split(maxsplit=1) for line in run.stdout.splitlines() if line[0] != " ")
    assert lines["before"].startswith(f"{len(case.model['terms'])} terms, ") and lines["after"].startswith("2 terms, ")
    assert "x4" in lines["removed"] and "model written to" in run.stderr
    shown = case.run("inspect", case.folder / "two.json").stdout
    assert f"simplified from {len(columns_of(case.model))} basis functions" in " ".join(shown.split())
    assert "validation error RMSE" in " ".join(shown.split())  # Its folds chose the terms.


@pytest.mark.parametrize(
    "options, code, words",
    [
        (["--terms", 0], 2, "terms 0 is not allowed: the model has"),
        (["--terms", 999], 2, "terms 999 is not allowed: the model has"),
        (["--basis-functions", 0], 2, "basis-functions 0 is not allowed: the model has"),
        (["--basis-functions", 99999], 2, "Give a whole number from 1 to"),
        (["--terms", -1], 2, "terms"),
        ([], 2, "Give one of them"),
        (["--terms", 2, "--basis-functions", 3], 2, "exclude each other"),
        (["--terms", 2, "--drop", "x1"], 2, "exclude each other"),
        (["--drop", "x9"], 2, 'drop names "x9", which is not a term of the model.\n        Did you mean "x1"'),
        (["--drop", "(x2, x9)"], 2, 'Did you mean "(x2, x3)"'),
        (["--drop", "pressure"], 2, "The terms are"),
    ],
)
def test_bad_wishes_are_refused(cases, shrimp, options, code, words):
    case = cases("ridge")
    run = shrimp("simplify", case.path, *options, "--summary", case.summary, "--output", case.folder / "never.json")
    assert run.returncode == code and words in run.stderr, run.stderr
    assert not (case.folder / "never.json").exists()


def test_all_terms_cannot_go(cases, shrimp):
    case = cases("ridge")
    names = [",".join(case.model["inputs"][j] for j in t["variables"]) for t in case.model["terms"] if t["basis_functions"]]
    drops = [word for name in names for word in ("--drop", name.replace(",", "*"))]
    run = shrimp("simplify", case.path, *drops, "--summary", case.summary, "--output", case.folder / "never.json")
    assert run.returncode == 2 and "Keep at least one" in run.stderr


def test_rows_must_be_given_and_be_of_the_model(cases, shrimp, tmp_path):
    case, other = cases("ridge"), cases("shrimp")
    never = ["--terms", 1, "--output", tmp_path / "never.json"]
    run = shrimp("simplify", case.path, *never)
    assert run.returncode == 2 and "Give --summary FILE or --data TABLE.csv" in run.stderr
    run = shrimp("simplify", case.path, *never, "--summary", case.summary, "--data", case.table)
    assert run.returncode == 2 and "Give --summary FILE or --data TABLE.csv" in run.stderr
    run = shrimp("simplify", case.path, *never, "--summary", other.summary)
    assert run.returncode == 1 and "sufficient statistics of different basis functions" in run.stderr and str(other.summary) in run.stderr
    run = shrimp("simplify", case.path, *never, "--summary", case.path)
    assert run.returncode == 3 and "is not a file of sufficient statistics" in run.stderr
    (tmp_path / "lacking.csv").write_text("x1,y\n1,2\n")
    run = shrimp("simplify", case.path, *never, "--data", tmp_path / "lacking.csv")
    assert run.returncode == 1 and "x2" in run.stderr
    assert not (tmp_path / "never.json").exists()


@pytest.mark.parametrize("method", ["lasso", "naive-prune", "krr"])
def test_methods_that_sums_do_not_fit_are_refused(shrimp, train, tmp_path, method):
    assert shrimp("fit", train, "--target", "y", "--method", method, "--output", tmp_path / "m.json", "-q").returncode == 0
    run = shrimp("simplify", tmp_path / "m.json", "--basis-functions", 1, "--data", train, "--output", tmp_path / "s.json")
    assert run.returncode == 1 and f"method {method}" in run.stderr
    assert not (tmp_path / "s.json").exists()
