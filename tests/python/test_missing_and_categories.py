"""The tests of scikit-learn's boosted trees with missing cells and categories, for our estimators.

Each test repeats one of sklearn/ensemble/_hist_gradient_boosting/tests for the regressor and the classifier.
"""

import re
import warnings

import numpy as np
import pandas
import pytest
from shrimp import ShrimpClassifier, ShrimpRegressor
from sklearn.base import clone, is_classifier
from sklearn.model_selection import cross_val_score

FAST = {"quick_error": True, "input_transform": "none", "max_order": 2}
ESTIMATORS = {"regressor": ShrimpRegressor(**FAST), "classifier": ShrimpClassifier(**FAST)}


@pytest.fixture(params=ESTIMATORS)
def estimator(request):
    return clone(ESTIMATORS[request.param])


def target_of(estimator, signal, seed=0):
    """The signal with noise, or classes that it decides but for some."""
    random = np.random.default_rng(seed)
    if is_classifier(estimator):
        return (signal + 0.5 * random.logistic(size=len(signal)) > np.median(signal)).astype(int)
    return signal + 0.1 * random.normal(size=len(signal))


def outputs(estimator, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return estimator.predict_proba(X)[:, 1] if is_classifier(estimator) else estimator.predict(X)


def test_missing_cells_alone_can_determine_the_target(estimator):
    """test_missing_values_minmax_imputation, test_missing_values_trivial: whether a cell is missing is all there is."""
    X = np.where(np.arange(120) % 3 == 0, np.nan, np.random.default_rng(0).uniform(-1, 1, 120))[:, None]
    y = target_of(estimator, 3.0 * np.isnan(X[:, 0]))
    fitted = estimator.fit(X, y)
    with_cell, without = outputs(fitted, [[0.0], [np.nan]])
    assert without > with_cell + 0.3


def test_missing_cells_at_random_cost_little(estimator):
    """test_missing_values_resilience: a fifth of the cells missing, most of the score left."""
    random = np.random.default_rng(1)
    X = random.uniform(-1, 1, (250, 3))
    y = target_of(estimator, 3 * X[:, 0] + 2 * X[:, 1])
    whole = estimator.fit(X, y).score(X, y)
    lacking = np.where(random.uniform(size=X.shape) < 0.2, np.nan, X)
    assert clone(estimator).fit(lacking, y).score(lacking, y) > 0.75 * whole


def test_cells_may_be_missing_at_predictions_alone(estimator):
    random = np.random.default_rng(2)
    X = random.uniform(-1, 1, (150, 2))
    fitted = estimator.fit(X, target_of(estimator, X @ [2.0, 1.0]))
    with pytest.warns(UserWarning, match="which was missing in few training rows or none"):
        fitted.predict([[np.nan, 0.5]])
    rows = np.column_stack([np.linspace(-1, 1, 41), np.full(41, 0.5)])
    low, high = outputs(fitted, rows[[0, -1]])
    assert low < outputs(fitted, [[np.nan, 0.5]])[0] < high


def test_a_column_without_a_cell_is_left_out_with_a_warning(estimator):
    """test_missing_values_trivial's last column, and bad input of a table."""
    X = np.column_stack([np.random.default_rng(3).uniform(-1, 1, 100), np.full(100, np.nan)])
    y = target_of(estimator, 2 * X[:, 0])
    with pytest.warns(UserWarning, match='"x2" has only missing cells; it is ignored'):
        fitted = estimator.fit(X, y)
    assert fitted.n_features_in_ == 2
    assert np.array_equal(outputs(fitted, X), outputs(clone(estimator).fit(X[:, :1], y), X[:, :1]))
    with pytest.raises(ValueError, match="no usable input column remains"):
        clone(estimator).fit(X[:, 1:], y)


def test_infinite_cells_are_refused(estimator):
    """test_infinite_values applies only to trees: a sinusoid of an infinite number is not a number."""
    X = np.array([[0.0], [1.0], [np.inf], [3.0]] * 10)
    with pytest.raises(ValueError, match='row 3: "inf" is not a finite number'):
        estimator.fit(X, np.arange(40) % 2)


LEVELS = {"a": 0.0, "b": 2.0, "c": -1.0, "d": 1.0}


def categories(rows=160, seed=4):
    random = np.random.default_rng(seed)
    c = random.choice(list(LEVELS), rows)
    X = pandas.DataFrame({"c": pandas.Categorical(c, categories=list(LEVELS)), "x": random.uniform(-1, 1, rows)})
    return X, np.array([LEVELS[one] for one in c]) * 1.5 + X["x"].to_numpy()


def test_a_category_by_its_type_by_text_and_by_codes_is_the_same(estimator):
    """test_pandas_categorical, test_categorical_spec_no_categories: predictions do not depend on how levels are written."""
    X, signal = categories()
    y = target_of(estimator, signal)
    expected = outputs(clone(estimator).fit(X, y), X)
    for alike in (X.astype({"c": str}), X.assign(c=X.c.cat.reorder_categories(list("dbca"))), X.assign(c=X.c.cat.add_categories("e"))):
        assert np.array_equal(outputs(clone(estimator).fit(alike, y), alike), expected)
    codes = X.assign(c=pandas.Categorical(X.c.cat.codes))
    assert np.array_equal(outputs(clone(estimator).fit(codes, y), codes), expected)


def test_missing_and_unknown_levels_at_predictions_take_the_mean_effect(estimator):
    """test_unknown_categories_nan: all levels that did not occur in the fit are treated alike."""
    X, signal = categories()
    fitted = estimator.fit(X.astype({"c": object}), target_of(estimator, signal))
    rows = pandas.DataFrame({"c": ["z", "y", None], "x": [0.3] * 3})
    with pytest.warns(UserWarning, match="a level that the training rows did not contain"):
        fitted.predict(rows)
    unknown, other, missing = outputs(fitted, rows)
    seen = outputs(fitted, pandas.DataFrame({"c": list(LEVELS), "x": [0.3] * 4}))
    assert unknown == other == missing and min(seen) < unknown < max(seen)


def test_missing_levels_at_the_fit_are_a_level(estimator):
    X, signal = categories()
    lacking = X.astype({"c": object})
    lacking.loc[::4, "c"] = None
    fitted = estimator.fit(lacking, target_of(estimator, np.where(lacking.c.isna(), 4.0, signal)))
    none, *others = outputs(fitted, pandas.DataFrame({"c": [None, *LEVELS], "x": [0.0] * 5}))
    assert none > max(others)


def test_a_constant_category_changes_nothing(estimator):
    X, signal = categories()
    y = target_of(estimator, signal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = clone(estimator).fit(X.assign(same="one"), y)
        assert "same" not in set(np.concatenate([*(term for term in fitted.terms_.inputs)]))
    np.testing.assert_allclose(outputs(fitted, X.assign(same="one")), outputs(clone(estimator).fit(X, y), X), rtol=1e-9)


def test_many_levels_are_learnt_by_themselves(estimator):
    """test_categorical_encoding_strategies: levels without a meaningful order are better as names than as numbers."""
    random = np.random.default_rng(5)
    level = random.integers(0, 30, 450)
    y = target_of(estimator, 3.0 * random.normal(size=30)[level])
    codes = pandas.DataFrame({"c": level, "x": random.uniform(size=450)})
    by_number, by_name = (cross_val_score(clone(estimator), X, y, cv=3).mean() for X in (codes, codes.assign(c=[f"level {k}" for k in level])))
    assert by_name > by_number + 0.1


def test_rare_levels_share_one_and_are_predicted(estimator):
    """test_categorical_sparse: levels of a row or two among large ones."""
    X, signal = categories()
    rare = X.astype({"c": object})
    rare.loc[:9, "c"] = [f"rare {k}" for k in range(10)]
    y = target_of(estimator, np.where(np.arange(len(X)) < 10, 6.0, signal))
    fitted = estimator.fit(rare, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # None of them is unseen.
        fitted.predict(rare[:10].assign(x=0.0))
    shared = outputs(fitted, rare[:10].assign(x=0.0))
    assert len(set(shared.round(12))) == 1 and shared[0] > outputs(fitted, X[:1].assign(c="c", x=0.0))[0]


def test_a_level_for_every_row_is_left_out_with_a_warning(estimator):
    X, signal = categories()
    y = target_of(estimator, signal)
    with pytest.warns(UserWarning, match='"id" has 160 levels in 160 rows, none with 5 rows or more; it is ignored'):
        fitted = clone(estimator).fit(X.assign(id=[f"person {k}" for k in range(len(X))]), y)
    assert np.array_equal(outputs(fitted, X.assign(id="new")), outputs(clone(estimator).fit(X, y), X))


def test_numbers_among_text_are_refused_with_the_row_and_a_remedy(estimator):
    X, signal = categories()
    mixed = X.astype({"c": object})
    mixed.loc[7, "c"] = 3.5
    with pytest.raises(ValueError, match=r'column "c", row 8: .*3\.5.*number.*\n.*astype\(str\)'):
        estimator.fit(mixed, target_of(estimator, signal))
    text = pandas.DataFrame({"x": np.arange(40).astype(object), "z": np.arange(40.0)})
    text.loc[5, "x"] = "many"
    with pytest.raises(ValueError, match='column "x", row 6: "many" is not a number'):
        estimator.fit(text, np.arange(40) % 2)


@pytest.fixture(scope="module")
def flats():
    """A fit to numbers, a category and missing cells, and new rows that lack each cell in turn or have a new level."""
    random = np.random.default_rng(0)
    X = pandas.DataFrame({"area": random.uniform(20, 90, 120), "shop": random.choice(["north", "south", "far east"], 120),
                          "year": random.uniform(1900, 2000, 120)})  # fmt: skip
    y = 0.1 * X["area"] + X["shop"].map({"north": 3.0, "south": 0.0, "far east": -2.0}) + 0.05 * (X["year"] - 1950) ** 2 / 100
    model = ShrimpRegressor(quick_error=True).fit(X, y + 0.1 * random.normal(size=120))
    new = pandas.DataFrame({"area": [50.0, np.nan, 50, 50, 50, np.nan], "shop": ["north", "north", None, "mauve", "north", None],
                            "year": [1950.0, 1950, 1950, 1950, np.nan, np.nan]})  # fmt: skip
    return model, new


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_method_gives_numbers_for_rows_with_missing_cells_and_unseen_levels(flats):
    model, new = flats
    lower, upper = model.predict_interval(new, level=0.9).T
    prediction, deviation = model.predict(new, return_std=True)
    assert np.isfinite([prediction, deviation, lower, upper]).all()
    assert ((lower < prediction) & (prediction < upper)).all()
    width = upper - lower
    assert (width[1:4] > 1.5 * width[0]).all() and width[5] > width[1:4].max()
    for parts in (model.predict_terms(new), model.explain(new), model.explain(new, by="input")):
        assert np.isfinite(parts.to_numpy()).all()
        np.testing.assert_allclose(parts.to_numpy().sum(axis=1), prediction, rtol=1e-9)


def test_short_equations_name_levels_and_no_codes(flats):
    model, _ = flats
    text = model.equation(terms=3)
    line = next(line for line in text.splitlines() if "# shop" in line)
    formula = line.split("#")[0]
    assert formula.count("[shop = ") == 2 and "shop" not in formula.replace("[shop = ", "")
    # The line is the effect of the levels but for a constant.
    effects = {own: 0.0 for own in ("north", "south", "far east")}
    for sign, size, level in re.findall(r"([-+]) ([0-9.e-]+)\*\[shop = `?([a-z ]+)`?\]", formula):
        effects[level] = float(sign + size)
    assert effects["north"] - effects["south"] == pytest.approx(3.0, abs=0.15)
    assert effects["south"] - effects["far east"] == pytest.approx(2.0, abs=0.15)
