"""Losses other than the squared one, through the command line."""

import csv
import io
import json
import math

import numpy as np
import pytest
from exported import run_c, run_python, run_sqlite
from functions import write_csv

FAST = ["--method", "auto", "--quick-error", "--max-order", 1, "--transform", "none", "-q"]


def simulated(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    sums = 3 * X[:, 0] + np.sin(3 * X[:, 1])
    return random, X, sums


def classes(rows, seed):
    random, X, sums = simulated(rows, seed)
    return X, (random.uniform(size=rows) < 1 / (1 + np.exp(-sums))).astype(float)


def counts(rows, seed, exposure=1.0):
    random, X, sums = simulated(rows, seed)
    return X, random.poisson(exposure * np.exp(0.5 * sums)).astype(float)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("losses")
    write_csv(folder / "train.csv", *classes(300, 1))
    write_csv(folder / "test.csv", *classes(500, 2))
    write_csv(folder / "counts.csv", *counts(300, 1))
    return folder


@pytest.fixture(scope="module")
def model(shrimp, folder):
    run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", "logistic", *FAST, "--output", folder / "m.json")
    assert run.returncode == 0, run.stderr
    return folder / "m.json"


def probabilities(shrimp, model, table):
    rows = list(csv.DictReader(io.StringIO(shrimp("predict", model, table, "-q").stdout)))
    return np.array([float(row["prediction"]) for row in rows]), [row["class"] for row in rows]


def test_predictions_are_probabilities_and_the_class_that_they_speak_for(shrimp, model, folder):
    probability, names = probabilities(shrimp, model, folder / "test.csv")
    assert np.all((probability > 0) & (probability < 1))
    assert names == ["1" if p > 0.5 else "0" for p in probability]
    _, _, sums = simulated(500, 2)
    assert np.mean(np.abs(probability - 1 / (1 + np.exp(-sums)))) < 0.08


def test_scores_are_those_of_their_definitions(shrimp, model, folder):
    scores = json.loads(shrimp("evaluate", model, folder / "test.csv", "--json", "-q").stdout)
    probability, _ = probabilities(shrimp, model, folder / "test.csv")
    y = classes(500, 2)[1]
    assert scores["log_loss"] == pytest.approx(-np.mean(np.log(np.where(y == 1, probability, 1 - probability))))
    assert scores["accuracy"] == pytest.approx(np.mean((probability > 0.5) == (y == 1)))
    pairs = probability[y == 1][:, None] - probability[y == 0][None, :]
    assert scores["auc"] == pytest.approx(np.mean(pairs > 0) + 0.5 * np.mean(pairs == 0))
    assert scores["mse"] == pytest.approx(np.mean((probability - y) ** 2))
    bins = np.array_split(np.argsort(probability, kind="stable"), 10)
    gaps = [len(rows) * abs(probability[rows].mean() - y[rows].mean()) for rows in bins]
    assert scores["calibration_error"] == pytest.approx(sum(gaps) / 500)
    text = shrimp("evaluate", model, folder / "test.csv", "-q").stdout
    assert [line.rsplit("  ", 1)[0].strip() for line in text.splitlines()[:5]] == [
        "rows", "log loss", "AUC", "accuracy", "calibration error",
    ]  # fmt: skip


def test_a_fit_prints_its_log_loss_and_the_scale_of_its_terms(shrimp, folder):
    run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", "logistic", *FAST)
    text = " ".join(run.stdout.split())
    assert "error log loss" in text and "predictions are probabilities of 1; terms refer to its log odds" in text
    run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", "logistic", *FAST, "--json")
    told = json.loads(run.stdout)
    assert told["loss"] == "logistic" and told["classes"] == ["0", "1"] and told["target_transform"] == "logit"
    assert 0 < told["train_log_loss"] < told["validation_log_loss"] < math.log(2)


def test_exports_return_what_predict_returns(shrimp, model, folder, tmp_path):
    X = classes(500, 2)[0][:20]
    write_csv(tmp_path / "rows.csv", X, np.zeros(20))
    expected, _ = probabilities(shrimp, model, tmp_path / "rows.csv")
    for to, run in [("c", run_c), ("python", run_python), ("sql", lambda path, X: run_sqlite(path, X, ["x1", "x2", "x3"]))]:
        path = tmp_path / f"model.{'py' if to == 'python' else to}"
        assert shrimp("export", model, "--to", to, "--output", path).returncode == 0
        assert run(path, X) == pytest.approx(expected, rel=1e-9)


def test_other_numbers_name_two_classes_as_well(shrimp, model, folder, tmp_path):
    X, y = classes(300, 1)
    write_csv(tmp_path / "train.csv", X, y + 4)
    run = shrimp("fit", tmp_path / "train.csv", "--target", "y", "--loss", "logistic", *FAST, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "m.json").read_text())["classes"] == ["4", "5"]
    assert set(probabilities(shrimp, tmp_path / "m.json", folder / "test.csv")[1]) == {"4", "5"}
    run = shrimp("evaluate", tmp_path / "m.json", folder / "test.csv")
    assert run.returncode == 1 and 'test.csv row 1: "0" is not one of the model\'s classes, 4 and 5.' in run.stderr


