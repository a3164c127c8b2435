"""Many small fits and predictions in one process: memory, threads and descriptors do not grow.

Runs in the Python of build/venv-python, which has the package."""

import os
import warnings

import numpy as np
import shrimp

from workplace import Findings, options


def resident_bytes():
    with open("/proc/self/statm") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def standing():
    return {
        "memory": resident_bytes(),
        "threads": len(os.listdir("/proc/self/task")),
        "descriptors": len(os.listdir("/proc/self/fd")),
    }


def fit_and_predict(number):
    numbers = np.random.default_rng(number % 50)
    x = numbers.normal(size=(40, 3))
    y = x[:, 0] * x[:, 1] + x[:, 2]
    model = shrimp.ShrimpRegressor(method="shrimp", order=2, features=20, random_state=number % 50).fit(x, y)
    if not np.isfinite(model.predict(x)).all():
        raise AssertionError("a prediction is not finite")


def main():
    warnings.simplefilter("ignore")
    chosen = options(__doc__, fits=1000)
    findings = Findings("soak")
    warm = max(100, chosen.fits // 10)
    for number in range(warm):
        fit_and_predict(number)
    before = standing()
    for number in range(warm, chosen.fits):
        fit_and_predict(number)
    after = standing()
    growth = {name: after[name] - before[name] for name in before}
    # A few pages come and go.
    if growth["memory"] > 4e6 or growth["threads"] > 0 or growth["descriptors"] > 0:
        findings.add(f"growth of {growth}")
    findings.end(
        f"{chosen.fits} fits and predictions: memory {growth['memory'] / 1e6:+.1f} MB, threads {growth['threads']:+d}, "
        f"descriptors {growth['descriptors']:+d}"
    )


if __name__ == "__main__":
    main()
