"""Classes, counts and outliers as scikit-learn has them."""

import pickle

import numpy as np
import pandas
import pytest
import shrimp
from shrimp import ShrimpClassifier, ShrimpRegressor
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.utils.class_weight import compute_sample_weight

FAST = {"quick_error": True, "max_order": 1, "input_transform": "none"}


def two_classes(rows, seed, names=("down", "up")):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (rows, 3))
    up = random.uniform(size=rows) < 1 / (1 + np.exp(-3 * X[:, 0] - np.sin(3 * X[:, 1])))
    return X, np.asarray(names)[up.astype(int)]


def three_classes(rows, seed):
    X = np.random.default_rng(seed).uniform(-1, 1, (rows, 3))
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.2 * X[:, 1], [-0.3, 0.3])]


@pytest.fixture(scope="module")
def model():
    return ShrimpClassifier(**FAST).fit(*two_classes(300, 1))


@pytest.fixture(scope="module")
def several():
    return ShrimpClassifier(**FAST).fit(*three_classes(200, 1))


def test_probabilities_are_those_of_the_log_odds(model):
    X, y = two_classes(500, 2)
    probability = model.predict_proba(X)
    assert probability.shape == (500, 2) and np.allclose(probability.sum(axis=1), 1)
    assert np.allclose(probability[:, 1], 1 / (1 + np.exp(-model.decision_function(X))))
    assert np.array_equal(model.predict(X), np.where(probability[:, 1] > 0.5, "up", "down"))
    assert log_loss(y, probability) < 0.6
    assert np.allclose(model.predict_terms(X).sum(axis=1), model.decision_function(X))


@pytest.mark.parametrize("names", [(0, 1), (-1.0, 2.0), (False, True), ("no", "yes")])
def test_classes_are_of_any_type_and_come_back_from_files(names, tmp_path):
    X, y = two_classes(100, 1, names)
    fitted = ShrimpClassifier(**FAST).fit(X, y)
    fitted.save(tmp_path / "model.json")
    loaded = ShrimpClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == fitted.classes_.tolist() == list(names)
    assert np.array_equal(loaded.predict(X), fitted.predict(X)) and loaded.predict(X).dtype == y.dtype
    assert loaded.quick_error is True


def test_more_classes_have_a_model_each(several, tmp_path):
    X, y = three_classes(200, 2)
    probability = several.predict_proba(X)
    assert probability.shape == (200, 3) and np.allclose(probability.sum(axis=1), 1)
    assert several.score(X, y) > 0.85
    assert [len(one.terms_) > 0 for one in several.estimators_] == [True] * 3
    several.save(tmp_path / "several.json")
    loaded = ShrimpClassifier.load(tmp_path / "several.json")
    assert np.array_equal(loaded.predict_proba(X), probability) and loaded.classes_.tolist() == ["a", "b", "c"]
    assert np.array_equal(pickle.loads(pickle.dumps(several)).predict_proba(X), probability)


def test_class_weights_are_weights_of_rows():
    X, y = two_classes(150, 1)
    balanced = ShrimpClassifier(**FAST, class_weight="balanced").fit(X, y)
    weighted = ShrimpClassifier(**FAST).fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    assert np.array_equal(balanced.predict_proba(X), weighted.predict_proba(X))
    heavy = ShrimpClassifier(**FAST, class_weight={"up": 10, "down": 1}).fit(X, y)
    assert heavy.predict_proba(X)[:, 1].mean() > balanced.predict_proba(X)[:, 1].mean() + 0.1


def test_an_export_predicts_the_probability_of_the_second_class(model):
    X, _ = two_classes(20, 3)
    module = {}
    exec(model.export(to="python"), module)
    assert module["predict"](X) == pytest.approx(model.predict_proba(X)[:, 1])


def test_what_is_no_pair_of_classes_is_refused(model, tmp_path):
    X, y = two_classes(50, 1)
    with pytest.raises(ValueError, match="y has a single class, 'a'"):
        ShrimpClassifier().fit(X, ["a"] * 50)
    with pytest.raises(ValueError, match="class up of .* has 1 row, but 2 are needed"):
        ShrimpClassifier().fit(X, ["up"] + ["down"] * 49)
    with pytest.raises(ValueError, match="class 'up' has no row with a weight above 0"):
        ShrimpClassifier().fit(X, y, sample_weight=(y == "down").astype(float))
    with pytest.raises(ValueError, match="ShrimpClassifier"):
        ShrimpRegressor(loss="logistic").fit(X, y == "up")
    model.save(tmp_path / "model.json")
    with pytest.raises(ValueError, match="Load it with ShrimpClassifier.load"):
        ShrimpRegressor.load(tmp_path / "model.json")
    ShrimpRegressor(method="min-l2", features=5).fit(X, X[:, 0]).save(tmp_path / "numbers.json")
    with pytest.raises(ValueError, match="contains a model without classes"):
        ShrimpClassifier.load(tmp_path / "numbers.json")


def test_rows_may_be_chosen_by_others(model):
    X, y = two_classes(120, 1)
    fitted = clone(model).fit(X, y, X_val=X[:60], y_val=y[:60])
    assert fitted.score(X, y) > 0.7
    with pytest.raises(ValueError, match="class 'left' does not occur in y"):
        clone(model).fit(X, y, X_val=X[:2], y_val=["left", "up"])


def test_counts_are_predicted_as_rates_over_their_exposure():
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (300, 2))
    hours = random.choice([1.0, 4.0], 300)
    y = random.poisson(hours * np.exp(1 + X[:, 0]))
    rates = ShrimpRegressor(loss="poisson", **FAST).fit(X, y, exposure=hours).predict(X)
    assert np.mean(np.abs(np.log(rates) - 1 - X[:, 0])) < 0.15
    with pytest.raises(ValueError, match="is not a count"):
        ShrimpRegressor(loss="poisson").fit(X, y + 0.5)
    with pytest.raises(ValueError, match="exposure applies to counts"):
        ShrimpRegressor().fit(X, y, exposure=hours)


def test_quantiles_and_classifiers_offer_no_updates(model):
    assert not hasattr(ShrimpRegressor(loss="quantile"), "partial_fit")
    assert not hasattr(model, "partial_fit")
    assert hasattr(ShrimpRegressor(), "partial_fit")


def test_the_classifier_is_public():
    assert "ShrimpClassifier" in shrimp.__all__


@pytest.mark.parametrize("classes", [("no", "yes"), ("few", "many", "some")], ids=["two", "three"])
def test_inputs_may_be_categories_and_lack_cells(classes):
    random = np.random.default_rng(0)
    X = pandas.DataFrame({"x": random.normal(size=240), "kind": random.choice(["u", "v", "w"], 240)})
    score = 2 * X["x"] + 2 * (X["kind"] == "u")
    y = np.array(classes)[np.digitize(score, np.quantile(score, np.arange(1, len(classes)) / len(classes)))]
    X.loc[:20, "x"] = np.nan
    model = ShrimpClassifier(quick_error=True, max_order=1).fit(X, y)
    assert model.score(X, y) > 0.8
    with pytest.warns(UserWarning, match='"new"'):
        assert np.isfinite(model.predict_proba(X[:3].assign(kind="new"))).all()
