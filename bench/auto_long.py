"""The default method on long tables, beside LightGBM and an oracle that knows the terms, on the same rows in one run."""

import itertools
import json
import re
import time

import numpy as np

import figures
import progress

D, NOISE, TESTED = 20, 0.05, 20_000
ROWS, QUICK_ROWS = [100_000, 1_000_000], [60_000]
AT_ONCE = 100_000
SINGLES, PAIRS = [0, 1], [(2, 3), (4, 5), (6, 7)]  # The inputs of the terms.
DEGREE = {1: 14, 2: 10}  # Of the oracle's polynomials, by the order of the term.
MOST_SECONDS, MOST_BYTES, MOST_RATIO = 90, 2 * 2**30, 1.1


def truth(x):
    pairs = 2 * x[:, 2] * x[:, 3] + np.exp(x[:, 4]) * np.cos(2 * x[:, 5]) + 0.05 * x[:, 6] * x[:, 7]
    return 2 * np.sin(2 * x[:, 0]) + 1.5 * x[:, 1] ** 2 + pairs


def draw(rows):
    """(X, y) with noise, and (X, truth) to test by."""
    random = np.random.default_rng(0)
    X, X_test = random.uniform(-1, 1, (rows, D)), random.uniform(-1, 1, (TESTED, D))
    values = truth(X)
    return (X, values + NOISE * values.std() * random.normal(size=rows)), (X_test, truth(X_test))


def oracle_columns(x):
    def legendre(j, degree):
        return np.polynomial.legendre.legvander(x[:, j], degree)

    columns = [np.ones((len(x), 1))]
    columns += [legendre(j, DEGREE[1])[:, 1:] for j in SINGLES]
    for j, k in PAIRS:
        a, b = legendre(j, DEGREE[2]), legendre(k, DEGREE[2])
        powers = [p for p in itertools.product(range(DEGREE[2] + 1), repeat=2) if 0 < sum(p) <= DEGREE[2]]
        columns.append(np.column_stack([a[:, p] * b[:, q] for p, q in powers]))
    return np.column_stack(columns)


def oracle(X, y, X_test):
    """Least squares on polynomials of the true terms."""
    G, b = 0, 0
    for first in range(0, len(y), AT_ONCE):
        A = oracle_columns(X[first : first + AT_ONCE])
        G, b = G + A.T @ A, b + A.T @ y[first : first + AT_ONCE]
    return oracle_columns(X_test) @ np.linalg.solve(G, b)


def lightgbm(X, y, X_test):
    import lightgbm

    parameters = {"objective": "regression", "learning_rate": 0.05, "num_leaves": 63, "verbose": -1}
    held = len(y) // 10
    train, valid = lightgbm.Dataset(X[held:], y[held:]), lightgbm.Dataset(X[:held], y[:held])
    stop = lightgbm.early_stopping(50, verbose=False)
    return lightgbm.train(parameters, train, 2000, valid_sets=[valid], callbacks=[stop]).predict(X_test)


def write(path, X, y):
    with open(path, "w") as file:
        file.write(",".join(f"x{j + 1}" for j in range(D)) + ",y\n")
        for first in range(0, len(y), AT_ONCE):
            np.savetxt(file, np.column_stack([X, y[:, None]])[first : first + AT_ONCE], fmt="%.9g", delimiter=",")


def measure_ours(programs, train, test):
    path, tested, model = (programs.folder / f"long_{part}" for part in ["train.csv", "test.csv", "model.json"])
    write(path, *train)
    write(tested, *test)
    start = time.perf_counter()
    timed = ["/usr/bin/time", "-f", "peak %M kB"]
    run = programs.shrimp("fit", path, "--target", "y", "--json", "-q", "--output", model, under=timed)
    seconds = time.perf_counter() - start
    evaluation = json.loads(programs.shrimp("evaluate", model, tested, "--json").stdout)
    path.unlink()
    peak = 1024 * int(re.search(r"peak (\d+) kB", run.stderr).group(1))
    columns = json.loads(run.stdout)["basis_functions"]
    return {"mse": evaluation["mse"], "seconds": seconds, "bytes": peak, "columns": columns}


def measure_peer(predict, train, test):
    start = time.perf_counter()
    predicted = predict(*train, test[0])
    return {"mse": float(np.mean((predicted - test[1]) ** 2)), "seconds": time.perf_counter() - start}


def measure(context):
    results = []
    for rows in QUICK_ROWS if context.quick else ROWS:
        train, test = draw(rows)
        peers = {name: measure_peer(peer, train, test) for name, peer in {"LightGBM": lightgbm, "oracle": oracle}.items()}
        noise = (NOISE**2) * float(np.var(test[1]))
        results.append({"rows": rows, "noise": noise, "auto": measure_ours(context.programs, train, test)} | peers)
        progress.report(row(results[-1]))
    return results


def row(result):
    ours, peer, known, noise = (result[name] for name in ["auto", "LightGBM", "oracle", "noise"])
    ratio = (ours["mse"] + noise) / (known["mse"] + noise)
    return [
        f"{result['rows']} x {D}",
        f"{ours['seconds']:.1f} s",
        f"{ours['bytes'] / 2**20:.0f} MiB",
        ours["columns"],
        *(f"{error['mse']:.2e}" for error in [ours, known, peer]),
        figures.at_most(ratio),
        figures.at_most(ours["mse"] / known["mse"]),
        f"{peer['seconds']:.1f} s",
    ]


def describe(results):
    header = ["auto, long tables", "time", "peak", "columns", "MSE", "oracle's", "LightGBM's"]
    header += ["over oracle, with noise", "without", "LightGBM's time"]
    return f"""{figures.table(header, map(row, results))}
Terms of one and two inputs among {D}, noise of {NOISE:.0%} of the target's deviation; errors against the truth on {TESTED} points.
Time of ours: reading the text and writing the model included, all cores; of LightGBM: its rows were in memory. Oracle: least
squares on polynomials of the true terms. Bars for a million rows: {MOST_SECONDS} s, {MOST_BYTES / 2**30:.0f} GiB and {MOST_RATIO} times the oracle's error."""
