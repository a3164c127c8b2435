import json
import re
import subprocess

import numpy as np
import pytest

from functions import write_csv
from model_matrix import matrix, predict, read_model

FIT_KEYS = [
    "schema_version",
    "method",
    "order",
    "features_drawn",
    "basis_functions_drawn",
    "basis_functions",
    "pruning_rate",
    "validation_mse",
    "validation_se",
    "train_mse",
    "validation_r2",
    "train_r2",
    "seconds",
    "threads",
    "device",
    "seed",
    "terms",
    "fraction_above_order_three",
    "lambda",
    "converged",
    "duality_gap",
    "transforms",
    "target_transform",
    "loss",
    "baseline_mean_mse",
    "baseline_linear_mse",
]
STEP_KEYS = ["step", "basis_functions", "rank", "train_mse", "validation_mse", "test_mse", "lambda_max", "lambda_min"]


@pytest.fixture
def run_json(shrimp):
    def run(command, *arguments, **keywords):
        process = shrimp(command, *arguments, "--json", "-q", **keywords)
        assert process.returncode == 0, process.stderr
        return json.loads(process.stdout)

    return run


@pytest.fixture
def fit_json(run_json, train):
    def fit(*options, table=train, **keywords):
        few = () if "--features" in options else ("--features", 60)
        return run_json("fit", table, "--target", "y", *few, *options, **keywords)

    return fit


@pytest.fixture
def path_json(run_json, train):
    def path(*options, table=train):
        few = () if "--features" in options else ("--features", 60)
        return run_json("path", table, "--target", "y", *few, *options)

    return path


@pytest.fixture
def other(tmp_path):
    """Rows of the same function that the fit does not see."""
    x = np.random.default_rng(2).uniform(-1, 1, (40, 3))
    path = tmp_path / "other.csv"
    write_csv(path, x, x[:, 0] * x[:, 1] + x[:, 2])
    return path


def test_fit_json_has_the_documented_keys(fit_json):
    result = fit_json("--seed", 5, "--threads", 1)
    assert list(result) == FIT_KEYS
    assert all(list(term) == ["variables", "basis_functions", "fraction", "p_value", "effect"] for term in result["terms"])


def test_fit_json_tells_what_was_done(fit_json):
    result = fit_json("--seed", 5, "--threads", 1)
    assert (result["method"], result["order"], result["seed"], result["threads"]) == ("shrimp", 2, 5, 1)
    assert result["pruning_rate"] == 0.2
    assert result["features_drawn"] == 60
    assert result["basis_functions_drawn"] == 120
    assert 1 <= result["basis_functions"] <= 120
    assert 0 <= result["validation_mse"] < 1e-3
    assert 0 <= result["train_mse"] < 1e-3
    assert result["seconds"] > 0


@pytest.mark.parametrize("options", [[], ["--order", "1-3"], ["--basis", "relu"], ["--method", "min-l2"]])
def test_terms_add_up(fit_json, options):
    result = fit_json(*options)
    assert sum(term["basis_functions"] for term in result["terms"]) == result["basis_functions"]
    assert sum(term["fraction"] for term in result["terms"]) == pytest.approx(1)
    shares = [term["fraction"] for term in result["terms"]]
    assert shares == sorted(shares, reverse=True)
    assert all(set(term["variables"]) <= {"x1", "x2", "x3"} for term in result["terms"])


def test_shares_are_those_of_the_function(fit_json, data):
    x, _ = data
    effects = {("x3",): x[:, 2].var(), ("x1", "x2"): (x[:, 0] * x[:, 1]).var()}
    terms = {tuple(term["variables"]): term["fraction"] for term in fit_json("--features", 300)["terms"]}
    for name, variance in effects.items():
        assert terms[name] == pytest.approx(variance / sum(effects.values()), abs=0.05)


def test_features_are_shared_evenly_over_the_supports(fit_json):
    # C(3,2) = 3 supports, floor(100/3) rows each.
    assert fit_json("--features", 100)["features_drawn"] == 99


def test_mixed_orders_are_reported_as_a_list(fit_json):
    assert fit_json("--order", "1-3")["order"] == [1, 2, 3]


