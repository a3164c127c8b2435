"""Models: files shared with the command line, terms, gradients, formulas, copies."""

import copy
import json
import pickle
import re

import joblib
import numpy as np
import pandas
import pytest
from estimators import REGRESSORS
from functions import write_csv
from shrimp import LassoRegressor, ShrimpRegressor
from shrimp._parameters import table
from shrimp._summary import describe_html
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

by_name = pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda estimator: type(estimator).__name__)


@by_name
def test_a_model_fitted_in_python_predicts_the_same_bits_in_the_command_line(estimator, data, shrimp_program, tmp_path):
    X, y = data
    write_csv(tmp_path / "data.csv", X, y)
    fitted = clone(estimator).fit(X, y)
    fitted.save(tmp_path / "model.json")
    printed = shrimp_program("predict", tmp_path / "model.json", tmp_path / "data.csv").split()[1:]
    assert np.array_equal(np.array(printed, float), fitted.predict(X))


@by_name
def test_a_model_fitted_by_the_command_line_predicts_the_same_bits_in_python(estimator, data, shrimp_program, tmp_path):
    X, y = data
    write_csv(tmp_path / "data.csv", X, y)
    texts = estimator._texts()
    options = [f"--{name}={text}" for name, text in texts.items() if text not in ("true", "false", "auto")]
    shrimp_program("fit", tmp_path / "data.csv", "--target", "y", "--output", tmp_path / "model.json", "-q", *options)
    printed = shrimp_program("predict", tmp_path / "model.json", tmp_path / "data.csv").split()[1:]
    loaded = type(estimator).load(tmp_path / "model.json")
    assert np.array_equal(loaded.predict(X), np.array(printed, float))
    assert loaded.terms_["fraction"].sum() == pytest.approx(1)


def test_equal_fits_of_both_are_equal_files(data, shrimp_program, tmp_path):
    X, y = data
    write_csv(tmp_path / "data.csv", X, y)
    shrimp_program(
        "fit", tmp_path / "data.csv", "--target", "y", "--order", "1-2", "--features", 200, "--method", "shrimp",
        "--output", tmp_path / "cli.json", "-q",
    )  # fmt: skip
    ShrimpRegressor(method="shrimp", order="1-2", features=200).fit(X, y).save(tmp_path / "python.json")
    assert (tmp_path / "cli.json").read_bytes() == (tmp_path / "python.json").read_bytes()


def test_saving_and_loading_gives_the_model_and_its_parameters_back(data, fitted, tmp_path):
    X, _ = data
    fitted.save(tmp_path / "model.json")
    loaded = ShrimpRegressor.load(tmp_path / "model.json")
    assert np.array_equal(loaded.predict(X), fitted.predict(X))
    assert loaded.order == "1-2" and loaded.features == 300 and loaded.method == "shrimp" and loaded.standardize is True
    assert loaded.validation_mse_ == fitted.validation_mse_
    pandas.testing.assert_frame_equal(loaded.terms_, fitted.terms_)
    with pytest.raises(AttributeError, match="path"):
        loaded.path_
    assert np.array_equal(clone(loaded).fit(*data).predict(X), fitted.predict(X))


def test_the_error_of_noisy_tables_has_its_standard_error(tmp_path):
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (200, 3))
    y = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * random.normal(size=200)
    fitted = ShrimpRegressor().fit(X, y)
    assert fitted.validation_mse_ == pytest.approx(0.09, rel=0.5)
    assert fitted.validation_se_ == pytest.approx(0.09 * np.sqrt(2 / 200), rel=0.6)  # The standard error of a mean of squares of normal numbers.
    rmse = np.sqrt(fitted.validation_mse_)
    assert f"estimated error: RMSE {rmse:.3g} ± {fitted.validation_se_ / (2 * rmse):.1g} (mean" in fitted._repr_html_()
    fitted.save(tmp_path / "model.json")
    assert ShrimpRegressor.load(tmp_path / "model.json").validation_se_ == fitted.validation_se_
    quick = ShrimpRegressor(quick_error=True).fit(X, y)
    assert quick.validation_se_ is None
    assert np.array_equal(quick.predict(X), fitted.predict(X))


def test_loading_another_methods_model_is_refused(fitted, tmp_path):
    fitted.save(tmp_path / "model.json")
    with pytest.raises(ValueError, match="contains a model of method 'shrimp', but LassoRegressor is for 'lasso'"):
        LassoRegressor.load(tmp_path / "model.json")


