"""The summary in a notebook, and the model of low order that a kernel term replaced."""

import copy
import pickle

import numpy as np
import pytest

from shrimp import ShrimpClassifier, ShrimpRegressor


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(5)
    X = random.uniform(-1, 1, (300, 6))
    return X, np.cos(X.sum(axis=1)) + 2 * X[:, 0] + 0.05 * random.normal(size=300)


@pytest.fixture(scope="module")
def fitted(rows):
    return ShrimpRegressor().fit(*rows)


def test_the_readable_model_has_no_kernel_term_and_its_error(rows, fitted):
    readable = fitted.readable_
    assert fitted.terms_["order"].max() == 6 and readable.terms_["order"].max() <= 3
    assert readable.validation_mse_ == fitted.model_.results["readable_mse"] > fitted.validation_mse_
    assert readable.n_basis_functions_ == fitted.model_.results["readable_basis_functions"]
    assert max(readable.order_) == fitted.model_.results["readable_max_order"]
    # The rows of a new sample are the oracle of both errors.
    X = np.random.default_rng(6).uniform(-1, 1, (2000, 6))
    y = np.cos(X.sum(axis=1)) + 2 * X[:, 0]
    for model in (fitted, readable):
        assert np.mean((model.predict(X) - y) ** 2) + 0.05**2 == pytest.approx(model.validation_mse_, rel=0.6)
    assert readable.readable_ is None
    assert "kernel term" not in readable._repr_html_()


def test_the_readable_model_is_copied_with_the_estimator_and_not_saved(fitted, tmp_path):
    for other in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))):
        assert other.readable_.n_basis_functions_ == fitted.readable_.n_basis_functions_
    fitted.save(tmp_path / "model.json")
    assert ShrimpRegressor.load(tmp_path / "model.json").readable_ is None


def test_the_notebook_shows_errors_effects_and_the_readable_model(fitted):
    page = fitted._repr_html_()
    assert "error: RMSE" in page and "linear model" in page
    assert "increasing, linear" in page and "interactions above order 3:" in page
    assert "without the kernel term, as <code>readable_</code>" in page


def test_models_without_kernel_term_are_readable_themselves(rows):
    model = ShrimpRegressor(max_order=2, quick_error=True).fit(*rows)
    assert model.readable_ is None
    assert "readable model" not in model._repr_html_()


def test_the_notebook_compares_classes_with_a_logistic_regression(rows):
    X, y = rows
    page = ShrimpClassifier(quick_error=True).fit(X, y > 0)._repr_html_()
    assert "log loss" in page and "constant probability" in page and "logistic regression" in page
