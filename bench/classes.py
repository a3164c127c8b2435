"""Two classes and counts: real tables that ship with PyPI packages, against LightGBM, EBM and (generalised) linear models;
and how well probabilities are calibrated on data whose probabilities are known.

Tables: scikit-learn's breast_cancer, wine, digits and iris; statsmodels' fair, anes96 and randhie.
"""

import json
import tempfile
import warnings

import numpy as np
from sklearn.metrics import log_loss, mean_poisson_deviance, roc_auc_score
from sklearn.model_selection import train_test_split

import figures
from cache import Cache
from programs import write_csv
from progress import report

SPLITS, SPLITS_OF_FEW_ROWS, QUICK_SPLITS = 3, 6, 1
FEW_ROWS = 200  # Of a table: one split says little of so few.
WITHIN = 1.05  # The bar: of the best, on two thirds of the tables.
MOST_ROWS = 3000  # Of larger tables, so many drawn at random.
CALIBRATION_ROWS, CALIBRATION_TEST, CALIBRATION_RUNS, QUICK_RUNS = 2000, 20000, 50, 3
MOST_CALIBRATION_ERROR = 0.03


def of_scikit_learn(name, first=None, second=None):
    """A bundled table; of more than two classes, `first` against `second`, or against the rest."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    if second is not None:
        X, y = X[np.isin(y, [first, second])], y[np.isin(y, [first, second])]
    return X, (y == (1 if first is None else first)).astype(float)


def of_statsmodels(name, target, leave_out=()):
    import statsmodels.api

    table = getattr(statsmodels.api.datasets, name).load_pandas().data
    return table.drop(columns=[target, *leave_out]).to_numpy(float), table[target].to_numpy(float)


def affair():
    X, y = of_statsmodels("fair", "affairs")
    return X, (y > 0).astype(float)


TABLES = {
    "breast_cancer": ("classes", lambda: of_scikit_learn("breast_cancer")),
    "wine, class 1": ("classes", lambda: of_scikit_learn("wine", 1)),
    "digits, 3 or 8": ("classes", lambda: of_scikit_learn("digits", 8, 3)),
    "iris, class 1 or 2": ("classes", lambda: of_scikit_learn("iris", 2, 1)),
    "fair, any affair": ("classes", affair),
    "anes96, vote": ("classes", lambda: of_statsmodels("anes96", "vote")),
    "randhie, visits": ("counts", lambda: of_statsmodels("randhie", "mdvis")),
}


def ours(programs, folder, kind, train, X_test):
    write_csv(folder + "/train.csv", *train)
    write_csv(folder + "/test.csv", X_test, np.zeros(len(X_test)))
    loss = "logistic" if kind == "classes" else "poisson"
    model = folder + "/model.json"
    programs.shrimp("fit", folder + "/train.csv", "--target", "y", "--loss", loss, "-q", "--quick-error", "--output", model)
    rows = programs.shrimp("predict", model, folder + "/test.csv", "-q").stdout.split()[1:]
    return np.array([row.split(",")[0] for row in rows], float)


def lightgbm(kind, train, X_test, seed):
    """Stopped early by a tenth of the rows, at the rate of the other sections."""
    from lightgbm import LGBMClassifier, LGBMRegressor, early_stopping

    X, X_held, y, y_held = train_test_split(*train, test_size=0.1, random_state=seed)
    options = {"n_estimators": 3000, "learning_rate": 0.05, "num_leaves": 15, "random_state": seed, "n_jobs": 1, "verbose": -1}
    model = LGBMClassifier(**options) if kind == "classes" else LGBMRegressor(objective="poisson", **options)
    model.fit(X, y, eval_set=[(X_held, y_held)], callbacks=[early_stopping(30, verbose=False)])
    return model.predict_proba(X_test)[:, 1] if kind == "classes" else model.predict(X_test)


def ebm(kind, train, X_test, seed):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    if kind == "classes":
        return ExplainableBoostingClassifier(random_state=seed, n_jobs=1).fit(*train).predict_proba(X_test)[:, 1]
    model = ExplainableBoostingRegressor(objective="poisson_deviance", random_state=seed, n_jobs=1)
    return model.fit(*train).predict(X_test)


def linear(kind, train, X_test, seed):
    """Logistic regression, or Poisson regression; the penalty by five folds."""
    from sklearn.linear_model import LogisticRegressionCV, PoissonRegressor
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if kind == "classes":
        model = LogisticRegressionCV(Cs=20, cv=5, scoring="neg_log_loss", max_iter=5000, random_state=seed)
        return make_pipeline(StandardScaler(), model).fit(*train).predict_proba(X_test)[:, 1]
    search = GridSearchCV(PoissonRegressor(max_iter=1000), {"alpha": np.logspace(-6, 1, 8)}, scoring="neg_mean_poisson_deviance")
    return make_pipeline(StandardScaler(), search).fit(*train).predict(X_test)


PEERS = {"LightGBM": lightgbm, "EBM": ebm, "linear": linear}


def split_of(kind, X, y, seed):
    if len(y) > MOST_ROWS:
        some = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
        X, y = X[some], y[some]
    return train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y if kind == "classes" else None)


def error(kind, y, prediction):
    if kind == "classes":
        return log_loss(y, np.clip(prediction, 1e-15, 1 - 1e-15))
    return mean_poisson_deviance(y, np.maximum(prediction, 1e-9))


def count_splits(context, rows):
    if context.quick:
        return QUICK_SPLITS
    return SPLITS_OF_FEW_ROWS if rows < FEW_ROWS else SPLITS


def measure_table(context, cache, folder, name):
    kind, load = TABLES[name]
    X, y = load()
    errors, areas = {}, {}
    splits = count_splits(context, len(y))
    for seed in range(splits):
        X_train, X_test, y_train, y_test = split_of(kind, X, y, seed)
        predictions = {"ours": ours(context.programs, folder, kind, (X_train, y_train), X_test)}
        for peer, fit in PEERS.items():
            key = f"{name.replace(',', '')} {seed} {peer}"
            predictions[peer] = cache.get(key, lambda: list(fit(kind, (X_train, y_train), X_test, seed)))
        for method, prediction in predictions.items():
            errors.setdefault(method, []).append(error(kind, y_test, prediction))
            if kind == "classes":
                areas.setdefault(method, []).append(roc_auc_score(y_test, prediction))
    row = {"kind": kind, "rows": min(len(y), MOST_ROWS), "inputs": X.shape[1], "splits": splits}
    row["error"] = {method: float(np.mean(values)) for method, values in errors.items()}
    row["auc"] = {method: float(np.mean(values)) for method, values in areas.items()}
    report([name, *(f"{key} {value:.4f}" for key, value in row["error"].items())])
    return row


def simulate(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 6))
    odds = 2 * np.sin(3 * X[:, 0]) + 2 * X[:, 1] * X[:, 2] - 0.5
    return X, (rng.uniform(size=rows) < 1 / (1 + np.exp(-odds))).astype(float)


def measure_calibration(context, folder):
    found = []
    for run in range(QUICK_RUNS if context.quick else CALIBRATION_RUNS):
        write_csv(folder + "/train.csv", *simulate(CALIBRATION_ROWS, run))
        write_csv(folder + "/test.csv", *simulate(CALIBRATION_TEST, 1000 + run))
        options = ["--target", "y", "--loss", "logistic", "-q", "--quick-error"]
        context.programs.shrimp("fit", folder + "/train.csv", *options, "--output", folder + "/model.json")
        scores = context.programs.shrimp("evaluate", folder + "/model.json", folder + "/test.csv", "--json", "-q").stdout
        found.append(json.loads(scores)["calibration_error"])
    report(["calibration", f"{np.mean(found):.4f}"])
    return {"runs": len(found), "mean": float(np.mean(found)), "largest": float(np.max(found))}


def measure(context):
    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(context.programs.folder / "class_peers")
        tables = {name: measure_table(context, cache, folder, name) for name in TABLES}
        return {"tables": tables, "calibration": measure_calibration(context, folder)}


def describe(result):
    rows = []
    for name, row in result["tables"].items():
        best = min(row["error"].values())
        ours_to_best = row["error"]["ours"] / best
        errors = [f"{row['error'][method]:.4f}" for method in ["ours", *PEERS]]
        areas = [f"{row['auc'][method]:.3f}" if row["auc"] else "" for method in ["ours", *PEERS]]
        sizes = [row["rows"], row["inputs"], row["splits"]]
        rows.append([name, row["kind"], *sizes, *errors, f"{ours_to_best:.3f}", *areas])
    header = ["table", "kind", "rows", "inputs", "splits", "ours", *PEERS, "ours/best", "AUC ours", *PEERS]
    within = sum(float(row[9]) <= WITHIN for row in rows)
    calibration = result["calibration"]
    return "\n".join(
        [
            figures.table(header, rows),
            f"log loss of classes, mean Poisson deviance of counts, on 30 % of the rows; means over the splits.",
            f"Within 5 % of the best on {within} of {len(rows)} tables (bar: two thirds).",
            f"calibration error on simulated classes, {CALIBRATION_ROWS} rows, {calibration['runs']} runs: mean "
            f"{calibration['mean']:.4f}, largest {calibration['largest']:.4f} (bar: {MOST_CALIBRATION_ERROR} for the mean)",
        ]
    )
