"""The library's table of parameters and what Python makes of it."""

import inspect

import numpy as np
import pytest
import shrimp
from estimators import CLASSIFIERS, REGRESSORS
from shrimp import ShrimpRegressor, _core, _parameters
from sklearn.base import clone


def test_every_parameter_of_the_library_has_a_python_counterpart():
    names = {row["python_name"] or row["name"].replace("-", "_") for row in _core.parameters()}
    assert len(names) == len(_core.parameters())
    assert set(ShrimpRegressor().get_params()) == names | {"verbose"}


def test_names_that_differ_from_the_command_line_are_those_that_the_documentation_lists():
    differing = {row["name"]: row["python_name"] for row in _core.parameters() if row["python_name"]}
    assert differing == {
        "lambda": "alpha",
        "no-standardize": "standardize",
        "seed": "random_state",
        "threads": "n_jobs",
        "transform": "input_transform",
    }


@pytest.mark.parametrize("estimator", [*REGRESSORS, *CLASSIFIERS], ids=lambda estimator: type(estimator).__name__)
def test_estimators_are_no_transformers(estimator):
    """scikit-learn takes every estimator that has an attribute `transform` for a transformer."""
    assert not hasattr(estimator, "transform")


def test_every_method_of_the_library_has_an_estimator():
    own = {estimator._method for estimator in REGRESSORS if hasattr(estimator, "_method")}
    default = _parameters.table()["method"].default
    assert own | {"shrimp", default} == set(_parameters.methods())


def test_the_default_method_is_the_librarys():
    assert ShrimpRegressor().method == next(row["default"] for row in _core.parameters() if row["name"] == "method")


def test_defaults_are_those_of_the_command_line(data, shrimp_program, tmp_path):
    """Both fit the same file, byte for byte."""
    from functions import write_csv

    write_csv(tmp_path / "train.csv", *data)
    shrimp_program("fit", tmp_path / "train.csv", "--target", "y", "--features", 200, "--output", tmp_path / "cli.json", "-q")
    ShrimpRegressor(features=200).fit(*data).save(tmp_path / "python.json")
    assert (tmp_path / "cli.json").read_bytes() == (tmp_path / "python.json").read_bytes()


@pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda estimator: type(estimator).__name__)
def test_signatures_and_docstrings_name_every_parameter(estimator):
    cls = type(estimator)
    parameters = [name for name in inspect.signature(cls).parameters]
    assert parameters == [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
    for name in parameters:
        assert f"\n{name} : " in cls.__doc__


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="ShrimpRegressor has no parameter 'ordr'"):
        ShrimpRegressor(ordr=2)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"order": 9}, "order"),
        ({"features": 0}, 'features "0" is not allowed'),
        ({"method": "ols"}, 'method "ols" is not allowed'),
        ({"random_state": -1}, 'random_state "-1" is not allowed'),
        ({"prune": 1.5}, 'prune "1.5" is not allowed'),
        ({"alpha": -1, "method": "lasso"}, 'alpha "-1" is not allowed'),
        ({"max_iterations": 0.5}, 'max_iterations "0.5" is not allowed'),
        ({"n_jobs": 0}, "n_jobs 0 is not allowed"),
    ],
)
def test_values_out_of_range_are_refused_by_their_python_names(parameters, words, data):
    with pytest.raises(ValueError, match=words):
        ShrimpRegressor(**parameters).fit(*data)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2, "2"),
        ([1, 2], "1,2"),
        ([1, (1, 2)], "1,1+2"),
        ("1-3", "1-3"),
        (np.int64(3), "3"),
        (np.array([1, 2]), "1,2"),
        (0.1, "0.1"),
        (True, "true"),
        (None, "auto"),
    ],
)
def test_values_are_written_as_on_the_command_line(value, text):
    assert _parameters.table()["order"].text(value) == text


@pytest.mark.parametrize("name", ["clip", "budget"])
def test_none_is_off_where_there_is_something_to_turn_off(name):
    assert _parameters.table()[name].text(None) == "none"
    assert _parameters.table()[name].value("none") is None


def test_a_model_that_is_not_clipped_follows_its_inputs(data):
    X, y = data
    far = np.array([[0, 3.0, 3.0, 0]])
    assert ShrimpRegressor(clip=None).fit(X, y).predict(far) == pytest.approx(9, rel=0.5)
    assert ShrimpRegressor().fit(X, y).predict(far) == pytest.approx(1.1**2, rel=0.2)


def test_a_budget_of_none_is_no_limit(data):
    """A limit that ends the fit at once, compared with no limit."""
    X, y = data
    few = ShrimpRegressor(budget="1e-9s").fit(X, y)
    assert len(ShrimpRegressor(budget=None).fit(X, y).terms_) > len(few.terms_)
    assert ShrimpRegressor(budget=None).fit(X, y).model_.options["budget"] == "none"


