"""Displays show the values of the model."""

import warnings

import numpy as np
import pandas
import pytest
from matplotlib import pyplot
from shrimp import (
    InteractionDisplay,
    MainEffectDisplay,
    PrunePathDisplay,
    SalsaRegressor,
    ShrimpRegressor,
    SupportDisplay,
    TermsDisplay,
)
from sklearn.exceptions import NotFittedError

DISPLAYS = [PrunePathDisplay, TermsDisplay, MainEffectDisplay, InteractionDisplay, SupportDisplay]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("display", DISPLAYS)
def test_every_display_draws_into_the_axes_it_is_given(display, fitted, tmp_path):
    figure, ax = pyplot.subplots()
    drawn = display.from_estimator(fitted, ax=ax)
    assert drawn.ax_ is ax and drawn.figure_ is figure
    assert ax.get_xlabel()
    figure.savefig(tmp_path / "figure.png")


@pytest.mark.parametrize("display", DISPLAYS)
def test_every_display_makes_a_figure_of_its_own(display, fitted):
    assert display.from_estimator(fitted).figure_ is not display.from_estimator(fitted).figure_


@pytest.mark.parametrize("display", DISPLAYS)
def test_no_display_draws_what_was_not_fitted(display):
    with pytest.raises(NotFittedError):
        display.from_estimator(ShrimpRegressor())


def test_the_path_is_the_table(fitted):
    training, validation, chosen = PrunePathDisplay.from_estimator(fitted).ax_.lines
    assert np.array_equal(training.get_ydata(), fitted.path_["train_mse"])
    assert np.array_equal(validation.get_ydata(), fitted.path_["validation_mse"])
    assert chosen.get_xdata() == [fitted.n_basis_functions_]


def test_bars_are_the_largest_fractions_of_variance(fitted):
    ax = TermsDisplay.from_estimator(fitted, max_terms=2).ax_
    assert [bar.get_width() / 100 for bar in ax.patches] == pytest.approx(list(fitted.terms_["fraction"][:2]))
    assert [label.get_text() for label in ax.get_yticklabels()] == list(fitted.terms_["term"][:2])


def test_the_curve_of_a_main_effect_is_its_term(data, fitted):
    X, _ = data
    display = MainEffectDisplay.from_estimator(fitted, "x1", X)
    assert np.interp(X[:, 0], display.grid, display.values) == pytest.approx(
        fitted.predict_terms(X)["x1"].to_numpy(), abs=0.01
    )
    assert np.array_equal(display.rug, X[:, 0])


def test_the_heat_map_of_an_interaction_is_its_term(data, fitted):
    display = InteractionDisplay.from_estimator(fitted, ("x2", "x3"))
    rows = np.zeros((1, 4))
    rows[0, 1:3] = display.x[10], display.y[20]
    assert display.values[20, 10] == pytest.approx(fitted.predict_terms(rows)["(x2, x3)"][0])
    whole = InteractionDisplay.from_estimator(fitted, "(x2, x3)", with_main_effects=True)
    parts = fitted.predict_terms(rows)
    pair = sum(parts[name][0] for name in ("x2", "x3", "(x2, x3)") if name in parts)
    assert whole.values[20, 10] == pytest.approx(pair)


def test_terms_are_named_by_name_number_or_inputs(fitted):
    curves = [MainEffectDisplay.from_estimator(fitted, term).values for term in ("x1", 0, ("x1",))]
    assert np.array_equal(curves[0], curves[1]) and np.array_equal(curves[0], curves[2])


def test_terms_that_are_not_there_are_refused_with_those_that_are(fitted):
    with pytest.raises(ValueError, match="no term 'x9'.\nGive one of its terms. The largest are x1, "):
        MainEffectDisplay.from_estimator(fitted, "x9")
    with pytest.raises(ValueError, match="not a main effect"):
        MainEffectDisplay.from_estimator(fitted, "(x2, x3)")


def test_stems_are_the_coefficients(fitted):
    display = SupportDisplay.from_estimator(fitted, max_supports=1000)
    assert sorted(display.coefficients) == sorted(coefficient for *_, coefficient in fitted.model_.columns)
    assert len(display.ax_.get_xticks()) == len({tuple(own) for own, *_ in fitted.model_.columns})


def test_dataframes_lend_their_names_and_rugs(data):
    X = pandas.DataFrame(data[0], columns=["speed", "load", "angle", "idle"])
    fitted = ShrimpRegressor(method="shrimp", order="1-2", features=200).fit(X, pandas.Series(data[1], name="lift"))
    display = MainEffectDisplay.from_estimator(fitted, "speed", X)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("speed", "effect on lift")
    assert np.array_equal(display.rug, X["speed"])


def test_loaded_models_and_kernel_models_can_be_plotted(data, tmp_path):
    SalsaRegressor(order=2).fit(*data).save(tmp_path / "model.json")
    loaded = SalsaRegressor.load(tmp_path / "model.json")
    for display in (TermsDisplay, MainEffectDisplay, InteractionDisplay, SupportDisplay):
        display.from_estimator(loaded)