def test_evaluate_json_agrees_with_numpy(run_json, predictions, model, data, train):
    result = run_json("evaluate", model, train, "--target", "y")
    error = predictions(model, train) - data[1]
    assert {"rows", "mse", "rmse", "mae", "r2"} <= set(result)
    assert result["rows"] == 60
    assert result["mse"] == pytest.approx(np.mean(error**2))
    assert result["rmse"] == pytest.approx(np.sqrt(np.mean(error**2)))
    assert result["mae"] == pytest.approx(np.mean(np.abs(error)))
    assert result["r2"] == pytest.approx(1 - np.mean(error**2) / np.var(data[1]))


def test_the_training_error_is_that_of_the_saved_model(fit_json, run_json, train, tmp_path):
    fitted = fit_json("--output", tmp_path / "model.json")
    evaluated = run_json("evaluate", tmp_path / "model.json", train, "--target", "y")
    assert fitted["train_mse"] == pytest.approx(evaluated["mse"], rel=1e-6)


def test_the_path_has_the_sizes_of_the_paper(path_json, tmp_path):
    x = np.random.default_rng(0).uniform(-1, 1, (20, 10))
    write_csv(tmp_path / "table.csv", x, x.sum(axis=1))
    path = path_json("--features", 10000, "--order", 1, table=tmp_path / "table.csv")
    sizes = [step["basis_functions"] for step in path["steps"]]
    assert sizes[:3] == [20000, 16000, 12800]
    assert (sizes[28], sizes[33], sizes[-1]) == (38, 12, 1)
    assert all(after == before - max(1, round(0.2 * before)) for before, after in zip(sizes, sizes[1:]))


@pytest.mark.parametrize("options", [[], ["--folds", "4"]])
def test_the_path_chooses_the_least_validation_error(path_json, fit_json, options):
    path = path_json(*options)
    assert {"steps", "chosen"} <= set(path)
    assert all(list(step) == STEP_KEYS for step in path["steps"])
    assert [step["step"] for step in path["steps"]] == list(range(len(path["steps"])))
    errors = [step["validation_mse"] for step in path["steps"]]
    assert path["chosen"] == int(np.argmin(errors))
    assert all(step["test_mse"] is None for step in path["steps"])
    fitted = fit_json(*options)
    assert fitted["basis_functions"] == path["steps"][path["chosen"]]["basis_functions"]
    assert fitted["validation_mse"] == min(errors)


def test_the_path_as_csv_says_the_same_as_json(shrimp, path_json, train, other):
    options = ["--test", other]
    path = path_json(*options)
    text = shrimp("path", train, "--target", "y", "--features", 60, "-q", *options).stdout
    header, *rows = (line.split(",") for line in text.splitlines())
    assert header[: len(STEP_KEYS)] == STEP_KEYS
    values = np.array([row[: len(STEP_KEYS)] for row in rows], float)
    assert (values == np.array([list(step.values()) for step in path["steps"]], float)).all()
    assert [row[-1] for row in rows].index("1") == path["chosen"]


def test_the_test_error_of_a_step_is_that_of_its_model(path_json, run_json, fit_model, train, other, tmp_path):
    # With rows to choose by in a file, nothing is fitted again after the path.
    options = ["--validation", other]
    path = path_json(*options, "--test", other)
    chosen = path["steps"][path["chosen"]]
    saved = fit_model(train, tmp_path / "model.json", *options)
    evaluated = run_json("evaluate", saved, other, "--target", "y")
    assert chosen["test_mse"] == pytest.approx(evaluated["mse"], rel=1e-6)
    assert chosen["validation_mse"] == pytest.approx(evaluated["mse"], rel=1e-6)


