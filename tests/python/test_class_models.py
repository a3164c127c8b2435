"""Classifiers of more than two classes: everything that describes a model is there for each class."""

import io
import json
import subprocess
import sys
import warnings

import numpy as np
import pandas
import pytest
import scipy.special
import sklearn.datasets
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
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
        k = several.classes_.tolist().index(label)
        np.testing.assert_allclose(parts.sum(axis=1), several.decision_function(X)[:, k], atol=1e-12)
        pandas.testing.assert_frame_equal(several.explain(X, class_of_interest=label), parts)
        assert several.equation(terms=1)[label] == several.equation(terms=1, class_of_interest=label)
        assert one.model_.fitted_target == f"logit({label})"
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
    several.report(tmp_path / "report.html", class_of_interest="high")
    page = (tmp_path / "report.html").read_text()
    assert "logit(high)" in page and "log loss of all classes" in page and "NaN" not in page
    with pytest.raises(ValueError, match="test rows apply to two classes only.\nOmit X and y"):
        several.report(tmp_path / "report.html", X, y, class_of_interest="high")


def test_the_report_of_two_classes_takes_test_rows(two, tmp_path):
    X, y = table(60, 2)
    y = np.where(y == "high", "up", "down")
    two.report(tmp_path / "report.html", X, y)
    page = (tmp_path / "report.html").read_text()
    assert "log odds of up" in page and "Confusion matrix" in page
    y[3] = "huge"
    with pytest.raises(ValueError, match="class 'huge' does not occur in the training rows"):
        two.report(tmp_path / "report.html", X, y)


def test_probabilities_are_the_softmax_of_linear_predictors_that_sum_to_zero(several):
    X, _ = table(50, 1)
    predictors = several.decision_function(X)
    np.testing.assert_allclose(predictors.sum(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(several.predict_proba(X), scipy.special.softmax(predictors, axis=1), atol=1e-12)
    np.testing.assert_allclose(several.predict_proba(X).sum(axis=1), 1)
    assert several.predict(X).tolist() == several.classes_[predictors.argmax(axis=1)].tolist()
    with pytest.raises(AttributeError, match="linear predictor of one class alone"):
        several.estimators_[0].predict_proba(X)


def test_a_joint_fit_of_lines_is_the_multinomial_regression_of_scikit_learn():
    X, y = sklearn.datasets.load_iris(return_X_y=True)
    X, rows = np.unique(X, axis=0, return_index=True)  # The table has a row twice, which the fit merges.
    y = y[rows]
    model = ShrimpClassifier(quick_error=True, max_order=1, ridge=0.01, input_transform="none", clip="none").fit(X, y)
    assert model.n_basis_functions_ == {0: 4, 1: 4, 2: 4}  # A line for each input is the best model of these data.
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = LogisticRegression(C=100.0, solver="newton-cholesky", tol=1e-12).fit(scaled, y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(scaled), atol=1e-8)


def test_files_of_earlier_versions_still_load(tmp_path, two):
    X, y = table(60, 2)
    ones = {name: ShrimpClassifier(**FAST).fit(X, np.where(y == name, name, f"not {name}")) for name in sorted(LABELS)}
    models = []
    for name, one in ones.items():
        one.save(tmp_path / "one.json")
        models.append(json.loads((tmp_path / "one.json").read_text()))
    content = {"format": "shrimp-classes", "format_version": 1, "classes": sorted(LABELS), "models": models}
    (tmp_path / "old.json").write_text(json.dumps(content, indent=1))
    loaded = ShrimpClassifier.load(tmp_path / "old.json")
    probability = loaded.predict_proba(X)
    assert loaded.classes_.tolist() == sorted(LABELS) and np.allclose(probability.sum(axis=1), 1)
    loaded.save(tmp_path / "again.json")
    np.testing.assert_array_equal(ShrimpClassifier.load(tmp_path / "again.json").predict_proba(X), probability)


def test_the_command_line_reads_the_file_of_several_classes(several, tmp_path):
    X, _ = table(20, 3)
    several.save(tmp_path / "m.json")
    X.to_csv(tmp_path / "rows.csv", index=False)
    run = subprocess.run(
        [sys.executable, "-m", "shrimp", "predict", tmp_path / "m.json", tmp_path / "rows.csv"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = pandas.read_csv(io.StringIO(run.stdout))
    assert found["class"].tolist() == several.predict(X).tolist()
    np.testing.assert_allclose(found[[f"probability({name})" for name in several.classes_]], several.predict_proba(X))


def test_a_class_of_one_row_does_not_stop_the_fit_of_the_others():
    X, y = table(60, 2)
    y = y.astype(object)
    y[7] = "rare"
    model = ShrimpClassifier(**FAST).fit(X, y)
    assert model.classes_.tolist() == sorted([*LABELS, "rare"])
    assert np.isfinite(model.predict_proba(X)).all()


def test_joint_fits_live_with_calibration_and_grid_search():
    X, y = table(120, 4)
    search = GridSearchCV(ShrimpClassifier(**FAST), {"max_terms": [1, 2]}, scoring="neg_log_loss", cv=2).fit(X, y)
    assert -search.best_score_ < 1.1
    calibrated = CalibratedClassifierCV(ShrimpClassifier(**FAST), cv=2).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)


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
