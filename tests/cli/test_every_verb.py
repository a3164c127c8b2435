"""Every verb on every kind of model, with new rows that have missing cells and unseen levels: it works or is refused in words."""

import math
import random
import re
import shutil

import numpy as np
import pytest

from cases import RunsOfTheProgram, made_once
from cells import Cells

ROWS = 90
DAYS = [f"2024-{1 + k // 28:02}-{1 + k % 28:02}" for k in range(112)]
SHOPS = {"north": 2.0, "south": -1.0, "east": 0.0}


def table(kinds, count, seed, gaps=False):
    """Cells of columns of these kinds, and for each row its noiseless effect. `gaps`: some cells are missing."""
    draw = random.Random(seed)
    rows, effects = [], []
    for k in range(count):
        row, numbers, effect = [], [], 0.0
        for j, kind in enumerate(kinds.values()):
            if kind == "category":
                cell = draw.choice(list(SHOPS))
                effect += SHOPS[cell]
            elif kind == "date":
                cell = draw.choice(DAYS)
                effect += int(cell[5:7]) / 2
            else:
                cell = draw.uniform(-1, 1)
                numbers.append(cell)
            is_gap = gaps and j > 0 and (k + j) % 6 == 0
            row.append(None if is_gap else cell)
            effect += 0.7 * is_gap
        x = [*numbers, 0.0, 0.0]
        rows.append(row)
        effects.append(effect + x[0] + 2 * x[1] ** 2 + x[0] * x[2])
    return Cells(kinds, rows), effects


def new_rows(kinds, count=4):
    """Whole rows, then rows with each cell missing, an unseen level, and at last a row without any cell."""
    cells, effects = table(kinds, count, 7)
    whole = cells.rows[0]
    for j, kind in enumerate(kinds.values()):
        cells.rows.append([None if k == j else cell for k, cell in enumerate(whole)])
        if kind == "category":
            cells.rows.append(["unseen" if k == j else cell for k, cell in enumerate(whole)])
    cells.rows.append([None] * len(kinds))
    return cells, [effects[k] if k < count else effects[0] for k in range(len(cells.rows))]


def noisy(effects, draw):
    return [value + draw.gauss(0, 0.2) for value in effects]


def classes(effects, draw):
    return ["yes" if value + draw.gauss(0, 0.5) > np.median(effects) else "no" for value in effects]


def counts(effects, draw):
    return [int(np.exp(value / 2 + draw.uniform(0, 1))) for value in effects]


NUMBERS = {"a": "number", "b": "number", "c": "number"}
MIXED = {"a": "number", "b": "number", "shop": "category"}
DATED = {"a": "number", "shop": "category", "b": "number", "when": "date"}
WIDE = {f"x{k}": "number" for k in range(40)}
AUTO = ["--method", "auto", "--quick-error"]
FEW = ["--features", 20]
METHOD_OPTIONS = {method: [] for method in ("krr", "lasso", "imp-linear", "salsa")} | {"srfe-s": [*FEW, "--allow-unconverged"]}

# Columns, whether the training rows lack cells, target, and options of the fit.
MODELS = {
    "noisy": (NUMBERS, False, noisy, AUTO),
    "clean": (NUMBERS, False, lambda effects, draw: effects, AUTO),
    "categories": (MIXED, False, noisy, AUTO),
    "missing": (NUMBERS, True, noisy, AUTO),
    "both with dates": (DATED, True, noisy, [*AUTO, "--date-parts"]),
    "two classes": (DATED, True, classes, [*AUTO, "--loss", "logistic"]),
    "counts": (DATED, True, counts, [*AUTO, "--loss", "poisson"]),
    "calibrated counts": (DATED, True, counts, ["--method", "auto", "--loss", "poisson", "--max-order", 1]),
    "amounts": (MIXED, True, lambda effects, draw: [draw.gammavariate(2, math.exp(e / 2)) for e in effects], ["--method", "auto", "--loss", "gamma", "--max-order", 1]),
    "outliers": (MIXED, True, noisy, [*AUTO, "--loss", "huber"]),
    "rough": (NUMBERS, False, lambda effects, draw: [math.sin(40 * e) + (e > 1) for e in effects], AUTO),
    "positive": (MIXED, True, lambda effects, draw: [math.exp(e + draw.gauss(0, 0.2)) for e in effects], [*AUTO, "--target-transform", "log"]),
    "square root": (MIXED, True, lambda effects, draw: [(e + 5 + draw.gauss(0, 0.1)) ** 2 for e in effects], [*AUTO, "--target-transform", "sqrt"]),
    "unclipped": (MIXED, True, noisy, [*AUTO, "--clip", "none"]),
    "wide": (WIDE, False, noisy, AUTO),
    "constant": (NUMBERS, False, lambda effects, draw: [draw.gauss(0, 1) for _ in effects], AUTO),
    **{method: (NUMBERS, False, noisy, ["--method", method, *METHOD_OPTIONS.get(method, FEW)])
       for method in ("shrimp", "min-l2", "srfe-s", "salsa", "ssam", "lasso", "imp-linear", "stlsq", "naive-prune",
                      "random-prune", "krr", "harfe")},
}  # fmt: skip