def test_counts_have_rates_over_their_exposure(shrimp, tmp_path):
    X, y = counts(400, 1, exposure=3.0)
    names = ["x1", "x2", "x3", "hours"]
    write_csv(tmp_path / "train.csv", np.column_stack([X, np.full(400, 3.0)]), y, names)
    options = ["--target", "y", "--loss", "poisson", "--exposure", "hours", *FAST, "--output", tmp_path / "m.json"]
    run = shrimp("fit", tmp_path / "train.csv", *options)
    assert run.returncode == 0, run.stderr
    assert "counts over hours; predictions are rates for hours of 1" in " ".join(run.stdout.split())
    fitted = json.loads((tmp_path / "m.json").read_text())
    assert fitted["inputs"] == ["x1", "x2", "x3"] and fitted["format_version"] == 6
    rates = np.array(shrimp("predict", tmp_path / "m.json", tmp_path / "train.csv", "-q").stdout.split()[1:], float)
    assert 3 * rates.mean() == pytest.approx(y.mean(), rel=0.05)
    scores = json.loads(shrimp("evaluate", tmp_path / "m.json", tmp_path / "train.csv", "--json", "-q").stdout)
    mean = 3 * rates
    logs = np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mean), 0)
    assert scores["deviance"] == pytest.approx(np.mean(2 * (logs - y + mean)))


def test_outliers_hardly_move_a_fit_by_huber(shrimp, tmp_path):
    _, X, sums = simulated(300, 1)
    write_csv(tmp_path / "train.csv", X, sums + np.where(np.arange(300) % 10 == 0, 500.0, 0.0))
    write_csv(tmp_path / "test.csv", X, sums)
    errors = {}
    for loss in ["huber", "squared"]:
        run = shrimp("fit", tmp_path / "train.csv", "--target", "y", "--loss", loss, *FAST, "--output", tmp_path / "m.json")
        assert run.returncode == 0, run.stderr
        errors[loss] = json.loads(shrimp("evaluate", tmp_path / "m.json", tmp_path / "test.csv", "--json").stdout)["mse"]
    assert errors["huber"] < 0.02 * errors["squared"]


BAD_TARGETS = {
    "three classes": ("logistic", [0, 1, 2] * 10, ["3 classes, 0, 1, 2", "Use loss multinomial", "one class against the rest"]),
    "one class": ("logistic", [1] * 30, ['the target "y" has only the class 1, but two are needed', "two classes"]),
    "a class of one row": ("logistic", [1] + [0] * 29, ["class 1", "has 1 row, but 2 are needed"]),
    "a negative count": ("poisson", [-1] + [2] * 29, ['row 1, column "y": -1 is not a count', "exposure"]),
    "a fractional count": ("poisson", [2] * 29 + [0.5], ['row 30, column "y": 0.5 is not a count', "loss squared"]),
    "nothing counted": ("poisson", [0] * 30, ["every value of", "is 0"]),
}


@pytest.mark.parametrize("case", BAD_TARGETS)
def test_targets_that_a_loss_is_not_for_are_refused(case, shrimp, tmp_path):
    loss, y, parts = BAD_TARGETS[case]
    write_csv(tmp_path / "bad.csv", np.random.default_rng(0).uniform(size=(30, 2)), np.array(y, float))
    run = shrimp("fit", tmp_path / "bad.csv", "--target", "y", "--loss", loss, *FAST)
    assert run.returncode == 1
    assert all(part in run.stderr for part in parts), run.stderr


