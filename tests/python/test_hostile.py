"""Untrusted model files, and inconsistent arguments of the extension module."""

import json
import threading
import time

import numpy as np
import pytest
from shrimp import ShrimpRegressor, _core


@pytest.fixture(scope="module")
def model():
    X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    return ShrimpRegressor(method="shrimp", order=2, features=30).fit(X, X[:, 0] * X[:, 1])


@pytest.mark.parametrize("place", ['"options": {', '"results": {'])
def test_nesting_without_end_is_refused(model, place):
    deep = "[" * 200_000 + "]" * 200_000
    text = model.model_.to_json()
    assert place in text
    with pytest.raises(ValueError, match="nested more than"):
        _core.Model.from_json(text.replace(place, f'{place}"x": {deep}, '), "text")


def test_predictions_that_are_not_finite_are_an_error(model):
    content = json.loads(model.model_.to_json())
    content["scaling"]["input_scale"] = [5e-324] * 3
    wild = _core.Model.from_json(json.dumps(content), "text")
    with pytest.raises(ValueError, match="prediction of row 1 is not finite"):
        wild.predict(np.ones((2, 3)), 1)


def test_other_threads_go_on_while_a_model_is_read_and_written(model, tmp_path):
    content = json.loads(model.model_.to_json())
    content["features"] *= 100_000 // len(content["features"])
    text = json.dumps(content)
    for work in (lambda: _core.Model.from_json(text, "text").to_json(),):
        thread = threading.Thread(target=work)
        thread.start()
        turns = 0
        while thread.is_alive():
            time.sleep(0.001)
            turns += 1
        assert turns > 20


def test_the_core_checks_what_it_is_given(model):
    X = np.zeros((4, 2))
    features = lambda offsets, variables, values, phases=(): _core.evaluate_features(
        X, np.array(offsets, np.int64), np.array(variables, np.int32), np.array(values, float), np.array(phases, float), "fourier", 1.0, 1
    )
    assert features([0, 1], [1], [0.5]).shape == (4, 2)
    for bad in (([], [], []), ([0, 5], [1], [0.5]), ([0, 2, 1], [0, 1], [1, 1]), ([0, 1], [-1], [1]), ([0, 1], [2], [1]), ([0, 1], [0], []), ([0, 1], [0], [1], [1, 2])):
        with pytest.raises(ValueError):
            features(*bad)
    Y = np.zeros((5, 3))
    for arguments in ((Y, np.zeros(6), None, None), (Y, np.zeros(5), np.zeros(4), None), (Y, np.zeros(5), None, np.zeros(4, np.uint32)), (Y[:, :2], np.zeros(5), None, None)):
        with pytest.raises(ValueError):
            _core.Summary.of(model.model_, *arguments, 2, 1)