class Case(RunsOfTheProgram):
    """A model, the summary of its rows where sums can refit it, and new rows."""

    def __init__(self, shrimp, folder, name):
        super().__init__(shrimp, folder)
        self.kinds, gaps, target, options = MODELS[name]
        self.train, self.model, self.summary, self.new, self.gaps = (
            folder / name for name in ("train.csv", "model.json", "rows.summary", "new.csv", "gaps.csv")
        )
        cells, effects = table(self.kinds, ROWS, 3, gaps)
        cells.write(self.train, target(effects, random.Random(1)))
        self.cells, effects = new_rows(self.kinds)
        target = target(effects, random.Random(2))
        self.cells.write(self.new, target)
        Cells(self.kinds, self.cells.rows[-1:]).write(self.gaps, target[-1:])
        self.run("fit", self.train, "--target", "y", "--output", self.model, "-q", *options)
        if not refusal_of("summarize", name):
            self.run("summarize", self.model, self.train, "--output", self.summary, "-q")


@pytest.fixture(scope="module")
def cases(shrimp, tmp_path_factory):
    return made_once(Case, shrimp, tmp_path_factory)


# Arguments of each verb; those that write a file write "out" in the case's folder.
VERBS = {
    "predict": lambda case, out: ["predict", case.model, case.new],
    "predict --interval": lambda case, out: ["predict", case.model, case.new, "--interval", ".9"],
    "predict a row without cells": lambda case, out: ["predict", case.model, case.gaps],
    "evaluate a row without cells": lambda case, out: ["evaluate", case.model, case.gaps],
    "evaluate": lambda case, out: ["evaluate", case.model, case.new],
    "evaluate --json": lambda case, out: ["evaluate", case.model, case.new, "--json"],
    "inspect": lambda case, out: ["inspect", case.model, "--verbose"],
    "inspect --json": lambda case, out: ["inspect", case.model, "--json"],
    "sensitivity": lambda case, out: ["sensitivity", case.model],
    "sensitivity --data": lambda case, out: ["sensitivity", case.model, "--data", case.new, "--json"],
    "explain": lambda case, out: ["explain", case.model, case.new],
    "explain --by-input": lambda case, out: ["explain", case.model, case.new, "--by-input", "--json"],
    "explain --row": lambda case, out: ["explain", case.model, case.new, "--row", len(case.cells.rows)],
    "report": lambda case, out: ["report", case.model, "--output", out],
    "report --data": lambda case, out: ["report", case.model, "--data", case.new, "--output", out],
    "export --to latex": lambda case, out: ["export", case.model, "--to", "latex"],
    "summarize": lambda case, out: ["summarize", case.model, case.new, "--output", out],
    "update": lambda case, out: ["update", case.model, case.new, "--summary", shutil.copy(case.summary, f"{out}.summary"), "--output", out],
    "merge": lambda case, out: ["merge", case.model, case.summary, "--output", out],
    "simplify": lambda case, out: ["simplify", case.model, "--basis-functions", 1, "--summary", case.summary, "--output", out],
    "simplify --data": lambda case, out: ["simplify", case.model, "--basis-functions", 1, "--data", case.new, "--output", out],
}  # fmt: skip
SUMS = ("summarize", "update", "merge", "simplify", "simplify --data")
NO_SUMS = ("srfe-s", "salsa", "ssam", "lasso", "naive-prune", "krr", "harfe")


