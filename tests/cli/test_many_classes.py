"""Targets of more than two classes, through the command line."""

import csv
import io
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

AUTO = ["--method", "auto"]
FAST = [*AUTO, "--quick-error", "--max-order", 1, "--transform", "none", "-q"]
NAMES = ["setosa", "versicolor", "virginica"]


def write(path, X, names, columns=("a", "b", "c", "d"), target="species"):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*columns[: X.shape[1]], target])
        writer.writerows([*map(float, row), name] for row, name in zip(X, names))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("classes")
    X, y = load_iris(return_X_y=True)
    names = np.array(NAMES)[y]
    write(folder / "train.csv", X[::2], names[::2])
    write(folder / "test.csv", X[1::2], names[1::2])
    return folder


@pytest.fixture(scope="module")
def model(shrimp, folder):
    run = shrimp("fit", folder / "train.csv", "--target", "species", *FAST, "--output", folder / "m.json")
    assert run.returncode == 0, run.stderr
    return folder / "m.json"


def predictions(shrimp, model, table):
    rows = list(csv.DictReader(io.StringIO(shrimp("predict", model, table, "-q").stdout)))
    return [row["class"] for row in rows], np.array([[float(row[f"probability({name})"]) for name in NAMES] for row in rows])


def test_a_target_of_texts_is_fitted_as_classes_and_a_line_says_so(shrimp, folder, tmp_path):
    options = [*AUTO, "--quick-error", "--max-order", 1]
    run = shrimp("fit", folder / "train.csv", "--target", "species", *options, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert 'shrimp: target: 3 classes in "species", so the loss is multinomial\n' in run.stderr
    text = " ".join(run.stdout.split())
    assert "3 classes" in text and "classes setosa, versicolor, virginica; predictions are their probabilities" in text
    assert json.loads((tmp_path / "m.json").read_text())["classes"] == NAMES


def test_predict_writes_the_most_probable_class_and_probabilities_that_sum_to_one(shrimp, model, folder):
    names, P = predictions(shrimp, model, folder / "test.csv")
    assert np.allclose(P.sum(axis=1), 1)
    assert names == [NAMES[k] for k in P.argmax(axis=1)]


def test_evaluate_prints_the_scores_of_scikit_learn(shrimp, model, folder):
    names, P = predictions(shrimp, model, folder / "test.csv")
    y = np.array(NAMES)[load_iris().target[1::2]]
    scores = json.loads(shrimp("evaluate", model, folder / "test.csv", "--json", "-q").stdout)
    assert scores["log_loss"] == pytest.approx(log_loss(y, P)) and scores["log_loss"] < 0.25
    assert scores["accuracy"] == pytest.approx(accuracy_score(y, names))
    assert scores["auc"] == pytest.approx(roc_auc_score(y, P, multi_class="ovr"))
    assert scores["brier"] == pytest.approx(np.mean(np.sum((P - (y[:, None] == NAMES)) ** 2, axis=1)))
    right = np.array(names) == y
    bins = np.array_split(np.argsort(P.max(axis=1), kind="stable"), 10)
    assert scores["calibration_error"] == pytest.approx(
        sum(abs(right[rows].sum() - P.max(axis=1)[rows].sum()) for rows in bins) / len(y), abs=0.01
    )
    text = shrimp("evaluate", model, folder / "test.csv", "-q").stdout
    assert [line.rsplit("  ", 1)[0].strip() for line in text.splitlines()] == [
        "rows", "log loss", "AUC", "accuracy", "calibration error", "Brier score",
    ]  # fmt: skip


def test_an_unknown_class_is_refused_with_its_row_and_name(shrimp, model, folder, tmp_path):
    X = load_iris().data[:3]
    write(tmp_path / "new.csv", X, ["setosa", "rose", "setosa"])
    run = shrimp("evaluate", model, tmp_path / "new.csv")
    assert run.returncode == 1
    assert 'new.csv row 2: "rose" is not one of the model\'s classes, setosa, versicolor, virginica.\n' in run.stderr


def test_inspect_lists_the_terms_with_their_fraction_in_each_class(shrimp, model):
    told = json.loads(shrimp("inspect", model, "--json").stdout)
    assert told["classes"] == NAMES
    for name in NAMES:
        assert sum(term["fractions"][name] for term in told["terms"]) == pytest.approx(1)
    assert sum(term["fraction"] for term in told["terms"]) == pytest.approx(1)
    assert "nan" not in shrimp("inspect", model, "--verbose").stdout.lower()


def test_a_class_is_described_by_its_linear_predictor(shrimp, model, folder):
    _, P = predictions(shrimp, model, folder / "test.csv")
    predictors = []
    for name in NAMES:
        rows = list(csv.DictReader(io.StringIO(shrimp("explain", model, folder / "test.csv", "--class", name, "-q").stdout)))
        values = np.array([[float(cell) for cell in row.values()] for row in rows])
        np.testing.assert_allclose(values[:, :-1].sum(axis=1), values[:, -1], atol=1e-9)
        predictors.append(values[:, -1])
    predictors = np.column_stack(predictors)
    np.testing.assert_allclose(predictors.sum(axis=1), 0, atol=1e-9)
    odds = np.exp(predictors - predictors.max(axis=1, keepdims=True))
    np.testing.assert_allclose(odds / odds.sum(axis=1, keepdims=True), P, atol=1e-12)


@pytest.mark.parametrize("verb", [["sensitivity"], ["export", "--to", "latex"], ["report"]])
def test_verbs_for_one_linear_predictor_take_a_class_and_list_the_classes(shrimp, model, verb, tmp_path):
    run = shrimp(verb[0], model, *verb[1:], "--class", "virginica")
    assert run.returncode == 0 and "virginica" in run.stdout and "NaN" not in run.stdout
    for wrong, problem in ((["--class", "rose"], 'has no class "rose"'), ([], "has a linear predictor for each class")):
        run = shrimp(verb[0], model, *verb[1:], *wrong)
        assert run.returncode == 2 and problem in run.stderr
        assert "Give --class with one of setosa, versicolor, virginica." in run.stderr


def test_a_report_of_a_class_names_its_commands_and_takes_no_test_rows(shrimp, model, folder):
    page = shrimp("report", model, "--class", "setosa").stdout
    assert "--target species" in page and "--class setosa" in page and "log loss of all classes" in page
    run = shrimp("report", model, "--class", "setosa", "--data", folder / "test.csv")
    assert run.returncode == 2 and "use shrimp evaluate" in run.stderr


def test_verbs_of_sufficient_statistics_are_refused_in_words(shrimp, model, folder, tmp_path):
    calls = [
        ["summarize", model, folder / "train.csv", "--output", tmp_path / "s"],
        ["simplify", model, "--data", folder / "train.csv", "--terms", 2, "--output", tmp_path / "n.json"],
        ["merge", model, tmp_path / "s", "--output", tmp_path / "n.json"],
        ["fit", folder / "train.csv", "--target", "species", *AUTO, "--output", tmp_path / "n.json", "--summary", tmp_path / "s"],
    ]
    for call in calls:
        run = shrimp(*call)
        assert run.returncode in (1, 2) and "loss multinomial" in run.stderr, call
    run = shrimp("compare", folder / "train.csv", "--target", "species", "--methods", "auto,lasso")
    assert run.returncode == 2 and "compare does not apply to loss multinomial" in run.stderr
    run = shrimp("predict", model, folder / "test.csv", "--interval", 0.9)
    assert run.returncode == 2 and "loss multinomial and predicts probabilities" in run.stderr


def test_two_texts_stay_a_model_of_two_classes(shrimp, folder, tmp_path):
    X, y = load_iris(return_X_y=True)
    for names in (["no", "yes"], ["false", "true"], ["ham", "spam"]):
        write(tmp_path / "two.csv", X[:, :2], np.array(names)[(y == 0).astype(int)])
        options = [*AUTO, "--quick-error", "--max-order", 1, "--output", tmp_path / "m.json"]
        run = shrimp("fit", tmp_path / "two.csv", "--target", "species", *options)
        assert run.returncode == 0 and "2 classes" in run.stderr and "so the loss is logistic" in run.stderr
        assert shrimp("predict", tmp_path / "m.json", tmp_path / "two.csv", "-q").stdout.startswith("prediction,class\n")


def test_whole_numbers_stay_numbers_with_a_line_of_advice(shrimp, folder, tmp_path):
    X, y = load_iris(return_X_y=True)
    for values, loss in ((y, "multinomial"), (y > 0, "logistic")):
        write(tmp_path / "t.csv", X[:, :2], values.astype(int))
        run = shrimp("fit", tmp_path / "t.csv", "--target", "species", *AUTO, "--quick-error", "--max-order", 1)
        assert run.returncode == 0 and f"values are classes, give --loss {loss}\n" in run.stderr
    run = shrimp("fit", tmp_path / "t.csv", "--target", "species", *FAST)
    assert "classes" not in run.stderr


def test_numbers_are_classes_if_the_loss_is_multinomial(shrimp, tmp_path):
    X, y = load_iris(return_X_y=True)
    write(tmp_path / "t.csv", X, y + 4)
    run = shrimp("fit", tmp_path / "t.csv", "--target", "species", "--loss", "multinomial", *FAST, "--json")
    told = json.loads(run.stdout)
    assert told["loss"] == "multinomial" and told["classes"] == ["4", "5", "6"]
    assert 0 < told["train_log_loss"] < 0.2 and told["validation_log_loss"] < 0.3


BAD = {
    "one class": (["a"] * 30, ["only the class a", "Give rows of two classes"]),
    "a class of one row": (["a"] * 14 + ["b"] * 15 + ["c"], ['class c of "species" has 1 row', "Give more rows of this class"]),
    "a missing class": (["a"] * 10 + ["b"] * 10 + ["c"] * 9 + [""], ["the class is missing", "Drop the row"]),
}


@pytest.mark.parametrize("names, parts", BAD.values(), ids=BAD.keys())
def test_bad_classes_are_refused_with_problem_place_and_fix(shrimp, tmp_path, names, parts):
    write(tmp_path / "bad.csv", np.random.default_rng(0).uniform(size=(30, 2)), names)
    run = shrimp("fit", tmp_path / "bad.csv", "--target", "species", "--loss", "multinomial", *FAST)
    assert run.returncode == 1 and "bad.csv" in run.stderr
    for part in parts:
        assert part in run.stderr, run.stderr


def test_other_methods_and_exposures_are_refused(shrimp, folder):
    run = shrimp("fit", folder / "train.csv", "--target", "species", "--loss", "multinomial", "--method", "lasso")
    assert run.returncode == 2 and "loss has no effect on method lasso" in run.stderr
    run = shrimp("fit", folder / "train.csv", "--target", "species", "--loss", "multinomial", *AUTO, "--exposure", "d")
    assert run.returncode == 2 and "exposure applies to counts" in run.stderr


def test_the_model_file_does_not_depend_on_the_number_of_threads(shrimp, folder, tmp_path):
    files = []
    for threads in (1, 3):
        path = tmp_path / f"m{threads}.json"
        options = [*AUTO, "--max-order", 2, "-q", "--threads", threads, "--output", path]
        assert shrimp("fit", folder / "train.csv", "--target", "species", *options).returncode == 0
        files.append(path.read_text())
    assert files[0] == files[1]


def test_a_weight_of_two_is_the_row_twice(shrimp, tmp_path):
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], y[::3]
    twice = np.arange(len(y)) % 2 == 0
    names = np.array(NAMES)
    write(tmp_path / "repeated.csv", np.vstack([X, X[twice]]), names[np.append(y, y[twice])])
    write(tmp_path / "weighted.csv", np.column_stack([X, 1 + twice]), names[y], ("a", "b", "c", "d", "w"))
    shrimp("fit", tmp_path / "repeated.csv", "--target", "species", *FAST, "--output", tmp_path / "r.json")
    shrimp("fit", tmp_path / "weighted.csv", "--target", "species", "--weights", "w", *FAST, "--output", tmp_path / "w.json")
    r, w = (json.loads((tmp_path / name).read_text()) for name in ("r.json", "w.json"))
    assert r["results"]["train_log_loss"] == pytest.approx(w["results"]["train_log_loss"], rel=1e-9)


