"""Whether intervals cover under losses with a link: probabilities of classes, and new counts and amounts.

Credible intervals of probabilities are compared with the true probability, predictive intervals with new targets. A
count lies in its interval more often than the level says. The fair check randomises: as the level rises, a count first
lies at a bound and then between the bounds. The level of its randomised probability integral transform is uniform between.
"""

import tempfile

import numpy as np

import figures
from programs import write_csv

LEVELS = [0.5, 0.8, 0.9]
TEST = 1000
SIZES = [300, 400, 600]  # Rows, one after the other.
MOST_OFF = 0.03
FITS, QUICK_FITS = 50, 3


def smooth(x):
    return 0.8 * np.sin(2.5 * x[:, 0]) + 0.5 * x[:, 1] + 0.4 * x[:, 1] * x[:, 2]


# Functions of the log odds. The factor for undetected effects was chosen on others (docs/how-to/intervals.md).
LOG_ODDS = {
    "one input": (3, lambda x: 2 * np.sin(3 * x[:, 0])),
    "curves": (4, lambda x: 3 * (x[:, 0] ** 2 - 0.33) + 1.5 * np.tanh(3 * x[:, 1])),
    "line and pair": (5, lambda x: 1.5 * x[:, 0] + 2.5 * x[:, 1] * x[:, 2] - 0.5),
    "Friedman": (5, lambda x: 2 * np.sin(np.pi * (x[:, 0] + 1) * (x[:, 1] + 1) / 4) + x[:, 2] ** 2 * 2 + x[:, 3] + 0.5 * x[:, 4] - 2),
}


def tweedie(random, mu, p=1.5, phi=1.0):
    count = random.poisson(mu ** (2 - p) / (phi * (2 - p)))
    shape = (2 - p) / (p - 1)
    return np.where(count > 0, random.gamma(np.maximum(count, 1) * shape, phi * (p - 1) * mu ** (p - 1)), 0.0)


# Name: the loss, and targets from their means.
TARGETS = {
    "Poisson": ("poisson", lambda random, mu: random.poisson(mu)),
    "counts of variance 2 mu": ("poisson", lambda random, mu: random.negative_binomial(mu, 0.5)),
    "counts of variance mu + mu^2/2": ("poisson", lambda random, mu: random.poisson(mu * random.gamma(2.0, 0.5, len(mu)))),
    "gamma of shape 2": ("gamma", lambda random, mu: random.gamma(2.0, mu / 2.0)),
    "Tweedie of power 1.5": ("tweedie", tweedie),
}


def simulate(name, seed):
    """Inputs, what intervals are for, targets, the loss, and the number of rows to fit."""
    rows = SIZES[seed % len(SIZES)]
    random = np.random.default_rng([seed, sum(map(ord, name))])
    if name in LOG_ODDS:
        inputs, function = LOG_ODDS[name]
        x = random.uniform(-1, 1, (rows + TEST, inputs))
        p = 1 / (1 + np.exp(-function(x)))
        return x, p, (random.random(len(p)) < p).astype(float), "logistic", rows
    loss, draw = TARGETS[name]
    x = random.uniform(-1, 1, (rows + TEST, 4))
    y = draw(random, np.exp(1.0 + smooth(x))).astype(float)
    return x, y, y, loss, rows


def bounds(programs, folder, level):
    text = programs.shrimp("predict", folder + "/m.json", folder + "/new.csv", "--interval", level, "-q", "--threads", 1).stdout
    heading, *rows = (line.split(",") for line in text.split())
    return [np.array([float(row[heading.index(end)]) for row in rows]) for end in ("lower", "upper")]


def measure_one(programs, name, seed):
    x, truth, y, loss, rows = simulate(name, seed)
    with tempfile.TemporaryDirectory(dir=programs.folder) as folder:
        write_csv(folder + "/train.csv", x[:rows], y[:rows])
        write_csv(folder + "/new.csv", x[rows:], y[rows:])
        options = ["--loss", loss, *(["--quick-error"] if loss == "logistic" else [])]
        programs.shrimp(
            "fit", folder + "/train.csv", "--target", "y", "-q", "--threads", 1, "--output", folder + "/m.json", *options
        )
        shares = []
        for level in LEVELS:
            lower, upper = bounds(programs, folder, level)
            shares.append(float(np.mean((lower <= truth[rows:]) & (truth[rows:] <= upper))))
        return {"closed": shares, "randomised": randomised(programs, folder, y[rows:]) if loss == "poisson" else None}


def randomised(programs, folder, y):
    """Coverage of counts at LEVELS, randomised at the bounds."""
    step = 0.1
    at_bound, inside = np.ones(len(y)), np.ones(len(y))
    for level in np.arange(step, 1, step)[::-1]:
        lower, upper = bounds(programs, folder, round(level, 1))
        at_bound[(lower <= y) & (y <= upper)] = level - step / 2
        inside[(lower < y) & (y < upper)] = level - step / 2
    width = np.maximum(inside - at_bound, 1e-9)
    return [float(np.mean(np.clip((level - at_bound) / width, 0, 1))) for level in LEVELS]


def cases():
    return [*LOG_ODDS, *TARGETS]


def measure(programs, pool, quick):
    fits = QUICK_FITS if quick else FITS
    return {name: list(pool.map(lambda seed: measure_one(programs, name, seed), range(fits))) for name in cases()}


def row(name, count, shares):
    off = np.abs(np.array(shares) - LEVELS).max()
    return [name, str(count), *(f"{100 * share:.1f}" for share in shares), f"{100 * off:.1f}", figures.met(off <= MOST_OFF)]


def describe(result):
    header = ["intervals by loss", "fits", *(f"{100 * level:.0f} %" for level in LEVELS), "most off", f"<= {100 * MOST_OFF:.0f}"]
    rows = []
    for name, runs in result.items():
        rows.append(row(name, len(runs), np.mean([run["closed"] for run in runs], axis=0)))
        if runs[0]["randomised"]:
            rows.append(row("  randomised", len(runs), np.mean([run["randomised"] for run in runs], axis=0)))
    log_odds = [run["closed"] for name in result if name in LOG_ODDS for run in result[name]]
    if log_odds:
        rows.append(row("all log odds", len(log_odds), np.mean(log_odds, axis=0)))
    return f"""{figures.table(header, rows)}
Of log odds, the share of {TEST} rows whose true probability lies inside; of others, the share of new targets, mean over fits.
{min(SIZES)} to {max(SIZES)} rows, 3 to 5 inputs."""
