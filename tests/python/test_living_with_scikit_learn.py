"""Pipelines, searches, parallel cross-validation, metadata routing, callbacks, threads, interrupts."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import shrimp._core
import sklearn
import threadpoolctl
from shrimp import ShrimpClassifier, ShrimpRegressor, SparseRandomFeatures
from shrimp._threads import threads_for
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def test_pipelines_with_regressor_and_transformer_fit(data):
    X, y = data
    assert make_pipeline(StandardScaler(), ShrimpRegressor(features=200)).fit(X, y).score(X, y) > 0.99
    assert make_pipeline(SparseRandomFeatures(features=300, sigma2=4), Ridge(1e-6)).fit(X, y).score(X, y) > 0.99


def test_grid_search_finds_the_order(data):
    search = GridSearchCV(ShrimpRegressor(method="shrimp", features=200), {"order": [1, 2]}, cv=3).fit(*data)
    assert search.best_params_ == {"order": 2}


@pytest.fixture(scope="module")
def classes(data):
    """A classifier whose fits are fast, and rows of two classes."""
    X, y = data
    return ShrimpClassifier(max_order=1, quick_error=True), X, np.where(y > 0, "high", "low")


@pytest.mark.filterwarnings("ignore::shrimp.OutsideRangeWarning")
def test_a_classifier_is_searched_calibrated_and_cross_validated(classes):
    estimator, X, y = classes
    search = GridSearchCV(estimator, {"class_weight": [None, "balanced"]}, scoring="neg_log_loss", cv=2, refit=False).fit(X, y)
    assert -np.log(2) < search.best_score_ < 0  # Better than equal probabilities.
    calibrated = CalibratedClassifierCV(estimator, cv=2).fit(X, y)
    for probability in (calibrated.predict_proba(X), cross_val_predict(estimator, X, y, cv=2, method="predict_proba")):
        assert probability.shape == (len(X), 2) and np.allclose(probability.sum(axis=1), 1)
        assert np.mean(calibrated.classes_[probability.argmax(axis=1)] == y) > 0.7
    assert np.mean(cross_val_predict(estimator, X, y, cv=2) == y) > 0.7


def test_pipelines_are_cloned_and_pickled(classes):
    estimator, X, y = classes
    fitted = make_pipeline(StandardScaler(), estimator).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), fitted.predict_proba(X))
    copy = clone(fitted)
    assert not hasattr(copy[-1], "classes_") and copy[-1].get_params() == estimator.get_params()


def test_cross_validation_in_two_processes_gives_the_same_scores(data):
    estimator = ShrimpRegressor(features=100)
    assert np.array_equal(cross_val_score(estimator, *data, n_jobs=2), cross_val_score(estimator, *data, n_jobs=1))


def test_weights_are_routed(data):
    X, y = data
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = ShrimpRegressor(method="shrimp", features=50).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        weights = np.random.default_rng(0).integers(1, 3, len(y)).astype(float)
        routed = cross_validate(estimator, X, y, params={"sample_weight": weights})["test_score"]
        plain = cross_validate(estimator, X, y)["test_score"]
    assert not np.array_equal(routed, plain)


def test_threads_follow_n_jobs_and_threadpoolctl():
    cores = len(os.sched_getaffinity(0))
    assert threads_for(1) == 1
    assert threads_for(cores) == threads_for(cores + 1) == threads_for(-1) == cores
    with threadpoolctl.threadpool_limits(1):
        assert threads_for(None) == 1
    with threadpoolctl.threadpool_limits(2, user_api="openmp"):
        assert threads_for(None) == 2


def test_models_do_not_depend_on_the_number_of_threads(data):
    one, three = (ShrimpRegressor(features=100, n_jobs=n).fit(*data).model_.to_json() for n in (1, 3))
    assert one == three


@pytest.fixture(scope="module")
def large():
    """A fit of this takes a second or more."""
    X = np.random.default_rng(0).uniform(-1, 1, (700, 20))
    return X, X[:, 0] * X[:, 1] + np.sin(X[:, 2])


def test_python_goes_on_while_a_fit_runs(large):
    """A fit that held the lock would let this count to one or two; how fast it counts is measured in bench/."""
    done = threading.Event()
    thread = threading.Thread(target=lambda: (ShrimpRegressor(features=10000).fit(*large), done.set()))
    thread.start()
    count = 0
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 20


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from shrimp import ShrimpRegressor
X = np.random.default_rng(0).uniform(-1, 1, (800, 20))
y = X[:, 0] * X[:, 1] + np.sin(X[:, 2])
model = ShrimpRegressor(method="shrimp", features=5000, folds=200)  # Minutes, in steps of less than a second.
sent = []
def interrupt():
    time.sleep(1)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    model.fit(X, y)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted after", time.monotonic() - sent[0], flush=True)
ShrimpRegressor(features=50).fit(X[:50], y[:50])
print("and well", flush=True)
"""


def test_a_keyboard_interrupt_ends_a_fit():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert "and well" in run.stdout
    assert "interrupted after" in run.stdout and "not interrupted" not in run.stdout


def test_verbose_shows_progress_on_standard_error(large, capsys):
    ShrimpRegressor(features=5000, verbose=1).fit(*large)
    captured = capsys.readouterr()
    assert "basis functions, validation MSE" in captured.err
    assert captured.out == ""


def test_fits_are_silent_by_default(data, capfd):
    ShrimpRegressor(features=100).fit(*data)
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""


def test_callbacks_of_scikit_learn_receive_a_hundred_subtasks(large):
    pytest.importorskip("sklearn.callback")
    events = []

    class Recorder:
        def setup(self, estimator, context):
            events.append("setup")

        def on_fit_task_begin(self, estimator, context):
            events.append(("begin", context.parent is None))

        def on_fit_task_end(self, estimator, context):
            events.append(("end", context.parent is None))

        def teardown(self, estimator, context):
            events.append("teardown")

    ShrimpRegressor(features=2000).set_callbacks(Recorder()).fit(*large)
    assert events[0] == "setup" and events[-1] == "teardown"
    assert events.count(("end", False)) == events.count(("begin", False)) == 100
    assert events.count(("end", True)) == events.count(("begin", True)) == 1


def test_errors_in_callbacks_end_the_fit(large):
    class Refusal(Exception):
        pass

    def refuse(*progress):
        raise Refusal

    X, y = large
    with pytest.raises(Refusal):
        shrimp._core.fit(X, y, None, [f"x{j}" for j in range(20)], "y", {"features": "5000"}, None, None, refuse)


def test_importing_does_no_work():
    """Nothing is imported before it is used: neither scikit-learn nor pandas nor matplotlib nor NumPy."""
    code = "import sys, shrimp; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sklearn", "pandas", "matplotlib", "numpy", "scipy"} & set(loaded)


def test_interrupts_in_other_threads_are_left_to_the_main_thread(data):
    before = signal.getsignal(signal.SIGINT)  # A shell's background job ignores it from the start.
    results = []
    thread = threading.Thread(target=lambda: results.append(ShrimpRegressor(features=100).fit(*data)))
    thread.start()
    thread.join()
    assert results and signal.getsignal(signal.SIGINT) is before