def test_a_damaged_file_is_refused_with_the_words_of_the_command_line(fitted, tmp_path):
    fitted.save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    half = text[: len(text) // 2]
    (tmp_path / "model.json").write_text(half)
    with pytest.raises(ValueError, match=f"model.json is damaged: it is truncated in line {half.count(chr(10)) + 1}.\n"):
        ShrimpRegressor.load(tmp_path / "model.json")


@pytest.mark.parametrize("content", [b"", b"x1,y\n1,2\n", b'{"cells": []}', b"<!DOCTYPE html>", b"\x89PNG\0\xff"])
def test_a_file_that_is_no_model_is_refused_as_by_the_command_line(content, tmp_path):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="^.*other.json is not a model file.\nGive a file that [^\n]* wrote.$"):
        ShrimpRegressor.load(path)


def test_a_folder_is_no_model(tmp_path):
    with pytest.raises(ValueError, match="is not a model file but a folder.\nGive a file"):
        ShrimpRegressor.load(tmp_path)


def test_a_file_that_cannot_be_written_is_an_os_error(fitted, tmp_path):
    with pytest.raises(OSError, match="missing"):
        fitted.save(tmp_path / "missing" / "model.json")


@by_name
def test_term_predictions_sum_to_the_prediction(estimator, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    parts = fitted.predict_terms(X)
    assert list(parts.columns) == ["intercept", *fitted.terms_["term"]]
    assert np.ptp(parts["intercept"]) <= 1e-9
    assert parts.sum(axis=1).to_numpy() == pytest.approx(fitted.predict(X), abs=1e-9)


def test_variances_of_contributions_are_the_fractions_of_the_terms(data, fitted):
    variances = fitted.predict_terms(data[0]).drop(columns="intercept").var(ddof=0)
    assert (variances / variances.sum()).to_numpy() == pytest.approx(fitted.terms_["fraction"].to_numpy(), abs=1e-9)


def test_terms_find_what_is_there(fitted):
    terms = fitted.terms_
    assert set(terms["term"][:2]) == {"x1", "(x2, x3)"}
    assert terms["fraction"][:2].sum() > 0.99
    assert terms["inputs"][terms["term"] == "(x2, x3)"].item() == ("x2", "x3")


@by_name
def test_the_gradient_is_the_limit_of_differences(estimator, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    slopes = fitted.gradient(X[:20])
    step = 1e-5
    for j in range(X.shape[1]):
        shift = step * np.eye(X.shape[1])[j]
        differences = (fitted.predict(X[:20] + shift) - fitted.predict(X[:20] - shift)) / (2 * step)
        assert slopes[:, j] == pytest.approx(differences, abs=1e-4)


def names_read(text, names):
    """The formula with names between backquotes, those within doubled, replaced by x0, x1, …: a plain scanner."""
    plain = {}
    out = ""
    k = 0
    while k < len(text):
        if text[k] != "`":
            out += text[k]
            k += 1
            continue
        name = ""
        k += 1
        while text[k] != "`" or text[k : k + 2] == "``":
            k += 2 if text[k] == "`" else 1
            name += text[k - 1]
        k += 1
        plain[name] = f"quoted_{names.index(name)}"
        out += plain[name]
    return out, plain


def value_of(equation, X, names=None, target="y"):
    """The equation read as Python: behind # and in the lines that say what is left out stand words."""
    names = names or [f"x{j + 1}" for j in range(X.shape[1])]
    text, quoted = names_read(equation, [*names, target])
    left, formula = text.split(" = ")
    assert left == quoted.get(target, target)
    lines = [line for line in formula.splitlines() if not line.startswith("  + (")]
    formula = "".join(line.partition("#")[0] for line in lines)
    functions = {"cos": np.cos, "sin": np.sin, "exp": np.exp, "tanh": np.tanh, "max": np.maximum}
    functions |= {"step": lambda t: np.where(t > 0, 1.0, 0.0)}
    inputs = {quoted.get(name, name): X[:, j] for j, name in enumerate(names)}
    return eval(formula.replace("^", "**"), inputs | functions | {"e1": lambda *values: sum(values)})


@by_name
def test_the_equation_is_the_model(estimator, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    assert value_of(fitted.equation(digits=17), X) == pytest.approx(fitted.predict(X), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("basis", table()["basis"].range.split(", "))
def test_the_equation_of_every_basis_is_the_model(basis, data):
    X, y = data
    fitted = ShrimpRegressor(method="shrimp", basis=basis, features=100).fit(X, y)
    assert value_of(fitted.equation(digits=17), X) == pytest.approx(fitted.predict(X), rel=1e-7, abs=1e-7)


NAMES = ["room size", "a*b", "Höhe (m)", "say \"`x`\""]


@pytest.mark.parametrize("names", [NAMES, ["cos", "e2", "exp", "1st"], ["`", "``", "x − y", "a\\"]])
def test_every_name_is_one_name_in_the_equation(names, data):
    X, y = data
    y = pandas.Series(y, name="drift = `y`")
    fitted = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(pandas.DataFrame(X, columns=names), y)
    prediction = fitted.predict(pandas.DataFrame(X, columns=names))
    whole = fitted.equation(17).replace("drift = `", "drift : `")
    assert value_of(whole, X, names, "drift : `y`") == pytest.approx(prediction, rel=1e-7, abs=1e-7)


def test_plain_names_stand_as_they_are(data):
    X, y = data
    fitted = LassoRegressor().fit(pandas.DataFrame(X, columns=["speed_1", "B", "_c", "d"]), y)
    assert "`" not in fitted.equation()


@pytest.fixture(scope="module")
def noisy():
    """300 noisy rows of ten inputs, five of them idle (Friedman 1991)."""
    from sklearn.datasets import make_friedman1

    return make_friedman1(300, noise=1, random_state=0)


@pytest.fixture(scope="module")
def fitted_to_noise(noisy):
    return ShrimpRegressor().fit(*noisy)


def test_the_formula_of_some_terms_is_what_a_person_can_read(fitted_to_noise):
    fitted = fitted_to_noise
    text = fitted.equation(terms=3)
    lines = text.splitlines()
    assert len(text) < 500
    assert len(lines) == 5
    for line, (_, term) in zip(lines[1:4], fitted.terms_.iterrows()):
        assert f"# {term['term']}: {100 * term['fraction']:.3g} % of the variance" in line
    rest = fitted.terms_["fraction"][3:].sum()
    assert lines[-1] == f"  + ({len(fitted.terms_) - 3} more terms, omitted: {100 * rest:.2g} % of the variance)"
    assert all(len(number.replace(".", "")) <= 4 for number in re.findall(r"(?<![\w.^])\d+\.\d+", text.split("#")[0]))


def test_the_formula_of_some_terms_is_short_where_the_model_is_long():
    from sklearn.datasets import make_friedman1

    fitted = ShrimpRegressor().fit(*make_friedman1(300, noise=0, random_state=0))
    assert len(fitted.equation(terms=3)) < 500 < len(fitted.equation()) / 5


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_lines_of_a_short_formula_are_the_terms_to_its_digits(digits, noisy, fitted_to_noise):
    X, _ = noisy
    parts = fitted_to_noise.predict_terms(X)
    shown = value_of(fitted_to_noise.equation(digits, terms=4), X)
    assert shown == pytest.approx(parts.iloc[:, :5].sum(axis=1).to_numpy(), abs=4 * 10.0 ** (1 - digits) * parts.std().max())


def test_a_line_is_written_as_a_line_and_a_product_as_a_product():
    X = np.random.default_rng(0).uniform(1, 3, (200, 4))
    y = 5 * X[:, 0] + 2 * X[:, 1] * X[:, 2]
    text = ShrimpRegressor().fit(X, y).equation(terms=4)
    assert "+ 5*x1  #" in text
    assert re.search(r"\+ 2\*\(x2 - [12][.\d]*\)\*\(x3 - [12][.\d]*\)  # \(x2, x3\)", text)
    assert value_of(text, X) == pytest.approx(y, abs=0.05)


@by_name
def test_every_method_has_a_short_formula_with_its_precision(estimator, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    parts = fitted.predict_terms(X)
    for line in fitted.equation(terms=3).splitlines()[1:]:
        if line.startswith("  + ("):
            continue
        formula, note = line.split("  # ")
        term = parts[note.rpartition(": ")[0]]
        within = re.search("to within (.*) %", note)
        error = value_of("y = 0 " + formula.strip(), X) - term
        assert np.std(error) <= 2 * np.std(term) * (float(within[1]) / 100 if within else 0.01)


def test_a_formula_of_no_terms_is_refused(fitted):
    with pytest.raises(ValueError, match="terms 0 is not allowed"):
        fitted.equation(terms=0)
    with pytest.raises(ValueError, match="digits 0 is not allowed"):
        fitted.equation(0, terms=2)


def test_a_constant_has_a_short_formula(data):
    with pytest.warns(UserWarning, match="same value"):
        fitted = ShrimpRegressor().fit(data[0], np.full(len(data[0]), 2.5))
    assert fitted.equation(terms=3) == "y = 2.5"


def test_terms_have_an_order_and_a_p_value(fitted_to_noise, fitted):
    terms = fitted_to_noise.terms_
    assert list(terms.columns) == ["term", "inputs", "order", "fraction", "p_value", "basis_functions"]
    assert list(terms["order"]) == [len(inputs) for inputs in terms["inputs"]]
    assert terms["p_value"].dtype == float and terms["p_value"][0] < 1e-6
    assert fitted.terms_["p_value"].isna().all()


def test_an_input_called_intercept_is_not_the_intercept(data):
    X, y = data
    frame = pandas.DataFrame(X, columns=["intercept", "a", "b", "c"])
    parts = ShrimpRegressor(features=100).fit(frame, y).predict_terms(frame)
    assert parts.columns.is_unique and parts.columns[0] == "(intercept)"
    assert np.ptp(parts["(intercept)"]) == 0 and np.ptp(parts["intercept"]) > 1


def test_an_input_called_as_a_pair_is_not_the_pair(data):
    X, y = data
    frame = pandas.DataFrame(X, columns=["(a, b)", "a", "b", "c"])
    fitted = ShrimpRegressor(features=100).fit(frame, y)
    parts = fitted.predict_terms(frame)
    assert parts.columns.is_unique and list(parts.columns[1:]) == list(fitted.terms_["term"])
    assert {"`(a, b)`", "(a, b)"} <= set(parts.columns)
    inputs = dict(zip(fitted.terms_["term"], fitted.terms_["inputs"]))
    assert inputs["`(a, b)`"] == ("(a, b)",) and inputs["(a, b)"] == ("a", "b")


SET = [
    ShrimpRegressor(),
    ShrimpRegressor(max_order=2, include=["x1*x2", "x3"], exclude=["x4"], one_se=True, clip=None, budget=None),
    ShrimpRegressor(clip=0, budget="30s", random_state=7, ridge=0.01),
    ShrimpRegressor(method="shrimp", order=2, features=60, prune=[0.1, 0.3], sigma2=0.5, standardize=False),
    ShrimpRegressor(method="shrimp", order=[1, 2], features=60, basis="cos", frequency_distribution="student-t", dof=5, ridge="gcv"),
    ShrimpRegressor(method="shrimp", order="1-2", features=60, folds=3, validation=0.2),
    LassoRegressor(alpha=[0.1, 0.01], tolerance=1e-4),
    *REGRESSORS,
]


@pytest.mark.parametrize("estimator", SET, ids=repr)
def test_a_loaded_model_shows_what_was_set_and_no_more(estimator, data, tmp_path):
    fitted = clone(estimator).fit(*data)
    fitted.save(tmp_path / "model.json")
    assert repr(type(estimator).load(tmp_path / "model.json")) == repr(fitted)


def test_a_model_of_the_command_line_shows_what_was_set_there(data, shrimp_program, tmp_path):
    write_csv(tmp_path / "data.csv", *data)
    options = ["--features", 60, "--method", "shrimp", "--order", "1,2", "--seed", 3, "--threads", 1]
    shrimp_program("fit", tmp_path / "data.csv", "--target", "y", "--output", tmp_path / "model.json", "-q", *options)
    loaded = ShrimpRegressor.load(tmp_path / "model.json")
    assert repr(loaded) == repr(ShrimpRegressor(method="shrimp", order=[1, 2], features=60, random_state=3))


def test_files_without_the_given_options_are_loaded_with_every_option(fitted, data, tmp_path):
    content = json.loads(fitted.model_.to_json())
    del content["given"]
    (tmp_path / "model.json").write_text(json.dumps(content))
    loaded = ShrimpRegressor.load(tmp_path / "model.json")
    assert (loaded.method, loaded.features, loaded.basis) == ("shrimp", 300, "fourier")
    assert np.array_equal(loaded.predict(data[0]), fitted.predict(data[0]))


def test_the_path_is_a_table_with_one_chosen_step(fitted):
    path = fitted.path_
    chosen = path[path["chosen"]]
    assert len(chosen) == 1
    assert chosen["basis_functions"].item() == fitted.n_basis_functions_
    assert chosen["validation_mse"].item() == path["validation_mse"].min()
    assert path["basis_functions"].is_monotonic_decreasing


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_predict_the_same(duplicate, data, fitted):
    double = duplicate(fitted)
    assert np.array_equal(double.predict(data[0]), fitted.predict(data[0]))
    pandas.testing.assert_frame_equal(double.path_, fitted.path_)
    assert double.get_params() == fitted.get_params()


def test_joblib_dumps_and_loads(data, fitted, tmp_path):
    joblib.dump(fitted, tmp_path / "model.joblib")
    assert np.array_equal(joblib.load(tmp_path / "model.joblib").predict(data[0]), fitted.predict(data[0]))


@pytest.mark.parametrize("what", ["terms_", "path_", "predict", "predict_terms", "gradient", "equation", "save"])
def test_nothing_is_read_before_the_fit(what, data):
    with pytest.raises(NotFittedError):
        asked = getattr(ShrimpRegressor(), what)
        asked(*([] if what == "equation" else ["file"] if what == "save" else [data[0]]))


def test_the_model_file_knows_the_names_of_dataframes(data, tmp_path):
    X, y = data
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    ShrimpRegressor(features=50).fit(frame, pandas.Series(y, name="yield")).save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    assert content["inputs"] == ["a", "b", "c", "d"]
    assert content["target"] == "yield"
    assert list(ShrimpRegressor.load(tmp_path / "model.json").feature_names_in_) == ["a", "b", "c", "d"]


def test_notebooks_show_the_terms(fitted):
    page = fitted._repr_mimebundle_()["text/html"]
    assert "(x2, x3)" in page and f"{fitted.n_basis_functions_} basis functions" in page
    assert "p-value" not in page
    assert "shrimp-summary" not in ShrimpRegressor()._repr_mimebundle_()["text/html"]


def test_notebooks_show_the_p_value_and_r2_if_they_are_known(fitted_to_noise):
    fitted = fitted_to_noise
    assert "<th>p-value</th>" in fitted._repr_mimebundle_()["text/html"]

    class Known:
        def __init__(self, **results):
            self.results = results

        def __getattr__(self, name):
            return getattr(fitted.model_, name)

    errors = {"rows": 300, "validation_mse": 0.5, "train_mse": 0.25}
    assert "R²" not in describe_html(Known(**errors))
    page = describe_html(Known(**errors, validation_r2=0.999954, train_r2=0.8))
    assert "validation error: RMSE 0.707, R² 0.999954</p><p>training error: RMSE 0.5, R² 0.80</p>" in page
    assert "300 rows" in page


def test_products_of_many_inputs_have_a_fraction_above_order_three():
    x = np.random.default_rng(2).uniform(-1, 1, (120, 6))
    fitted = ShrimpRegressor(method="krr").fit(x, np.cos(x.sum(axis=1)) + x[:, 0])
    assert 0 < fitted.fraction_above_order_three_ < 1
    assert set(fitted.terms_["order"]) == {1, 2, 3, 6}
    whole = fitted.terms_[fitted.terms_["order"] == 6].iloc[0]
    assert whole["term"] == "(x1, x2, x3, x4, x5, x6)"
    page = fitted._repr_html_()
    assert f"interactions above order 3: {100 * fitted.fraction_above_order_three_:.1f} %" in page
    assert "… 6 inputs)" not in page
    assert fitted.predict_terms(x).sum(axis=1).to_numpy() == pytest.approx(fitted.predict(x))


def test_models_of_few_inputs_have_no_fraction_above_order_three(fitted_to_noise):
    assert fitted_to_noise.fraction_above_order_three_ is None


def test_models_are_exported_as_the_command_line_does(data, fitted, shrimp_program, tmp_path):
    fitted.save(tmp_path / "model.json")
    for to in ("c", "python", "sql", "latex"):
        assert fitted.export(to=to) == shrimp_program("export", tmp_path / "model.json", "--to", to)
    assert fitted.export(tmp_path / "model.onnx", to="onnx") is None
    assert (tmp_path / "model.onnx").read_bytes() == fitted.export(to="onnx")
    module = {}
    exec(fitted.export(to="python", name="flow"), module)
    assert module["flow"](np.asarray(data[0])) == pytest.approx(fitted.predict(data[0]), rel=1e-9)
    assert module["INPUTS"] == fitted.model_.inputs
    with pytest.raises(ValueError, match="fortran"):
        fitted.export(to="fortran")
    with pytest.raises(NotFittedError):
        ShrimpRegressor().export()