def test_an_exposure_that_is_none_is_refused(shrimp, folder, tmp_path):
    X, y = counts(30, 1)
    write_csv(tmp_path / "bad.csv", np.column_stack([X, np.arange(30)]), y, ["x1", "x2", "x3", "hours"])
    run = shrimp("fit", tmp_path / "bad.csv", "--target", "y", "--exposure", "hours", "--loss", "poisson", *FAST)
    assert run.returncode == 1 and "row 1: the exposure 0 is not a number above 0" in run.stderr
    run = shrimp("fit", tmp_path / "bad.csv", "--target", "y", "--exposure", "x1", *FAST)
    assert run.returncode == 2 and "exposure applies to counts, but the loss is squared" in run.stderr


def test_what_needs_another_loss_or_method_is_refused(shrimp, model, folder):
    run = shrimp("fit", folder / "train.csv", "--target", "y", "--loss", "logistic", "--method", "shrimp")
    assert run.returncode == 2 and "loss has no effect on method shrimp" in run.stderr
    run = shrimp("fit", folder / "counts.csv", "--target", "y", "--loss", "poisson", "--target-transform", "sqrt", *FAST)
    assert run.returncode == 2 and "target-transform applies to loss squared" in run.stderr


def test_a_model_of_classes_is_read_by_every_command(shrimp, model, folder, tmp_path):
    for command in [
        ("inspect", model),
        ("sensitivity", model),
        ("explain", model, folder / "test.csv", "--row", 1),
        ("report", model, "--data", folder / "test.csv", "--output", tmp_path / "page.html"),
        ("export", model, "--to", "latex"),
    ]:
        run = shrimp(*command)
        assert run.returncode == 0, run.stderr
    assert "log odds of y=1" in shrimp("explain", model, folder / "test.csv", "--row", 1).stdout


def test_classes_may_be_named_by_text(shrimp, folder, tmp_path):
    X, y = classes(300, 1)
    rows = [",".join([*map(str, x), "up, or so" if one else "down"]) for x, one in zip(X, y, strict=True)]
    rows = [row.replace("up, or so", '"up, or so"') for row in rows]
    table = tmp_path / "train.csv"
    table.write_text("x1,x2,x3,y\n" + "\n".join(rows) + "\n")
    run = shrimp("fit", table, "--target", "y", "--loss", "logistic", *FAST, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "m.json").read_text())["classes"] == ["down", "up, or so"]
    probability, names = probabilities(shrimp, tmp_path / "m.json", table)
    assert names == ["up, or so" if p > 0.5 else "down" for p in probability]
    scores = json.loads(shrimp("evaluate", tmp_path / "m.json", table, "--json", "-q").stdout)
    assert scores["accuracy"] == pytest.approx(np.mean((probability > 0.5) == (y == 1)))
    run = shrimp("fit", table, "--target", "y", *FAST, "--loss", "squared")
    assert run.returncode == 1 and '"y"' in run.stderr


@pytest.mark.parametrize("loss", ["logistic", "poisson", "huber"])
def test_inputs_may_be_categories_and_lack_cells(loss, shrimp, tmp_path):
    X, y = counts(200, 5)
    rows = [
        f"{'' if i % 9 == 0 else x[0]},{'high' if x[1] > 0 else 'low'},{y_i if loss != 'logistic' else float(y_i > 1)}"
        for i, (x, y_i) in enumerate(zip(X, y, strict=True))
    ]
    (tmp_path / "table.csv").write_text("\n".join(["x,kind,y", *rows]) + "\n")
    arguments = ["--target", "y", "--loss", loss, *FAST, "--output", tmp_path / "m.json"]
    run = shrimp("fit", tmp_path / "table.csv", *arguments)
    assert run.returncode == 0, run.stderr
    scores = json.loads(shrimp("evaluate", tmp_path / "m.json", tmp_path / "table.csv", "--json").stdout)
    assert scores["r2"] > 0.2


@pytest.fixture(scope="module")
def named(shrimp, folder):
    """Classes by name and counts over hours, each with a model, and rows to test it by."""
    def table(path, X, y, names):
        lines = [",".join([*map(str, x), *map(str, np.atleast_1d(value))]) for x, value in zip(X, y)]
        path.write_text("\n".join([names, *lines]) + "\n")

    for name, seed in (("train", 1), ("test", 2)):
        X, y = classes(200, seed)
        table(folder / f"named_{name}.csv", X, [["no", "yes"][int(value)] for value in y], "x1,x2,x3,bought")
        X, y = counts(200, seed, exposure=2.0)
        table(folder / f"calls_{name}.csv", X, np.column_stack([y.astype(int), np.full(200, 2.0)]), "x1,x2,x3,calls,hours")
    for name, *more in (("named", "--target", "bought", "--loss", "logistic"),
                        ("calls", "--target", "calls", "--loss", "poisson", "--exposure", "hours")):  # fmt: skip
        run = shrimp("fit", folder / f"{name}_train.csv", *more, *FAST, "--output", folder / f"{name}.json")
        assert run.returncode == 0, run.stderr
    return folder


