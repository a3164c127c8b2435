"""Whether intervals cover: of predictions, on noisy functions and on tables, and of Sobol' indices.

A fit in its own process and thread, as many at once as there are cores: what is counted does not depend on time.
"""

import concurrent.futures
import json
import os
import tempfile

import numpy as np

import figures
import intervals_by_loss
import sobol
from auto_uci import PEERS, load
from programs import FUNCTIONS, sample, write_csv
from splits import load_split, read_manifest, seeds_of

LEVELS = [0.5, 0.8, 0.9, 0.95]
NOISY = ["f3", "f4", "f5", "f6", "f7"]
ROWS, TEST, D, NOISE = 300, 1000, 6, 0.2  # Noise as a part of std(y).
FITS, QUICK_FITS = 100, 4
SIMULATED_ROWS = 400  # Of the functions whose indices others are compared with, too (sobol.py).
LARGE = 3000  # Tables of more rows to fit are measured on one split, …
FEW, SPLITS = 1000, 10  # … ordinary ones of up to so many on ten: they have few rows to test by.
MOST_OFF, MOST_OFF_TABLES = 0.03, 0.05  # The bars: of 100 fits, and of the mean over a table's splits.
QUICK_SETS, QUICK_TABLES = ["propulsion", "housing"], ["servo", "yacht"]

SMALL = 1e-3  # Inputs of a smaller total index are told apart: bounds leave room for all that noise may hide.

# Inputs that a function looks at, and the points of a rule along each, by which its indices are found.
ACTIVE = {"f3": (2, 8), "f4": (3, 8), "f5": (3, 20), "f6": (3, 20), "f7": (D, 7)}


def true_indices(function):
    """First and total indices of all inputs, by Gauss-Legendre quadrature."""
    active, points = ACTIVE[function]
    nodes, weights = np.polynomial.legendre.leggauss(points)
    half_width = np.pi if function == "f6" else 1.0
    grid = np.stack(np.meshgrid(*[half_width * nodes] * active, indexing="ij"), axis=-1).reshape(-1, active)
    values = FUNCTIONS[function][0](grid).reshape([points] * active)

    def mean(values, axes):
        for axis in sorted(axes, reverse=True):
            values = np.tensordot(values, weights / 2, axes=(axis, 0))
        return values

    def variance(values):
        everywhere = range(values.ndim)
        return mean(values**2, everywhere) - mean(values, everywhere) ** 2

    first, total = np.zeros(D), np.zeros(D)
    for j in range(active):
        first[j] = variance(mean(values, [k for k in range(active) if k != j])) / variance(values)
        total[j] = 1 - variance(mean(values, [j])) / variance(values)
    return np.concatenate([first, total])


def fit(programs, folder, train, *options):
    write_csv(folder + "/train.csv", *train)
    programs.shrimp("fit", folder + "/train.csv", "--target", "y", "-q", "--threads", 1, "--output", folder + "/model.json", *options)
    return folder + "/model.json"


def covered(programs, folder, model, test):
    """The share of test rows inside, by level."""
    write_csv(folder + "/test.csv", *test)
    shares = []
    for level in LEVELS:
        text = programs.shrimp("predict", model, folder + "/test.csv", "--interval", level, "-q", "--threads", 1).stdout
        _, lower, upper = np.array([row.split(",") for row in text.split()[1:]], float).T
        shares.append(float(np.mean((lower <= test[1]) & (test[1] <= upper))))
    return shares


def indices_covered(programs, model, law, truth):
    """Whether each interval, those of first indices before those of totals, holds the truth."""
    rows = json.loads(programs.shrimp("sensitivity", model, "--json", "-q", "--threads", 1, "--inputs", law).stdout)["inputs"]
    low, high = (
        np.array([row[f"{kind}_{end}"] for kind in ["first", "total"] for row in rows], float) for end in ["low", "high"]
    )
    rounding = 1e-9
    return ((low - rounding <= truth) & (truth <= high + rounding)).tolist()


def measure_noisy(programs, function, seed):
    x, truth = sample(function, ROWS + TEST, D, seed)
    y = truth + NOISE * truth.std() * np.random.default_rng([seed, 1]).normal(size=len(truth))
    with tempfile.TemporaryDirectory(dir=programs.folder) as folder:
        model = fit(programs, folder, (x[:ROWS], y[:ROWS]), "--target-transform", "identity")
        law = f"uniform({-np.pi},{np.pi})" if function == "f6" else "uniform(-1,1)"
        return {
            "rows": covered(programs, folder, model, (x[ROWS:], y[ROWS:])),
            "indices": indices_covered(programs, model, law, true_indices(function)),
        }


def measure_simulated(programs, name, seed):
    function, d, indices = sobol.CASES[name]
    random = np.random.default_rng([seed, 7])
    x = random.random((SIMULATED_ROWS, d))
    truth = function(x)
    y = truth + NOISE * truth.std() * random.normal(size=len(truth))
    with tempfile.TemporaryDirectory(dir=programs.folder) as folder:
        model = fit(programs, folder, (x, y), "--target-transform", "identity")
        return indices_covered(programs, model, "uniform(0,1)", np.concatenate(indices()))


