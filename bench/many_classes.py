"""More than two classes: scikit-learn's iris, wine and digits, one class against the rest, beside LightGBM and multinomial
logistic regression."""

import tempfile
import warnings

import numpy as np
from sklearn import datasets
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

import classes
import figures
from cache import Cache
from progress import report

# Splits of each, and rows at most: ten searches of 64 inputs take long.
TABLES = {"iris": (6, 150), "wine": (6, 178), "digits": (1, 600)}


def ours(programs, folder, train, X_test):
    """As ShrimpClassifier does it: a model of each class against the rest, probabilities over their sum."""
    X, y = train
    labels = np.unique(y)
    columns = [classes.ours(programs, folder, "classes", (X, (y == label).astype(float)), X_test) for label in labels]
    return np.stack(columns, axis=1) / np.sum(columns, axis=0)[:, None]


def lightgbm(train, X_test, seed):
    from lightgbm import LGBMClassifier, early_stopping

    X, X_held, y, y_held = train_test_split(*train, test_size=0.1, random_state=seed, stratify=train[1])
    options = {"n_estimators": 3000, "learning_rate": 0.05, "num_leaves": 15, "random_state": seed, "n_jobs": 1, "verbose": -1}
    model = LGBMClassifier(**options)
    model.fit(X, y, eval_set=[(X_held, y_held)], callbacks=[early_stopping(30, verbose=False)])
    return model.predict_proba(X_test)


def multinomial(train, X_test, seed):
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = LogisticRegressionCV(Cs=20, cv=5, scoring="neg_log_loss", max_iter=5000, random_state=seed)
    return make_pipeline(StandardScaler(), model).fit(*train).predict_proba(X_test)


PEERS = {"LightGBM": lightgbm, "multinomial": multinomial}


def measure_table(context, cache, folder, name):
    splits, most_rows = TABLES[name]
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    some = np.random.default_rng(0).permutation(len(y))[:most_rows]
    X, y = X[some], y[some]
    losses, accuracies = {}, {}
    for seed in range(1 if context.quick else splits):
        X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
        train = (X_train, y_train)
        predictions = {"ours": ours(context.programs, folder, train, X_test)}
        for peer, fit in PEERS.items():
            predictions[peer] = cache.get(f"{name} {seed} {peer}", lambda: fit(train, X_test, seed).tolist())
        for method, prediction in predictions.items():
            losses.setdefault(method, []).append(log_loss(y_test, np.clip(prediction, 1e-15, 1)))
            accuracies.setdefault(method, []).append(accuracy_score(y_test, np.argmax(prediction, axis=1)))
    row = {"rows": len(y), "inputs": X.shape[1], "classes": len(np.unique(y)), "splits": len(losses["ours"])}
    row["log_loss"] = {method: float(np.mean(values)) for method, values in losses.items()}
    row["accuracy"] = {method: float(np.mean(values)) for method, values in accuracies.items()}
    report([name, *(f"{key} {value:.4f}" for key, value in row["log_loss"].items())])
    return row


def measure(context):
    warnings.filterwarnings("ignore")
    cache = Cache(context.programs.folder / "many_class_peers")
    with tempfile.TemporaryDirectory() as folder:
        return {name: measure_table(context, cache, folder, name) for name in (["iris"] if context.quick else TABLES)}


def describe(result):
    rows = []
    for name, row in result.items():
        sizes = [row["rows"], row["inputs"], row["classes"], row["splits"]]
        losses = [f"{value:.4f}" for value in row["log_loss"].values()]
        ratio = row["log_loss"]["ours"] / min(row["log_loss"].values())
        rows.append([name, *sizes, *losses, f"{ratio:.3f}", *(f"{value:.3f}" for value in row["accuracy"].values())])
    header = ["table", "rows", "inputs", "classes", "splits", "ours", *PEERS, "ours/best", "accuracy ours", *PEERS]
    return f"{figures.table(header, rows)}\nlog loss and accuracy on 30 % of the rows; means over the splits."
