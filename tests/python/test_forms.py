"""Models whose inputs enter by rank or logarithm, and whose target was fitted as its logarithm."""

import re

import numpy as np
import pytest
from forms import Forms, make_rows
from shrimp import InteractionDisplay, MainEffectDisplay, ShrimpRegressor


@pytest.fixture(scope="module")
def forms():
    return Forms()


@pytest.fixture(scope="module")
def models(forms, run_program, tmp_path_factory):
    """Loaded: the model of the forms as they are, and the one with forms."""

    def fit_model(table, model, *options):
        run_program("fit", table, "--target", "y", "--output", model, "-q", *options)
        return model

    return [ShrimpRegressor.load(path) for path in forms.make_files(fit_model, tmp_path_factory.mktemp("forms"))]


@pytest.fixture
def rows(forms):
    """Rows within the range of the training rows."""
    return np.clip(make_rows(2), forms.X.min(axis=0), forms.X.max(axis=0))


def test_forms_are_told(models):
    plain, formed = models
    assert formed.transforms_ == {"x1": "log", "x2": "rank", "x3": "rank"}
    assert formed.target_transform_ == "log"
    assert (plain.transforms_, plain.target_transform_) == ({}, "identity")
    assert "x2, x3 by rank; x1 by logarithm; fractions of variance and terms refer to log(y)" in formed._repr_html_()
    assert "by rank" not in plain._repr_html_()


def test_a_fit_tells_its_forms(fitted):
    assert (fitted.transforms_, fitted.target_transform_) == ({}, "identity")


def test_predictions_are_in_the_targets_own_units(models, forms, rows):
    plain, formed = models
    assert formed.predict(rows) == pytest.approx(1.1 * np.exp(plain.predict(forms.entered(rows))), rel=1e-9)


def test_parts_are_those_of_the_form_and_sum_to_it(models, forms, rows):
    plain, formed = models
    parts = formed.predict_terms(rows)
    np.testing.assert_allclose(parts, plain.predict_terms(forms.entered(rows)), rtol=1e-6, atol=1e-6)
    assert 1.1 * np.exp(parts.to_numpy().sum(axis=1)) == pytest.approx(formed.predict(rows), rel=1e-6)


def test_gradients_are_slopes_in_own_units(models, forms, rows):
    formed = models[1]
    between_knots = rows[(rows[:, :2] > forms.X[:, :2].min(axis=0)).all(1) & (rows[:, :2] < forms.X[:, :2].max(axis=0)).all(1)]
    between_knots[:, 2] = between_knots[:, 2].clip(0, 4) + 0.4
    slopes = formed.gradient(between_knots)
    for j, step in enumerate(1e-6 * np.eye(4)):
        differences = (formed.predict(between_knots + step) - formed.predict(between_knots - step)) / 2e-6
        assert slopes[:, j] == pytest.approx(differences, rel=1e-3, abs=1e-4)


def evaluated(text, X, forms):
    """The formula's values, `rank` as its documentation has it."""
    formula = re.sub(r"rank\(x(\d)\)", r"ranked(x\1, \1)", text.removeprefix("y = ").replace("^", "**"))
    names = {f"x{j + 1}": X[:, j] for j in range(X.shape[1])}
    functions = {name: getattr(np, name) for name in ("cos", "sin", "exp", "log", "tanh")}
    own = {"ranked": lambda x, j: np.interp(x, *forms.knots[j - 2]), "max": np.maximum}
    return eval(formula, functions | own | names)  # noqa: S307


def test_the_equation_is_the_model(models, forms, rows):
    text = models[1].equation(digits=17)
    assert text.startswith("y = 1.1000000000000001*exp(") and "log(-x1)" in text and "rank(x2)" in text
    assert evaluated(text, rows, forms) == pytest.approx(models[1].predict(rows), rel=1e-6)


def test_the_short_equation_is_of_the_forms(models):
    text = models[1].equation(terms=2)
    assert text.startswith("y = 1.1*exp(") and text.endswith("\n)")
    assert "log(-x1)" in text and "x1: " in text


def test_pictures_are_in_own_units(models, forms):
    formed = models[1]
    effect = MainEffectDisplay.from_estimator(formed, "x1")
    assert effect.grid[0] == pytest.approx(forms.X[:, 0].min(), rel=0.6) and effect.grid[-1] < 0
    slope = np.polyfit(np.log(-effect.grid), effect.values, 1)[0]
    assert slope == pytest.approx(1, rel=0.1)
    assert effect.ax_.get_ylabel() == "effect on log(y)"
    together = InteractionDisplay.from_estimator(formed, ("x2", "x3"))
    assert list(together.y) == pytest.approx(range(6))
    assert np.isfinite(together.values).all()