def refusal_of(verb, name):
    """The exit code and the words with which a verb refuses a kind of model; None where it works."""
    if verb in SUMS and name in NO_SUMS:
        return 1, f"was fitted by method {name}, whose coefficients are not a least-squares fit"
    if verb == "predict --interval" and name in ("outliers", "counts"):
        return 2, f"with loss {'huber' if name == 'outliers' else 'poisson'} and quick-error, no rows were held out"
    if verb.startswith("simplify") and name == "constant":
        return 2, "the model has no basis functions, so none can be removed"
    return None


# Numbers that are none.
NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?![\w(])", re.IGNORECASE)


def assert_no_nan(text):
    found = NO_NUMBER.search(text)
    assert not found, text[max(0, found.start() - 100) : found.end() + 20]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_works_on_every_model_or_is_refused_in_words(cases, verb, name):
    case = cases(name)
    out = case.folder / f"{verb.replace(' ', '')}.out"
    refusal = refusal_of(verb, name)
    if refusal and verb == "update":
        case.summary.touch()
    run = case.shrimp(*VERBS[verb](case, out))
    if refusal:
        assert (run.returncode, run.stdout) == (refusal[0], "") and refusal[1] in run.stderr, run.stderr
        return
    if verb.startswith("simplify") and "group of basis functions that is removed as a whole counts" in run.stderr:
        assert run.returncode == 2  # A kernel term was chosen, whose columns go together.
        return
    assert run.returncode == 0, run.stderr
    written = out.read_bytes().decode(errors="ignore") if out.exists() and verb != "summarize" else ""
    assert_no_nan(run.stdout)
    assert_no_nan(re.sub(r"<(script|style)\b.*?</\1>", "", written, flags=re.DOTALL))
    assert run.stdout or written or verb == "summarize"


@pytest.mark.parametrize("name", MODELS)
def test_models_made_from_sums_predict_new_rows(cases, name, tmp_path):
    """What update and simplify write from new rows with gaps can be read and predicts numbers."""
    case = cases(name)
    if refusal_of("update", name):
        pytest.skip("sums do not fit this model")
    shutil.copy(case.summary, tmp_path / "rows.summary")
    case.run("update", case.model, case.new, "--summary", tmp_path / "rows.summary", "--output", tmp_path / "new.json", "-q")
    # Sufficient statistics of other losses have no targets, which calibrate intervals.
    interval = [] if "--loss" in MODELS[name][3] else ["--interval", ".9"]
    for rows in (case.new, case.train):
        assert_no_nan(case.run("predict", tmp_path / "new.json", rows, *interval, "-q").stdout)


def prediction_column(text):
    return np.array([float(line.split(",")[0]) for line in text.splitlines()[1:]])


@pytest.mark.parametrize("name", MODELS)
def test_every_export_predicts_new_rows_as_the_program_does(cases, export, name):
    """Models of numbers alone, which saw no missing cell, are strict: their exports give no number then."""
    case = cases(name)
    predicted = prediction_column(case.run("predict", case.model, case.new, "-q").stdout)
    has_kinds = any(kind != "number" for kind in case.kinds.values()) or MODELS[name][1]
    lacks = np.array([None in row for row in case.cells.rows])
    runs = {
        "c": lambda path: case.cells.run_c(path),
        "python": lambda path: case.cells.run_python(path),
        "onnx": lambda path: case.cells.run_onnx(path),
        "sql": lambda path: case.cells.run_sqlite(path),
    }
    for language, run in runs.items():
        own = np.asarray(run(export(case.model, language)), float)
        strict = lacks & np.isnan(own) if not has_kinds else np.zeros(len(own), bool)
        scale = np.abs(predicted).max() + 1.0
        np.testing.assert_allclose(own[~strict], predicted[~strict], rtol=1e-7, atol=1e-9 * scale, err_msg=language)
