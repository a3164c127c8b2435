"""The splits of the real data sets, as their manifest describes them."""

import json

import numpy as np
import pandas

SEEDS = 5


def read_manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def seeds_of(description):
    """Rows in a fixed order have one split."""
    return range(SEEDS if description["shuffle"] else 1)


def standardize(train, test):
    """Both by the mean and deviation of the training rows."""
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    return (train - mean) / deviation, (test - mean) / deviation


def load_split(folder, description, seed):
    """(X, y) to fit and to test by."""
    frame = pandas.read_csv(folder / description["file"])
    X, y = frame.drop(columns="y").to_numpy(float), frame["y"].to_numpy(float)
    random = np.random.default_rng(seed)
    order = random.permutation(len(y)) if description["shuffle"] else np.arange(len(y))
    m, tested = description["train"], description["test"]
    train, test = order[:m], order[m : m + tested]
    X_train, X_test, y_train, y_test = X[train], X[test], y[train], y[test]
    if description["standardize"]:
        X_train, X_test = standardize(X_train, X_test)
        y_train, y_test = standardize(y_train, y_test)
    noise = random.normal(size=(m + tested, description["extra_noise_columns"]))
    return (np.hstack([X_train, noise[:m]]), y_train), (np.hstack([X_test, noise[m:]]), y_test)
