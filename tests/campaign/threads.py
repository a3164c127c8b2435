"""Unit tests under the thread sanitizer (the preset "threads"), and four Python threads that fit and predict at once.

Runs in the Python of build/venv-python, which has the package. The unit tests are built by clang and linked with its
OpenMP before any other, so that OpenBLAS uses it, too; Archer tells the sanitizer where its threads wait for each other."""

import os
import re
import subprocess
import sysconfig
import threading
import warnings

import numpy as np

from workplace import REPOSITORY, Findings, at_once, options

TESTS = REPOSITORY / "build" / "threads" / "tests" / "shrimp_unit_tests"
PARTS = 128
# The sanitizer's own pthread_once, under std::call_once, waits for ever after an exception.
LEFT_OUT = "DictionaryRows.RefuseToStoreWhatIsNoNumber"


def run_unit_tests(only, part, findings):
    """How many ran."""
    # One test forks and works on threads in the child, which the sanitizer will not watch unless told to. Archer asks for
    # the last: libraries that are not built with the sanitizer, OpenMP among them, are not its concern.
    settings = {
        "TSAN_OPTIONS": "exitcode=66 die_after_fork=0 ignore_noninstrumented_modules=1",
        "OMP_NUM_THREADS": "4",
        "OMP_TOOL_LIBRARIES": "libarcher.so",
        "GTEST_TOTAL_SHARDS": str(PARTS),
        "GTEST_SHARD_INDEX": str(part),
    }
    # The sanitizer knows few places for memory; some systems choose others.
    run = subprocess.run(["setarch", "--addr-no-randomize", TESTS, f"--gtest_filter={only}:-{LEFT_OUT}"], capture_output=True, text=True,
                         env=os.environ | settings)  # fmt: skip
    races = run.stderr.count("WARNING: ThreadSanitizer")
    # When a program ends, libomp does not count on threads of others that are still there, as the pool's are, nor Archer
    # on being cut short.
    of_omp = any(text in run.stderr for text in ("Assertion failure at kmp_runtime.cpp", "finished with ignores enabled"))
    if races or run.returncode != 0 and not ("[  PASSED  ]" in run.stdout and of_omp):
        findings.add(f"unit tests ended with {run.returncode}, {races} races:\n{run.stdout[-2000:]}{run.stderr[:8000]}")
    ran = re.search(r"(\d+) tests? from .* ran", run.stdout)
    count = int(ran[1]) if ran else 0
    print(f"part {part + 1} of {PARTS}: {count} unit tests", flush=True)
    return count


def fit_and_predict(seed):
    import shrimp  # The unit tests alone, with --rounds 0, do not need it.

    numbers = np.random.default_rng(seed)
    x = numbers.normal(size=(60, 3))
    model = shrimp.ShrimpRegressor(method="shrimp", order=2, features=30, random_state=seed)
    return model.fit(x, x[:, 0] * x[:, 1]).predict(x)


def run_python_threads(rounds, findings):
    """Each thread's predictions are those of the same fit by itself."""
    if rounds == 0:
        return 0
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
    tests = sum(at_once(run_unit_tests, [(chosen.only, part, findings) for part in range(PARTS)])) if TESTS.exists() else None
    fits = run_python_threads(chosen.rounds, findings)
    told = f"{tests} unit tests under ThreadSanitizer" if tests is not None else "no build with ThreadSanitizer"
    free = "without" if sysconfig.get_config_var("Py_GIL_DISABLED") else "with"
    findings.end(f"{told}; {fits} fits on four Python threads ({free} the global lock)")


if __name__ == "__main__":
    main()