@pytest.mark.parametrize(("name", "score", "words"), [
    ("named", "log_loss", "log loss on the test table named_test.csv"),
    ("calls", "deviance", "deviance on the test table calls_test.csv"),
])  # fmt: skip
def test_a_page_has_the_scores_that_evaluate_has(shrimp, named, name, score, words):
    found = json.loads(shrimp("evaluate", named / f"{name}.json", named / f"{name}_test.csv", "--json", "-q").stdout)
    run = shrimp("report", named / f"{name}.json", "--data", named / f"{name}_test.csv", "--output", named / "page.html")
    assert run.returncode == 0, run.stderr
    page = (named / "page.html").read_text()
    assert f"<b>{found[score]:.4g}</b><span>{words}" in page
    assert "R²" not in page and "nan" not in page.split("<script>")[0]


def test_a_page_of_classes_refuses_another_class_with_its_row(shrimp, named):
    lines = (named / "named_test.csv").read_text().splitlines()
    (named / "other.csv").write_text("\n".join([*lines[:4], "0,0,0,perhaps"]) + "\n")
    run = shrimp("report", named / "named.json", "--data", named / "other.csv", "--output", named / "none.html")
    assert run.returncode == 1 and 'other.csv row 4: "perhaps" is not one of the model\'s classes' in run.stderr
    assert not (named / "none.html").exists()


def test_equal_rows_count_as_often_as_they_are_there(shrimp, folder):
    lines = (folder / "train.csv").read_text().splitlines()
    (folder / "repeated.csv").write_text("\n".join([*lines, *lines[1:51]]) + "\n")
    options = ["--target", "y", "--loss", "logistic", *FAST, "--output", folder / "repeated.json"]
    assert shrimp("fit", folder / "repeated.csv", *options).returncode == 0
    assert "350 rows" in " ".join(shrimp("inspect", folder / "repeated.json").stdout.split())
    assert "fitted to 350 rows" in shrimp("report", folder / "repeated.json", "--output", "-").stdout


def write_words(path, first, second):
    x, noise = np.random.default_rng(1).uniform(size=(2, 80))
    words = np.where(x + 0.3 * noise < 0.6, first, second)
    path.write_text("x,ill\n" + "".join(f"{value:.4f},{word}\n" for value, word in zip(x, words)))
    return path


@pytest.mark.parametrize(("first", "second"), [("no", "yes"), ("false", "true"), ("benign", "malignant")])
def test_two_texts_are_classes_without_the_option(shrimp, tmp_path, first, second):
    table = write_words(tmp_path / "words.csv", first, second)
    model = tmp_path / "model.json"
    run = shrimp("fit", table, "--target", "ill", "--method", "auto", "--output", model)
    assert run.returncode == 0, run.stderr
    assert f"classes {first} and {second}" in run.stdout
    assert shrimp("predict", model, table).stdout.splitlines()[0] == "prediction,class"


def test_a_loss_that_is_given_decides_for_texts(shrimp, tmp_path):
    table = write_words(tmp_path / "words.csv", "no", "yes")
    run = shrimp("fit", table, "--target", "ill", "--method", "auto", "--loss", "squared", "--output", tmp_path / "m.json")
    assert run.returncode == 0 and "classes" not in run.stdout
    named = write_words(tmp_path / "named.csv", "benign", "malignant")
    run = shrimp("fit", named, "--target", "ill", "--method", "auto", "--loss", "squared", "--output", tmp_path / "m.json")
    assert run.returncode == 1 and "is not a number" in run.stderr


def test_numbers_stay_numbers_without_the_option(shrimp, tmp_path):
    table = write_words(tmp_path / "numbers.csv", "0", "1")
    run = shrimp("fit", table, "--target", "ill", "--method", "auto", "--output", tmp_path / "m.json")
    assert run.returncode == 0 and "classes" not in run.stdout
