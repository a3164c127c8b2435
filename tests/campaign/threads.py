"""Unit tests under the thread sanitizer (the preset "threads"), and four Python threads that fit and predict at once.

Runs in the Python of build/venv-python, which has the package. GCC and clang have the same sanitizer; OpenMP works inside
of OpenBLAS alone, and thread_sanitizer.supp says why that is left out."""

import os
import pathlib
import re
import subprocess
import sysconfig
import threading
import warnings

import numpy as np
import shrimp

from workplace import REPOSITORY, Findings, options

TESTS = REPOSITORY / "build" / "threads" / "tests" / "shrimp_unit_tests"


def run_unit_tests(only, findings):
    """How many ran."""
    # One test forks and works on threads in the child, which the sanitizer will not watch unless told to.
    settings = ["exitcode=66", "die_after_fork=0", f"suppressions={pathlib.Path(__file__).parent / 'thread_sanitizer.supp'}"]
    environment = os.environ | {"TSAN_OPTIONS": " ".join(settings), "OMP_NUM_THREADS": "4"}
    # The sanitizer knows few places for memory; some systems choose others.
    run = subprocess.run(["setarch", "--addr-no-randomize", TESTS, f"--gtest_filter={only}"], capture_output=True, text=True, env=environment)
    races = run.stderr.count("WARNING: ThreadSanitizer")
    if races or run.returncode != 0:
        findings.add(f"unit tests ended with {run.returncode}, {races} races:\n{run.stderr[:4000]}")
    ran = re.search(r"(\d+) tests? from .* ran", run.stdout)
    return int(ran[1]) if ran else 0


def fit_and_predict(seed):
    numbers = np.random.default_rng(seed)
    x = numbers.normal(size=(60, 3))
    model = shrimp.ShrimpRegressor(method="shrimp", order=2, features=30, random_state=seed)
    return model.fit(x, x[:, 0] * x[:, 1]).predict(x)


def run_python_threads(rounds, findings):
    """Each thread's predictions are those of the same fit by itself."""
    expected = [fit_and_predict(seed) for seed in range(4)]

    def work(seed):
        for _ in range(rounds):
            if not np.array_equal(fit_and_predict(seed), expected[seed]):
                findings.add(f"thread {seed} predicts something else beside the others")

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return 4 * rounds


def main():
    warnings.simplefilter("ignore")
    chosen = options(__doc__, rounds=25, only="*Thread*:Pool*:Blas*")
    findings = Findings("threads")
    tests = run_unit_tests(chosen.only, findings) if TESTS.exists() else None
    fits = run_python_threads(chosen.rounds, findings)
    told = f"{tests} unit tests under ThreadSanitizer" if tests is not None else "no build with ThreadSanitizer"
    free = "without" if sysconfig.get_config_var("Py_GIL_DISABLED") else "with"
    findings.end(f"{told}; {fits} fits on four Python threads ({free} the global lock)")


if __name__ == "__main__":
    main()
