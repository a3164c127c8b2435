"""Fits that are interrupted, outlived or forked: the process goes on, or ends, as any other."""

import subprocess
import sys
import textwrap

import pytest

BEGIN = """
import os, signal, sys, threading, time, types
import numpy as np
from shrimp import ShrimpRegressor

def table(rows, inputs=3):
    X = np.random.default_rng(0).uniform(-1, 1, (rows, inputs))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * np.random.default_rng(1).normal(size=rows)

long = ShrimpRegressor(method="shrimp", features=12000, prune=0.02, order=2)
short = ShrimpRegressor(method="shrimp", features=100, order=2)
"""


def run(script):
    return subprocess.run([sys.executable, "-c", BEGIN + textwrap.dedent(script)], capture_output=True, text=True, timeout=300)


def test_an_interrupted_fit_stops_working():
    told = run("""
        X, y = table(1500, 6)
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            long.fit(X, y)
            sys.exit("was not interrupted")
        except KeyboardInterrupt:
            pass
        for _ in range(100):
            before = time.process_time()
            time.sleep(0.1)
            if time.process_time() - before < 0.02:
                sys.exit()
        sys.exit("goes on")
    """)
    assert told.returncode == 0, told.stderr


def test_an_interrupted_fit_leaves_the_best_model_so_far():
    """The callback interrupts at its first step, whenever that is."""
    told = run("""
        from shrimp import ShrimpClassifier
        X, y = table(300)
        for estimator, target in [(ShrimpRegressor(verbose=1), y), (ShrimpClassifier(verbose=1), y > 0)]:
            try:
                sys.stderr = types.SimpleNamespace(isatty=lambda: False, flush=lambda: None, write=lambda text: signal.raise_signal(signal.SIGINT))
                estimator.fit(X, target)
                sys.exit("was not interrupted")
            except KeyboardInterrupt:
                sys.stderr = sys.__stderr__
            assert estimator.n_basis_functions_ > 0
            assert np.mean(estimator.predict(X) == target) > 0.6 if target is not y else estimator.score(X, y) > 0.3
    """)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("work", ["long.fit(X, y)", "[model.predict(X) for _ in range(10**6)]"], ids=["fit", "predict"])
def test_the_interpreter_ends_while_daemons_work(work):
    told = run(f"""
        X, y = table(1500, 6)
        model = short.fit(X[:60], y[:60])
        for _ in range(3):
            threading.Thread(target=lambda: {work}, daemon=True).start()
        time.sleep(0.4)
    """)
    assert (told.returncode, told.stderr) == (0, "")


def test_a_forked_process_can_do_all_that_its_parent_did():
    told = run("""
        X, y = table(400)
        def use():
            model = ShrimpRegressor(quick_error=True).fit(X, y)
            assert model.score(X, y) > 0.9 and model.predict(X[:5]).shape == (5,)
            model.partial_fit(X, y).simplify(terms=1)
            model.predict_terms(X), model.gradient(X), model.sobol_
            return model
        model = use()
        child = os.fork()
        if child == 0:
            signal.alarm(200)
            model.score(X, y)
            use()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        model.score(X, y)
    """)
    assert told.returncode == 0, told.stderr


def test_threads_are_bounded_for_any_n_jobs():
    """A limit of the address space has no room for a thousand stacks and buffers of linear algebra."""
    told = run("""
        import resource
        X, y = table(300)
        resource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))
        short.set_params(n_jobs=1000).fit(X, y).predict(X)
        assert len(os.listdir("/proc/self/task")) < 70
    """)
    assert told.returncode == 0, told.stderr
