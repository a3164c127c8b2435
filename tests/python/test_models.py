"""Models: the command line's file both ways, terms, slopes, formulas, copies."""

import copy
import json
import pickle

import joblib
import numpy as np
import pandas
import pytest
from estimators import REGRESSORS
from functions import write_csv
from shrimp import LassoRegressor, ShrimpRegressor
from shrimp._parameters import table
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
    assert loaded.terms_["share"].sum() == pytest.approx(1)


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


def test_loading_another_methods_model_is_refused(fitted, tmp_path):
    fitted.save(tmp_path / "model.json")
    with pytest.raises(ValueError, match="holds a model of method shrimp, not lasso"):
        LassoRegressor.load(tmp_path / "model.json")


def test_a_damaged_file_is_refused_with_the_words_of_the_command_line(fitted, tmp_path):
    fitted.save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    half = text[: len(text) // 2]
    (tmp_path / "model.json").write_text(half)
    with pytest.raises(ValueError, match=f"model.json is damaged: it is cut short in line {half.count(chr(10)) + 1}.\n"):
        ShrimpRegressor.load(tmp_path / "model.json")


@pytest.mark.parametrize("content", [b"", b"x1,y\n1,2\n", b'{"cells": []}', b"<!DOCTYPE html>", b"\x89PNG\0\xff"])
def test_a_file_of_another_kind_is_refused_with_the_words_of_the_command_line(content, tmp_path):
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


def test_term_predictions_have_the_shares_of_the_terms(data, fitted):
    variances = fitted.predict_terms(data[0]).drop(columns="intercept").var(ddof=0)
    assert (variances / variances.sum()).to_numpy() == pytest.approx(fitted.terms_["share"].to_numpy(), abs=1e-9)


def test_terms_find_what_is_there(fitted):
    terms = fitted.terms_
    assert set(terms["term"][:2]) == {"x1", "(x2, x3)"}
    assert terms["share"][:2].sum() > 0.99
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


def value_of(equation, X):
    """The equation read as Python."""
    left, formula = equation.split(" = ")
    assert left == "y"
    functions = {"cos": np.cos, "sin": np.sin, "exp": np.exp, "tanh": np.tanh, "max": np.maximum}
    inputs = {f"x{j + 1}": X[:, j] for j in range(X.shape[1])}
    return eval(formula.replace("^", "**"), functions | {"e1": lambda *values: sum(values)} | inputs)


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


def test_the_path_is_a_table_with_one_chosen_step(fitted):
    path = fitted.path_
    chosen = path[path["chosen"]]
    assert len(chosen) == 1
    assert chosen["columns"].item() == fitted.n_columns_
    assert chosen["validation_mse"].item() == path["validation_mse"].min()
    assert path["columns"].is_monotonic_decreasing


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
    assert "(x2, x3)" in page and f"{fitted.n_columns_} columns" in page
    assert "shrimp-summary" not in ShrimpRegressor()._repr_mimebundle_()["text/html"]