@pytest.mark.parametrize(
    "options, wide",
    [
        (["--features", 150, "--sigma2", 25], True),
        (["--features", 9, "--sigma2", 9], False),
        (["--features", 90, "--basis", "identity"], True),
        (["--features", 9, "--basis", "identity"], False),
    ],
)
def test_eigenvalues_and_rank_agree_with_numpy(path_json, fit_model, data, train, tmp_path, options, wide):
    # The first step has every column, fitted to every row where the rows to choose by are in a file.
    options = [*options, "--method", "min-l2", "--validation", train]
    A, _ = matrix(read_model(fit_model(train, tmp_path / "model.json", *options)), data[0])
    assert (A.shape[1] > A.shape[0]) == wide
    eigenvalues = np.linalg.eigvalsh(A @ A.T if wide else A.T @ A) / A.shape[1]
    (step,) = path_json(*options)["steps"]
    assert step["basis_functions"] == A.shape[1]
    assert step["rank"] == np.linalg.matrix_rank(A)
    assert step["lambda_max"] == pytest.approx(eigenvalues[-1], rel=1e-10)
    assert step["lambda_min"] == pytest.approx(eigenvalues[0], rel=1e-8, abs=1e-12 * eigenvalues[-1])


def test_inspect_names_terms_scaling_and_options(shrimp, model):
    text = shrimp("inspect", model).stdout
    for words in ["y from 3 inputs", "x3", "(x1, x2)", "%", "RMSE", "--features 60"]:
        assert words in text
    verbose = " ".join(shrimp("inspect", model, "-v").stdout.split())
    assert "seed 0" in verbose and "mean 0 and variance 1" in verbose


def test_inspect_tells_that_nothing_was_scaled(shrimp, fit_model, train, tmp_path):
    model = fit_model(train, tmp_path / "model.json", "--no-standardize")
    assert re.search(r"\n  scaling +none\n", shrimp("inspect", model, "-v").stdout)


def test_inspect_json_says_what_fit_json_said(shrimp, fit_json, tmp_path):
    fitted = fit_json("--output", tmp_path / "model.json")
    inspected = json.loads(shrimp("inspect", tmp_path / "model.json", "--json").stdout)
    for key in ["method", "basis_functions", "terms"]:
        assert inspected[key] == fitted[key]
    assert inspected["inputs"] == ["x1", "x2", "x3"]
    assert inspected["target"] == "y"
    assert inspected["options"]["features"] == "60"


def test_standardizing_is_stored_in_the_model(model, data):
    x, y = data
    scaling = read_model(model)["scaling"]
    assert scaling["input_mean"] == pytest.approx(x.mean(axis=0))
    assert scaling["input_scale"] == pytest.approx(x.std(axis=0))
    assert (scaling["target_mean"], scaling["target_scale"]) == (pytest.approx(y.mean()), pytest.approx(y.std()))


@pytest.mark.parametrize("command", ["fit", "path"])
def test_progress_goes_to_standard_error(shrimp, train, command):
    run = shrimp(command, train, "--target", "y", "--features", 20, "--json")
    json.loads(run.stdout)
    assert "basis functions" in run.stderr


@pytest.mark.parametrize("command", ["fit", "path"])
def test_quiet_says_nothing_beside_the_data(shrimp, train, command):
    run = shrimp(command, train, "--target", "y", "--features", 20, "-q")
    assert run.stdout
    assert run.stderr == ""


def test_help_is_data_and_lists_every_choice(shrimp):
    run = shrimp("fit", "--help-all")
    assert run.returncode == 0
    assert run.stderr == ""
    for word in ["min-l2", "fourier", "identity", "student-t", "sphere", "--no-standardize"]:
        assert word in run.stdout


