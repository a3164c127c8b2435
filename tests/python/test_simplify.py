"""simplify in Python: that of the command line, with scikit-learn's habits."""

import json
import pickle
import warnings

import numpy as np
import pytest
from shrimp import LassoRegressor, MinL2Regressor, ShrimpRegressor


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 4))
    return X, 10 + np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + 0.2 * random.normal(size=rows)


@pytest.fixture(scope="module")
def model():
    return ShrimpRegressor(quick_error=True).fit(*noisy(250, 1))


@pytest.mark.parametrize("wish", [{"terms": 2}, {"basis_functions": 6}, {"drop": ["x4"]}], ids=str)
def test_is_what_the_command_line_makes(model, wish, shrimp_program, tmp_path):
    model.save(tmp_path / "model.json", summary=tmp_path / "rows.summary")
    ((name, value),) = wish.items()
    flag = f"--{name}".replace("_", "-")
    options = [flag, value[0] if name == "drop" else value, "--summary", tmp_path / "rows.summary"]
    shrimp_program("simplify", tmp_path / "model.json", *options, "--output", tmp_path / "small.json")
    smaller = model.simplify(**wish)
    assert json.loads(smaller.model_.to_json()) == json.loads((tmp_path / "small.json").read_text())


def test_leaves_the_model_as_it_is_and_gives_one_that_goes_on(model):
    before = model.model_.to_json()
    smaller = model.simplify(terms=2)
    assert model.model_.to_json() == before and not hasattr(model, "simplified_")
    assert len(smaller.terms_) == 2 and smaller.n_basis_functions_ < model.n_basis_functions_
    table = smaller.simplified_
    assert list(table["basis_functions"]) == [model.n_basis_functions_, smaller.n_basis_functions_]
    assert table.loc["after", "validation_mse"] == smaller.validation_mse_ > table.loc["before", "validation_mse"]
    X, y = noisy(100, 2)
    assert smaller.score(X, y) > 0.6
    again = pickle.loads(pickle.dumps(smaller)).partial_fit(X, y)
    assert again.summary_.rows == 350
    assert again.simplify(drop="x1").n_basis_functions_ < smaller.n_basis_functions_
    assert not hasattr(again.fit(X, y), "simplified_")


def test_takes_rows_if_there_are_no_sufficient_statistics(tmp_path):
    X, y = noisy(60, 1)
    large = MinL2Regressor(features=200).fit(X, y)
    assert not hasattr(large, "summary_")
    with pytest.raises(ValueError, match=r"Give the training rows: simplify\(X, y"):
        large.simplify(basis_functions=10)
    assert large.simplify(X, y, basis_functions=10).n_basis_functions_ == 10
    assert large.simplify(X, y, np.ones(60), basis_functions=10).n_basis_functions_ == 10


def test_warns_where_a_dropped_term_is_carried_on():
    model = ShrimpRegressor(method="shrimp", order="1-2", features=30).fit(*noisy(100, 1))
    own = {inputs for inputs, columns in zip(model.terms_["inputs"], model.terms_["basis_functions"]) if columns}
    single = next(name for (name, *more) in own if not more and any(name in other and len(other) > 1 for other in own))
    with pytest.warns(UserWarning, match=f"the basis functions of {single} are removed"):
        model.simplify(drop=single)


@pytest.mark.parametrize(
    "wish, words",
    [
        ({}, "Give one of them"),
        ({"terms": 1, "basis_functions": 1}, "exclude each other"),
        ({"terms": 0}, "terms 0 is not allowed"),
        ({"basis_functions": -3}, "basis_functions -3 is not allowed"),
        ({"basis_functions": 10_000}, "Give a whole number from 1 to"),
        ({"drop": "x11"}, "not a term of the model"),
        ({"drop": []}, "Give one of them"),
    ],
    ids=str,
)
def test_refuses_bad_wishes(model, wish, words):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=words):
            model.simplify(**wish)


def test_refuses_numbers_that_are_none(model):
    for wish in ({"terms": 2.5}, {"basis_functions": "3"}):
        with pytest.raises(TypeError):
            model.simplify(**wish)


def test_methods_without_sufficient_statistics_do_not_have_it():
    assert not hasattr(LassoRegressor(), "simplify")
    with pytest.raises(AttributeError, match="simplify"):
        ShrimpRegressor(method="krr").simplify(terms=1)
