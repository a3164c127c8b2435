"""Uses an installed wheel: does the model learn, with which libraries, and what do two OpenMP runtimes in one process,
ours and scikit-learn's, cost each other? scripts/wheel-check runs it; it runs itself for each measurement."""

import subprocess
import sys
import time

ROUNDS, REPEATS = 2, 3


def data():
    import numpy as np
    import pandas

    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.uniform(-1, 1, (3000, 5)), columns=["speed", "load", "angle", "wear", "age"])
    return X, np.sin(3 * X["speed"]) + X["load"] * X["angle"] + 0.1 * random.normal(size=3000)


def boosted_trees(X, y):
    from sklearn.ensemble import HistGradientBoostingRegressor

    HistGradientBoostingRegressor(random_state=0).fit(X, y).predict(X)


def shrimp(X, y):
    from shrimp import ShrimpRegressor

    model = ShrimpRegressor().fit(X[:2000], y[:2000])
    score = model.score(X[2000:], y[2000:])
    assert score > 0.95, score
    assert set(model.terms_["term"][:2]) == {"speed", "(load, angle)"}, model.terms_


def least_seconds(function, before=None):
    """Of several calls, each after a call of `before`."""
    X, y = data()
    times = []
    for _ in range(REPEATS):
        if before:
            before(X, y)
        start = time.perf_counter()
        function(X, y)
        times.append(time.perf_counter() - start)
    return min(times)


def check_libraries():
    import threadpoolctl

    shrimp(*data())
    pools = [pool for pool in threadpoolctl.threadpool_info() if "shrimp.libs" in pool["filepath"]]
    for pool in pools:
        print(f"loaded {pool['filepath'].rpartition('/')[2]}, {pool['num_threads']} threads")
    found = {(pool["internal_api"], pool.get("threading_layer")) for pool in pools}
    assert found == {("openblas", "openmp"), ("openmp", None)}, found


def run(mode):
    command = [sys.executable, "-W", "ignore", __file__, mode]
    return [float(word) for word in subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.split()]


def compare():
    """Alone and taking turns, one after the other: other programs on the machine slow both."""
    results = [(run("alone"), run("turns")) for _ in range(ROUNDS)]
    print("seconds        alone  taking turns")
    for k, name in enumerate(["shrimp", "boosted trees"]):
        print(f"{name:13}  {min(alone[k] for alone, _ in results):5.2f}  {min(turns[k] for _, turns in results):12.2f}")


if sys.argv[1:] == ["alone"]:
    print(least_seconds(shrimp), run("trees")[0])
elif sys.argv[1:] == ["trees"]:
    print(least_seconds(boosted_trees))
elif sys.argv[1:] == ["turns"]:
    print(least_seconds(shrimp, boosted_trees), least_seconds(boosted_trees, shrimp))
else:
    check_libraries()
    compare()
