"""How long default fits take, in seconds and in units of one large matrix product of the same run."""

import json
import time

import numpy as np

import figures
import simulations
from auto_uci import load
from programs import sample, write_csv
from splits import load_split, read_manifest

MOST = {  # Seconds on two cores.
    "galaxy, 2000 x 20": 10,
    "f1, 1400 x 100": 8,
    "f7, 1400 x 100": 8,
    "gas, 2309 x 128": 60,
    "borehole and 12 idle inputs, 1000 x 20": 20,
    "f3, 2000 x 1000": 12,
    "four of 5000 inputs, 300 x 5000": 90,
}
MOST_MEGABYTES = {"four of 5000 inputs, 300 x 5000": 1024}
QUICK = ["f7, 1400 x 100"]


def borehole_with_idle_inputs():
    u = np.random.default_rng(7).uniform(size=(1000, 20))
    return u, simulations.borehole(u)


def four_of_many():
    random = np.random.default_rng(5)
    X = random.uniform(-1, 1, (300, 5000))
    return X, 2 * X[:, 10] * X[:, 20] + np.sin(2 * X[:, 30]) + X[:, 40] + 0.05 * random.normal(size=300)


def tables(data):
    """By name, what makes the rows; without those whose data are not there."""
    own = {
        "f1, 1400 x 100": lambda: sample("f1", 1400, 100, 0),
        "f7, 1400 x 100": lambda: sample("f7", 1400, 100, 0),
        "borehole and 12 idle inputs, 1000 x 20": borehole_with_idle_inputs,
        "f3, 2000 x 1000": lambda: sample("f3", 2000, 1000, 0),
        "four of 5000 inputs, 300 x 5000": four_of_many,
    }
    if data is not None:
        own["galaxy, 2000 x 20"] = lambda: load_split(data, read_manifest(data)["galaxy"], 0)[0]
        own["gas, 2309 x 128"] = lambda: load(data / "uci", "gas", 0)[0]
    return own


def seconds_of_product(n=4000):
    A = np.random.default_rng(0).normal(size=(n, n))
    A @ A
    start = time.perf_counter()
    A @ A
    return time.perf_counter() - start


def measure_table(context, name, make, unit):
    path = context.programs.folder / "auto_time.csv"
    write_csv(path, *make())
    command = ["fit", path, "--target", "y", "-q", "--json"]
    run = context.programs.shrimp(*command, under=["/usr/bin/time", "-f", "%U %S %M"])
    seconds = json.loads(run.stdout)["seconds"]
    user, system, kilobytes = map(float, run.stderr.split()[-3:])
    return {"name": name, "seconds": seconds, "products": seconds / unit, "cpu": user + system, "megabytes": kilobytes / 1024}


def measure(context):
    unit = seconds_of_product()
    own = tables(context.data)
    names = QUICK if context.quick else [name for name in MOST if name in own]
    return {"unit": unit, "tables": [measure_table(context, name, own[name], unit) for name in names]}


def row(result):
    name = result["name"]
    met = result["seconds"] <= MOST[name] and result["megabytes"] <= MOST_MEGABYTES.get(name, np.inf)
    return [
        name,
        f"{result['seconds']:.1f} s",
        f"{MOST[name]} s",
        "yes" if met else "NO",
        f"{result['products']:.0f}",
        f"{result['cpu']:.1f} s",
        f"{result['megabytes']:.0f} MB",
    ]


def describe(results):
    header = ["auto, time", "time", "bar", "met", "4000^3 products", "processor", "memory"]
    return f"""{figures.table(header, map(row, results["tables"]))}
All defaults, all cores, one run each; a product of two 4000 x 4000 matrices (NumPy) took {results["unit"]:.2f} s."""