def test_seeds_may_be_numbers_generators_or_none(data):
    X, y = data
    predict = lambda seed: ShrimpRegressor(features=50, random_state=seed).fit(X, y).predict(X)
    assert np.array_equal(predict(3), predict(np.int64(3)))
    assert np.array_equal(predict(np.random.RandomState(5)), predict(np.random.RandomState(5)))
    assert not np.array_equal(predict(3), predict(4))
    predict(None)


def test_clones_have_the_same_parameters():
    estimator = ShrimpRegressor(order=[1, 2], features=77, standardize=False, alpha=0.5)
    assert clone(estimator).get_params() == estimator.get_params()


def test_the_version_is_the_librarys():
    assert shrimp.__version__ == _core.version


def test_what_the_method_does_nothing_with_is_passed_over_with_a_warning(data):
    with pytest.warns(UserWarning, match="alpha has no effect on method shrimp"):
        given = shrimp.ShrimpRegressor(method="shrimp", features=50, alpha=0.5, random_state=0).fit(*data)
    plain = shrimp.ShrimpRegressor(method="shrimp", features=50, random_state=0).fit(*data)
    assert (given.predict(data[0]) == plain.predict(data[0])).all()


def test_the_class_of_a_method_has_the_parameters_of_the_method():
    own = set(shrimp.KrrRegressor().get_params())
    assert {"gamma", "alpha", "folds", "random_state"} <= own
    assert own.isdisjoint({"features", "order", "ridge", "method"})


ODD_NAMES = ["a*b", "d, e", 'say "hi"', "größe", "x 1", "1e5", "007", "file", "none", " y "]


@pytest.fixture(scope="module")
def odd():
    """A dataframe whose columns have names that lists must quote, and a column c."""
    pandas = pytest.importorskip("pandas")
    x = np.random.default_rng(4).uniform(-1, 1, (80, len(ODD_NAMES) + 1))
    return pandas.DataFrame(x, columns=[*ODD_NAMES, "c"]), x[:, 0] + x[:, -1]


def terms_of(regressor):
    return set(regressor.terms_.inputs)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_column_can_be_included_and_excluded(odd, name, tmp_path):
    given = dict(max_order=2, max_terms=3, random_state=0)
    regressor = ShrimpRegressor(include=[name, (name, "c")], **given).fit(*odd)
    assert {frozenset([name]), frozenset([name, "c"])} <= {frozenset(term) for term in terms_of(regressor)}
    regressor.save(tmp_path / "model.json")
    loaded = ShrimpRegressor.load(tmp_path / "model.json")
    assert loaded.fit(*odd).model_.to_json() == regressor.model_.to_json()
    without = ShrimpRegressor(exclude=[name], **given).fit(*odd)
    assert not any(name in term for term in terms_of(without))


def test_terms_of_one_model_can_be_given_to_the_next(odd):
    first = ShrimpRegressor(include=[("a*b", "c"), "d, e"], max_terms=3).fit(*odd)
    again = ShrimpRegressor(include=first.terms_.inputs, max_terms=len(first.terms_)).fit(*odd)
    assert terms_of(first) <= terms_of(again)


def test_names_joined_by_a_star_are_one_term(data):
    pair = ShrimpRegressor(include=["x2*x3"], max_terms=2).fit(*data)
    assert ("x2", "x3") in terms_of(pair)
    assert pair.model_.to_json() == ShrimpRegressor(include="x2*x3", max_terms=2).fit(*data).model_.to_json()


def test_a_tuple_is_a_product_even_where_an_input_has_the_name_of_it(odd):
    X, y = odd
    X = X.rename(columns={"d, e": "a", 'say "hi"': "b"})
    assert ("a", "b") in terms_of(ShrimpRegressor(include=[("a", "b")], max_terms=2).fit(X, y))
    assert ("a*b",) in terms_of(ShrimpRegressor(include=["a*b"], max_terms=2).fit(X, y))


def test_a_term_of_what_is_no_input_is_refused(odd):
    with pytest.raises(ValueError, match='include names "a", which is not an input'):
        ShrimpRegressor(include=[("a", "c")]).fit(*odd)


@pytest.mark.parametrize("budget", [30, 0.5, "30"])
def test_a_budget_without_a_unit_is_refused(data, budget):
    with pytest.raises(ValueError, match=f'budget "{budget}" has no unit.\nGive seconds, as in {budget}s'):
        ShrimpRegressor(budget=budget).fit(*data)


@pytest.mark.parametrize("budget", ["30s", 1e12, "1e12", "none"])
def test_a_budget_with_a_unit_or_none_is_taken(data, budget):
    ShrimpRegressor(budget=budget, max_order=1).fit(*data)