@pytest.fixture(scope="module")
def few():
    """An input of five values, one of two, two of many."""
    random = np.random.default_rng(0)
    columns = {
        "dose": random.choice([0, 1, 2, 5, 10], 400, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
        "sex": random.integers(0, 2, 400),
        "load": random.normal(size=400),
        "age": random.uniform(20, 80, 400),
    }
    X = pandas.DataFrame(columns).astype(float)
    y = np.sqrt(X["dose"]) + X["sex"] * X["load"] + X["sex"] * (X["dose"] > 1) + 0.01 * X["age"]
    return X, ShrimpRegressor().fit(X, y)


def test_an_input_of_few_values_has_a_point_at_each(few):
    X, fitted = few
    display = MainEffectDisplay.from_estimator(fitted, "dose", X)
    assert list(display.grid) == [0, 1, 2, 5, 10] and not display.ax_.lines[1:]
    parts = fitted.predict_terms(X)["dose"].groupby(X["dose"]).mean()
    assert display.values == pytest.approx(parts.to_numpy())
    (points,) = [drawn for drawn in display.ax_.collections if hasattr(drawn, "get_sizes") and len(drawn.get_sizes())]
    assert np.asarray(points.get_offsets())[:, 1] == pytest.approx(display.values)
    counts = X["dose"].value_counts().sort_index()
    assert list(np.argsort(points.get_sizes())) == list(np.argsort(counts.to_numpy()))
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["0", "1", "2", "5", "10"]
    stored = MainEffectDisplay.from_estimator(fitted, "dose")
    assert stored.fractions == pytest.approx((counts / len(X)).to_numpy())


def test_an_input_of_many_values_has_a_curve_whatever_few_rows_are_shown(few):
    X, fitted = few
    assert MainEffectDisplay.from_estimator(fitted, "load", X[:5]).fractions is None
    assert MainEffectDisplay.from_estimator(fitted, "dose", X.assign(dose=X["dose"] + X["age"] / 100)).fractions is None


def test_a_band_fits_between_the_line_of_no_effect_and_the_curve(few):
    nothing, curve = MainEffectDisplay.from_estimator(few[1], "load").ax_.lines
    assert nothing.get_zorder() < 1 < curve.get_zorder()


def test_inputs_of_few_values_make_cells_of_an_interaction(few):
    X, fitted = few
    display = InteractionDisplay.from_estimator(fitted, ("dose", "sex"))
    assert display.values.shape == (2, 5) and display.in_cells == (True, True)
    own = fitted.predict_terms(X)["(dose, sex)"][(X["dose"] == 5) & (X["sex"] == 1)]
    assert display.values[1, 3] == pytest.approx(own.iloc[0])
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["0", "1", "2", "5", "10"]
    mixed = InteractionDisplay.from_estimator(fitted, ("sex", "load"))
    assert mixed.values.shape == (80, 2) and mixed.in_cells == (True, False)


def test_different_functions_have_different_colours(few):
    display = SupportDisplay.from_estimator(few[1])
    legend = display.ax_.get_legend()
    assert {text.get_text() for text in legend.get_texts()} == {"cos", "sin", "linear"}
    assert len({line.get_color() for line in display.ax_.lines}) == 3
    assert len(set(SupportDisplay._COLORS.values())) == len(SupportDisplay._COLORS)


@pytest.mark.parametrize("basis", ["relu", "tanh", "identity", "cos", "sin"])
def test_every_basis_has_a_colour(basis, data):
    fitted = ShrimpRegressor(method="shrimp", basis=basis, features=30).fit(*data)
    assert SupportDisplay.from_estimator(fitted).ax_.lines


def test_levels_of_categories_and_steps_have_a_colour():
    random = np.random.default_rng(0)
    X = pandas.DataFrame({"side": random.choice(["left", "right", "top"], 1000), "x": random.uniform(-1, 1, 1000)})
    y = (X["side"] == "left") + 3.0 * (X["x"] > 0.2) + 0.3 * random.normal(size=1000)
    fitted = ShrimpRegressor(quick_error=True, max_order=1, input_transform="none").fit(X, y)
    assert set(SupportDisplay.from_estimator(fitted).functions) == {"level", "step"}


def test_long_names_leave_room_for_the_plot(few, tmp_path):
    X, _ = few
    X = X.rename(columns={name: f"the {name} of whatever it is, in the units that are in use here" for name in X})
    fitted = ShrimpRegressor().fit(X, np.sqrt(X.iloc[:, 0]) + X.iloc[:, 1] * X.iloc[:, 2])
    for display in (TermsDisplay, SupportDisplay, MainEffectDisplay, InteractionDisplay):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            drawn = display.from_estimator(fitted)
            drawn.figure_.savefig(tmp_path / "figure.png")
        box = drawn.ax_.get_position()
        assert box.width > 0.35 and box.height > 0.35