def measure_table(programs, name, train, test):
    with tempfile.TemporaryDirectory(dir=programs.folder) as folder:
        model = fit(programs, folder, train)
        return {"name": name, "rows": covered(programs, folder, model, test), "fitted": len(train[1])}


def splits_by_size(rows, usual):
    return SPLITS if rows <= FEW else usual if rows <= LARGE else 1


def splits_of(context):
    """Every split of the paper's tables, some of the ordinary ones; of large ones the first."""
    manifest = read_manifest(context.data)
    for name in QUICK_SETS if context.quick else manifest:
        for seed in list(seeds_of(manifest[name]))[: 1 if manifest[name]["train"] > LARGE else None]:
            yield name, *load_split(context.data, manifest[name], seed)
    for name in QUICK_TABLES if context.quick else PEERS:
        for split in range(SPLITS):
            train, test = load(context.data / "uci", name, split)
            if split >= splits_by_size(len(train[1]), PEERS[name][0]):
                break
            yield name, train, test


def measure(context):
    fits = QUICK_FITS if context.quick else FITS
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        noisy = {
            function: list(pool.map(lambda seed: measure_noisy(context.programs, function, seed), range(fits)))
            for function in NOISY
        }
        simulated = {
            name: list(pool.map(lambda seed: measure_simulated(context.programs, name, seed), range(fits)))
            for name in sobol.CASES
        }
        by_loss = intervals_by_loss.measure(context.programs, pool, context.quick)
        tables = None
        if context.data is not None:
            tables = list(pool.map(lambda split: measure_table(context.programs, *split), splits_of(context)))
    return {"noisy": noisy, "simulated": simulated, "by_loss": by_loss, "tables": tables}


def row(name, count, shares, most_off):
    off = np.abs(np.array(shares) - LEVELS).max()
    return [name, str(count), *(f"{100 * share:.1f}" for share in shares), f"{100 * off:.1f}", figures.met(off <= most_off)]


def describe_noisy(noisy):
    header = ["intervals", "fits", *(f"{100 * level:.0f} %" for level in LEVELS), "most off", f"<= {100 * MOST_OFF:.0f}"]
    rows = [row(name, len(runs), np.mean([run["rows"] for run in runs], axis=0), MOST_OFF) for name, runs in noisy.items()]
    return figures.table(header, rows)


def row_of_indices(name, indices, looked_at):
    inside = np.mean(indices, axis=0).reshape(2, -1)
    shares, others = inside[:, looked_at], np.delete(inside, looked_at, axis=1)
    mean = shares.mean()
    return [
        name,
        *(" ".join(f"{100 * share:.0f}" for share in own) for own in shares),
        f"{100 * mean:.1f}",
        figures.met(0.85 <= mean <= 0.95),
        f"{100 * others.mean():.0f}" if others.size else "-",
    ]


def describe_indices(noisy, simulated):
    rows = [
        row_of_indices(name, [run["indices"] for run in runs], np.arange(ACTIVE[name][0])) for name, runs in noisy.items()
    ]
    for name, runs in simulated.items():
        _, total = sobol.CASES[name][2]()
        rows.append(row_of_indices(name, runs, np.flatnonzero(total > SMALL)))
    header = ["indices in 90 %", "first", "total", "mean", "85-95", "of other inputs"]
    return figures.table(header, rows)


def describe_tables(tables):
    if tables is None:
        return "intervals of tables: skipped, for neither --data nor SHRIMP_DATA names the real data sets"
    header = ["table", "splits", *(f"{100 * level:.0f} %" for level in LEVELS), "most off", f"<= {100 * MOST_OFF_TABLES:.0f}"]
    rows = []
    for name in dict.fromkeys(split["name"] for split in tables):
        own = [split["rows"] for split in tables if split["name"] == name]
        rows.append(row(name, len(own), np.mean(own, axis=0), MOST_OFF_TABLES))
    rows.append(row("all", len(tables), np.mean([split["rows"] for split in tables], axis=0), MOST_OFF_TABLES))
    return figures.table(header, rows)


def describe(result):
    return f"""{describe_noisy(result["noisy"])}
Shares of {TEST} noisy test rows inside intervals of these levels, in %, mean over fits: {ROWS} rows, d = {D}, noise {100 * NOISE:.0f} % of std(y).

{describe_indices(result["noisy"], result["simulated"])}
In how many of 100 the 90 % interval holds the true Sobol' index, by input that the function looks at: the same fits, and others
of {SIMULATED_ROWS} rows. Of other inputs the index is 0, or below {SMALL}.

{intervals_by_loss.describe(result["by_loss"])}

{describe_tables(result["tables"])}
Mean over splits; of tables with more than {LARGE} rows to fit one split, of ordinary ones with up to {FEW} ten."""
