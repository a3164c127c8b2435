"""Uses an installed wheel: which libraries are loaded, does the model learn, and what do two OpenMP runtimes in one process,
ours and scikit-learn's, cost each other? scripts/wheel-check runs it."""

import time

import numpy as np
import pandas
import threadpoolctl
from shrimp import ShrimpRegressor
from sklearn.ensemble import HistGradientBoostingRegressor

random = np.random.default_rng(0)
X = pandas.DataFrame(random.uniform(-1, 1, (3000, 5)), columns=["speed", "load", "angle", "wear", "age"])
y = np.sin(3 * X["speed"]) + X["load"] * X["angle"] + 0.1 * random.normal(size=3000)


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ours():
    model = ShrimpRegressor().fit(X[:2000], y[:2000])
    score = model.score(X[2000:], y[2000:])
    assert score > 0.95, score
    assert set(model.terms_["term"][:2]) == {"speed", "(load, angle)"}, model.terms_


def theirs():
    HistGradientBoostingRegressor(random_state=0).fit(X, y).predict(X)


alone = [min(seconds(function) for _ in range(3)) for function in (ours, theirs)]
mixed = [min(times) for times in zip(*[(seconds(ours), seconds(theirs)) for _ in range(3)])]
print("seconds           alone  in turn")
for name, first, second in zip(["shrimp", "boosted trees"], alone, mixed):
    print(f"{name:16} {first:6.2f}  {second:7.2f}")

pools = [pool for pool in threadpoolctl.threadpool_info() if "shrimp" in pool["filepath"]]
for pool in pools:
    print(pool["internal_api"], pool["version"], pool.get("threading_layer", ""), pool["filepath"])
assert {(pool["internal_api"], pool.get("threading_layer")) for pool in pools} == {("openblas", "openmp"), ("openmp", None)}
