"""Sobol' indices and explanations: against mathematics, and against SHAP where it is installed."""

import itertools
import math

import numpy as np
import pandas
import pytest
from shrimp import KrrRegressor, Sensitivity, ShrimpRegressor, WaterfallDisplay


@pytest.fixture(scope="module")
def ishigami():
    X = np.random.default_rng(0).uniform(-np.pi, np.pi, (700, 3))
    y = np.sin(X[:, 0]) + 7 * np.sin(X[:, 1]) ** 2 + 0.1 * X[:, 2] ** 4 * np.sin(X[:, 0])
    return X, ShrimpRegressor(quick_error=True).fit(X, y)


def test_the_indices_of_the_ishigami_function_are_the_analytic_ones(ishigami):
    _, model = ishigami
    a, b = 7, 0.1
    variance = a**2 / 8 + b * math.pi**4 / 5 + b**2 * math.pi**8 / 18 + 0.5
    alone = [0.5 * (1 + b * math.pi**4 / 5) ** 2 / variance, a**2 / 8 / variance, 0.0]
    pair = b**2 * math.pi**8 * (1 / 18 - 1 / 50) / variance
    found = model.sensitivity(f"uniform({-math.pi!r}, {math.pi!r})")
    assert list(found.inputs["input"]) == ["x1", "x2", "x3"]
    assert found.inputs["first"].to_numpy() == pytest.approx(alone, abs=1e-6)
    assert found.inputs["total"].to_numpy() == pytest.approx([alone[0] + pair, alone[1], pair], abs=1e-6)
    assert found.variance == pytest.approx(variance, rel=1e-6)
    assert found.terms.set_index("term")["fraction"]["(x1, x3)"] == pytest.approx(pair, abs=1e-6)
    assert isinstance(found, Sensitivity) and found.inputs["first_low"].isna().all()


def test_laws_are_texts_or_dicts_of_names_numbers_and_pairs(ishigami):
    _, model = ishigami
    text = model.sensitivity("x1=uniform(-1,2),x3=normal(0,1)").inputs
    by_name = model.sensitivity({"x1": (-1, 2), "x3": "normal(0, 1)"}).inputs
    by_number = model.sensitivity({0: (-1, 2), 2: "normal(0, 1)"}).inputs
    pandas.testing.assert_frame_equal(text, by_name)
    pandas.testing.assert_frame_equal(text, by_number)
    pandas.testing.assert_frame_equal(model.sobol_, model.sensitivity("empirical").inputs)


def test_fractions_over_rows_are_covariances(ishigami):
    X, model = ishigami
    X = X.copy()
    X[:, 1] = 0.5 * (X[:, 0] + X[:, 1])
    found = model.sensitivity(data=X)
    parts = model.predict_terms(X).drop(columns="intercept")
    whole = parts.sum(axis=1)
    for term in found.terms.itertuples():
        own = parts[term.term]
        assert term.structural == pytest.approx(own.var() / whole.var())
        assert term.fraction == pytest.approx(own.cov(whole) / whole.var())
        assert term.fraction == pytest.approx(term.structural + term.correlative)
    assert found.terms["fraction"].sum() == pytest.approx(1)


def test_what_is_wrong_is_refused(ishigami):
    X, model = ishigami
    with pytest.raises(ValueError, match='no input "x7"'):
        model.sensitivity({"x7": (0, 1)})
    with pytest.raises(ValueError, match="not above it"):
        model.sensitivity({"x1": (1, 0)})
    with pytest.raises(ValueError, match="no input 5"):
        model.sensitivity({5: (0, 1)})
    with pytest.raises(ValueError, match="exclude each other"):
        model.sensitivity("uniform", data=X)
    with pytest.raises(ValueError, match="by='row'"):
        model.explain(X, by="row")
    with pytest.raises(ValueError, match="row 700 does not exist"):
        WaterfallDisplay.from_estimator(model, X, 700)


def test_explanations_sum_to_predictions(ishigami):
    X, model = ishigami
    for by in ("term", "input"):
        assert model.explain(X, by=by).sum(axis=1).to_numpy() == pytest.approx(model.predict(X), abs=1e-8)
    assert list(model.explain(X[:2], by="input").columns) == ["intercept", "x1", "x2", "x3"]


@pytest.fixture(scope="module")
def small():
    """A model of three inputs of three values each: its marginals are exact, and all combinations are the background."""
    grid = np.array(list(itertools.product([0.0, 1.0, 2.5], [-1.0, 0.0, 2.0], [0.0, 0.5, 1.0])))
    y = np.sin(grid[:, 0]) + grid[:, 0] * grid[:, 1] + grid[:, 2] * np.cos(grid[:, 1])
    return grid, KrrRegressor(validation=0.2).fit(grid, y)


def test_values_by_input_are_shapley_values_by_their_definition(small):
    grid, model = small
    found = model.explain(grid[:5], by="input").to_numpy()

    def value(x, known):
        rows = grid.copy()
        rows[:, known] = x[known]
        return model.predict(rows).mean()

    for x, parts in zip(grid[:5], found):
        shapley = np.zeros(3)
        for order in itertools.permutations(range(3)):
            for place, j in enumerate(order):
                shapley[j] += (value(x, list(order[: place + 1])) - value(x, list(order[:place]))) / 6
        assert parts[1:] == pytest.approx(shapley, abs=1e-9)
        assert parts[0] == pytest.approx(value(x, []), abs=1e-9)


def test_values_by_input_are_those_of_shap(small):
    shap = pytest.importorskip("shap")
    grid, model = small
    expected = shap.explainers.Exact(model.predict, shap.maskers.Independent(grid, max_samples=len(grid)))(grid[:5])
    assert model.explain(grid[:5], by="input").to_numpy()[:, 1:] == pytest.approx(expected.values, abs=1e-7)


def test_the_waterfall_goes_from_the_intercept_to_the_prediction(ishigami):
    X, model = ishigami
    for by in ("term", "input"):
        display = WaterfallDisplay.from_estimator(model, X, 3, by=by, max_bars=2)
        assert display.intercept + display.contributions.sum() == pytest.approx(model.predict(X[3:4])[0])
        widths = [bar.get_width() for bar in display.ax_.patches]
        assert widths == pytest.approx(list(display.contributions))
        assert "x2 = " in " ".join(label.get_text() for label in display.ax_.get_yticklabels())


def test_the_waterfall_of_another_form_shows_both_units():
    X = np.random.default_rng(0).uniform(size=(300, 2))
    model = ShrimpRegressor(target_transform="log", quick_error=True).fit(X, np.exp(3 * X[:, 0] + X[:, 1]))
    display = WaterfallDisplay.from_estimator(model, X, 1)
    assert display.prediction == pytest.approx(model.predict(X[1:2])[0])
    assert display.ax_.get_xlabel().startswith("log(y): from ")
