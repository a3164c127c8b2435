#!/usr/bin/env python3
"""What the Python package costs beside the command line: time, memory, import, and whether Python goes on meanwhile.

    make python && build/venv-python/bin/python bench/python_layer.py
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(REPOSITORY / "tests" / "cli"))

from functions import sample, write_csv  # noqa: E402

SHRIMP = REPOSITORY / "build" / "release" / "bin" / "shrimp"
LARGE = (1400, 100, "f7")
MEMORY = """
import sys
import numpy as np
from shrimp import ShrimpRegressor
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
table = np.load(sys.argv[1])
before = peak()
ShrimpRegressor(order=2, features=10000).fit(table[:, :-1], table[:, -1])
print(before, peak())
"""
INTERRUPT = """
import _thread, sys, threading, time
import numpy as np
from shrimp import ShrimpRegressor
table = np.load(sys.argv[1])
sent = []
threading.Timer(1.0, lambda: (sent.append(time.monotonic()), _thread.interrupt_main())).start()
try:
    ShrimpRegressor(order=2, features=10000, folds=10).fit(table[:, :-1], table[:, -1])
except KeyboardInterrupt:
    print(time.monotonic() - sent[0], flush=True)
"""


def python(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


def imports():
    """Seconds, and those of the processor, to import the package; and with an estimator, which loads scikit-learn."""
    code = "import time; a, b = time.perf_counter(), time.process_time(); {}; print(time.perf_counter() - a, time.process_time() - b)"
    for what in ("import shrimp", "from shrimp import ShrimpRegressor", "import sklearn.base"):
        runs = [tuple(map(float, python(code.format(what)).split())) for _ in range(5)]
        wall, cpu = (statistics.median(values) for values in zip(*runs))
        print(f"{what:36} {wall:.3f} s, {cpu:.3f} s of the processor")


def overhead(runs=15):
    """The whole call of fit from Python, next to the seconds that the library reports for its own part of it."""
    from shrimp import ShrimpRegressor, _core

    X, y = sample("f3", 140, 10, seed=0)
    inside = []
    fit = _core.fit

    def watched(*arguments):
        result = fit(*arguments)
        inside.append(result.seconds)
        return result

    _core.fit = watched
    outside = []
    for _ in range(runs):
        start = time.perf_counter()
        ShrimpRegressor(order=2, features=10000).fit(X, y)
        outside.append(time.perf_counter() - start)
    _core.fit = fit
    added = [whole - own for whole, own in zip(outside, inside)]
    own = statistics.median(inside)
    print(
        f"fit of (140, 10, 10000, 2): {own * 1e3:.1f} ms in the library, {statistics.median(added) * 1e3:.2f} ms around it: "
        f"{100 * statistics.median(added) / own:.1f} %"
    )


def counting():
    """How far Python counts while another thread fits, next to how far it counts alone in the same time."""
    from shrimp import ShrimpRegressor

    X, y = sample(LARGE[2], LARGE[0], LARGE[1], seed=0)
    done = threading.Event()
    cores = len(os.sched_getaffinity(0))
    model = ShrimpRegressor(order=2, features=10000, n_jobs=max(1, cores - 1))
    thread = threading.Thread(target=lambda: (model.fit(X, y), done.set()))
    start = time.perf_counter()
    thread.start()
    count, longest, last = 0, 0.0, start
    while not done.is_set():
        count += 1
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    seconds = time.perf_counter() - start
    thread.join()
    alone, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        alone += 1
        done.is_set()
    print(
        f"counting while (1400, 100, 10000, 2) is fitted for {seconds:.1f} s: {count / 1e6:.1f} million, "
        f"{alone / 1e6:.1f} million alone; the longest pause was {1e3 * longest:.0f} ms"
    )


def memory_and_interrupt(folder):
    x, y = sample(LARGE[2], LARGE[0], LARGE[1], seed=0)
    np.save(folder / "table.npy", np.column_stack([x, y]))
    write_csv(folder / "table.csv", x, y)
    before, peak = map(int, python(MEMORY, folder / "table.npy").split())
    command = [SHRIMP, "fit", folder / "table.csv", "--target", "y", "--order", "2", "--features", "10000", "-q"]
    report = subprocess.run(["/usr/bin/time", "-v", *command], check=True, capture_output=True, text=True).stderr
    cli = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", report)[1])
    print(
        f"peak memory at (1400, 100, 10000, 2): command line {cli / 1024:.0f} MiB; Python {peak / 1024:.0f} MiB, of which "
        f"{before / 1024:.0f} MiB were there before the fit (scikit-learn and the data): the fit adds "
        f"{(peak - before) / cli:.2f} x, in all {peak / cli:.2f} x"
    )
    print(f"Ctrl-C raises KeyboardInterrupt after {float(python(INTERRUPT, folder / 'table.npy')):.3f} s")


def main():
    print(f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores")
    imports()
    overhead()
    counting()
    with tempfile.TemporaryDirectory() as folder:
        memory_and_interrupt(pathlib.Path(folder))


if __name__ == "__main__":
    main()