def test_flags_go_over_variables_over_the_config_file(fit_json, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('seed = 7\norder = "1"\nprune = [0.3]\nno-standardize = true\n')
    from_file = ["--config", config]
    variables = {"SHRIMP_SEED": "8", "SHRIMP_ORDER": "2"}
    result = fit_json(*from_file)
    assert (result["seed"], result["order"], result["pruning_rate"]) == (7, 1, 0.3)
    result = fit_json(*from_file, variables=variables)
    assert (result["seed"], result["order"], result["pruning_rate"]) == (8, 2, 0.3)
    result = fit_json(*from_file, "--seed", 9, variables=variables)
    assert (result["seed"], result["order"], result["pruning_rate"]) == (9, 2, 0.3)


def test_a_flag_for_folds_goes_over_a_variable_for_validation(fit_json, other):
    expected = fit_json("--folds", 3)
    result = fit_json("--folds", 3, variables={"SHRIMP_VALIDATION": str(other)})
    assert result["validation_mse"] == expected["validation_mse"]


def test_a_flag_for_validation_goes_over_a_variable_for_folds(fit_json):
    expected = fit_json("--validation", 0.3)
    result = fit_json("--validation", 0.3, variables={"SHRIMP_FOLDS": "3"})
    assert result["validation_mse"] == expected["validation_mse"]


@pytest.mark.parametrize(
    "flag, key, candidates", [("--order", "order", [1, 2, 3]), ("--prune", "pruning_rate", [0.1, 0.2, 0.5])]
)
@pytest.mark.parametrize("selection", [[], ["--folds", 3]], ids=["held-out rows", "folds"])
def test_the_candidate_with_the_least_validation_error_is_kept(fit_json, flag, key, candidates, selection):
    alone = {value: fit_json(flag, value, *selection) for value in candidates}
    best = min(candidates, key=lambda value: alone[value]["validation_mse"])
    together = fit_json(flag, ",".join(map(str, candidates)), *selection)
    assert together[key] == best
    for same in ["validation_mse", "train_mse", "basis_functions", "terms"]:
        assert together[same] == alone[best][same]


def test_leaving_one_out_agrees_with_numpy(fit_json, data, tmp_path):
    # As many folds as rows leave no freedom to the split.
    x, y = data
    options = ["--method", "min-l2", "--features", 9, "--sigma2", 9, "--no-standardize", "--folds", 60]
    result = fit_json(*options, "--output", tmp_path / "model.json")
    A, _ = matrix(read_model(tmp_path / "model.json"), x)
    errors = []
    for k in range(len(y)):
        rows = np.arange(len(y)) != k
        c, *_ = np.linalg.lstsq(A[rows], y[rows], rcond=None)
        errors.append(A[k] @ c - y[k])
    assert result["validation_mse"] == pytest.approx(np.mean(np.square(errors)), rel=1e-6)


def test_the_model_tells_how_its_rows_were_chosen_by(fit_model, train, other, tmp_path):
    model = fit_model(train, tmp_path / "model.json", "--validation", other)
    assert read_model(model)["options"]["validation"] != "0.1"


def test_min_l2_keeps_every_column(fit_json):
    result = fit_json("--method", "min-l2")
    assert result["method"] == "min-l2"
    assert result["basis_functions"] == result["basis_functions_drawn"] == 120
    assert result["pruning_rate"] is None


@pytest.mark.parametrize("basis", ["fourier", "cos", "sin", "relu", "tanh", "identity"])
@pytest.mark.parametrize("law", ["normal", "uniform", "cauchy", "student-t", "sphere"])
def test_every_basis_and_law_predicts_what_numpy_does(fit_model, predictions, data, train, tmp_path, basis, law):
    model = fit_model(train, tmp_path / "model.json", "--basis", basis, "--frequency-distribution", law, "--order", "1-2")
    content = read_model(model)
    error = np.abs(predictions(model, train) - predict(content, data[0])).max()
    # What rounding may do: large coefficients cancel, and large arguments lose their last digits.
    _, c = matrix(content, data[0])
    largest = max(np.abs(feature["weights"]).sum() for feature in content["features"])
    assert error < 10 * np.finfo(float).eps * np.abs(c).sum() * (1 + 2 * largest)


def test_predictions_go_to_a_file_as_to_standard_output(shrimp, model, train, tmp_path):
    run = shrimp("predict", model, train, "--output", tmp_path / "out.csv")
    assert run.stdout == ""
    assert (tmp_path / "out.csv").read_text() == shrimp("predict", model, train).stdout


def test_the_options_page_is_what_the_code_says(repository, binary):
    page = binary.parents[1] / "docs" / "options_page"
    if not page.exists():
        pytest.skip("the page's generator was not built")
    assert subprocess.check_output([page], text=True) == (repository / "docs" / "reference" / "options.md").read_text()
