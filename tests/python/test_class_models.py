"""Classifiers of more than two classes: everything that describes a model is there for each class."""

import warnings

import numpy as np
import pandas
import pytest
from shrimp import (
    InteractionDisplay,
    MainEffectDisplay,
    Sensitivity,
    ShrimpClassifier,
    ShrimpRegressor,
    SupportDisplay,
    TermsDisplay,
    WaterfallDisplay,
)

FAST = {"quick_error": True, "max_order": 1, "input_transform": "none"}
LABELS = ["low", "middle", "high"]


def table(rows=150, seed=0):
    random = np.random.default_rng(seed)
    X = pandas.DataFrame(random.uniform(-1, 1, (rows, 3)), columns=["a", "b", "c"])
    return X, np.array(LABELS)[np.digitize(X["a"] + 0.2 * X["b"] + 0.2 * random.normal(size=rows), [-0.3, 0.3])]


@pytest.fixture(scope="module")
def several():
    return ShrimpClassifier(**FAST).fit(*table())


@pytest.fixture(scope="module")
def two():
    X, y = table()
    return ShrimpClassifier(**FAST).fit(X, np.where(y == "high", "up", "down"))


def test_attributes_of_a_model_are_dicts_by_class(several):
    for name in ("terms_", "sobol_", "path_", "n_basis_functions_", "train_mse_", "validation_log_loss_", "transforms_", "order_"):
        found = getattr(several, name)
        assert list(found) == several.classes_.tolist(), name
    for label, one in zip(several.classes_, several.estimators_):
        pandas.testing.assert_frame_equal(several.terms_[label], one.terms_)
    with pytest.raises(AttributeError, match="estimators_"):
        _ = several.model_
    assert {"terms_", "n_basis_functions_"} <= set(dir(several))
    assert not hasattr(several, "no_such_thing")


def test_what_describes_a_model_is_a_dict_by_class_or_that_of_one(several):
    X, _ = table(5, 1)
    for label, one in zip(several.classes_, several.estimators_):
        parts = several.explain(X)[label]
        np.testing.assert_allclose(parts.sum(axis=1), one.decision_function(X))
        pandas.testing.assert_frame_equal(several.explain(X, class_of_interest=label), parts)
        assert several.equation(terms=1)[label] == several.equation(terms=1, class_of_interest=label)
        assert f"log odds of {label}" in one.model_.fitted_target
        assert isinstance(several.sensitivity()[label], Sensitivity)
        assert several.gradient(X)[label].shape == X.shape
        assert several.export(to="python")[label] == one.export(to="python")
    assert list(several.explain(X, by="input", class_of_interest="low").columns) == ["intercept", *X.columns]
    assert several.clipped(X).shape == X.shape
    with pytest.raises(ValueError, match=r"'huge' has no model.\nGive one of 'high', 'low', 'middle'"):
        several.explain(X, class_of_interest="huge")


def test_two_classes_have_one_model_and_give_it_by_itself(two):
    X, _ = table(5, 1)
    assert isinstance(two.terms_, pandas.DataFrame) and isinstance(two.explain(X), pandas.DataFrame)
    pandas.testing.assert_frame_equal(two.explain(X, class_of_interest="up"), two.explain(X))
    with pytest.raises(ValueError, match="'down' has no model"):
        two.explain(X, class_of_interest="down")


def test_files_are_of_one_class(several, tmp_path):
    X, y = table(60, 2)
    for write in (several.report, several.export):
        with pytest.raises(ValueError, match="each class has its own model.\nGive class_of_interest"):
            write(tmp_path / "file")
    several.export(tmp_path / "model.py", to="python", class_of_interest="high")
    assert "def predict" in (tmp_path / "model.py").read_text()
    several.report(tmp_path / "report.html", X, y, class_of_interest="high")
    page = (tmp_path / "report.html").read_text()
    assert "log odds of high" in page and "not high" in page and "Confusion matrix" in page
    y[3] = "huge"
    with pytest.raises(ValueError, match="class 'huge' does not occur in the training rows"):
        several.report(tmp_path / "report.html", X, y, class_of_interest="high")


@pytest.mark.parametrize("display", [TermsDisplay, MainEffectDisplay, SupportDisplay, WaterfallDisplay])
def test_displays_draw_one_class(display, several, two):
    X, _ = table(5, 1)
    data = (X,) if display is WaterfallDisplay else ()
    drawn = display.from_estimator(several, *data, class_of_interest="low")
    assert drawn.figure_ is not None
    assert display.from_estimator(two, *data).figure_ is not None
    with pytest.raises(ValueError, match="Give class_of_interest, one of 'high', 'low', 'middle'"):
        display.from_estimator(several, *data)


def test_displays_of_numbers_take_no_class(fitted):
    with pytest.raises(ValueError, match="class_of_interest applies only to classifiers"):
        InteractionDisplay.from_estimator(fitted, class_of_interest=1)


def test_the_summary_in_a_notebook_has_a_table_for_each_class(several):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert several._repr_html_().count('<div class="shrimp-summary">') == 3


def test_importances_are_the_mean_over_the_classes(several):
    each = [one.feature_importances_ for one in several.estimators_]
    np.testing.assert_allclose(several.feature_importances_, np.mean(each, axis=0))
    assert several.feature_importances_.argmax() == 0


def test_labels_may_be_numbers():
    X, y = table()
    model = ShrimpClassifier(**FAST).fit(X, np.searchsorted(sorted(LABELS), y))
    assert list(model.terms_) == [0, 1, 2]
    assert len(model.explain(X, class_of_interest=np.int64(2))) == len(X)
    assert not hasattr(ShrimpRegressor(), "estimators_")