def test_categories_and_missing_cells_are_inputs_of_all_classes(shrimp, tmp_path):
    random = np.random.default_rng(0)
    colour = random.choice(["red", "green", "blue"], 240)
    x = random.normal(size=240)
    names = np.where(random.uniform(size=240) < 0.8, colour, np.where(x > 0, "blue", "red"))
    rows = [f"{'' if i % 9 == 0 else x[i]},{colour[i]},{names[i]}" for i in range(240)]
    (tmp_path / "t.csv").write_text("\n".join(["x,colour,paint", *rows]) + "\n")
    run = shrimp("fit", tmp_path / "t.csv", "--target", "paint", *FAST, "--output", tmp_path / "m.json")
    assert run.returncode == 0, run.stderr
    assert json.loads(shrimp("evaluate", tmp_path / "m.json", tmp_path / "t.csv", "--json", "-q").stdout)["accuracy"] > 0.75


def test_a_time_budget_ends_with_a_model(shrimp, folder, tmp_path):
    options = [*AUTO, "--budget", "0.001s", "-q", "--output", tmp_path / "m.json"]
    run = shrimp("fit", folder / "train.csv", "--target", "species", *options)
    assert run.returncode == 0, run.stderr
    assert shrimp("predict", tmp_path / "m.json", folder / "test.csv", "-q").returncode == 0
