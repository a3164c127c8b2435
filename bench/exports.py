"""How near exported models come to `shrimp predict`: five models of every method, 1000 rows each."""

import ctypes
import json
import re
import subprocess

import numpy as np

import figures
from programs import sample, write_csv

import exported as languages  # Of tests/cli, which programs adds to the path.

METHODS = "auto shrimp min-l2 srfe-s salsa ssam lasso imp-linear stlsq naive-prune random-prune krr harfe".split()
ROWS, TRAIN, D = 1000, 300, 5
FORMATS = {"C, gcc": "c", "C, clang": "c", "Python": "python", "ONNX": "onnx", "SQLite": "sql", "DuckDB": "sql"}
SUFFIX = {"onnx": ".onnx", "c": ".c", "python": ".py", "sql": ".sql", "latex": ".tex"}
EXACT = "long double"


def skewed(rows, seed):
    """Inputs over decades and a positive target with errors in proportion: what has method auto take forms."""
    random = np.random.default_rng(seed)
    x = np.exp(random.normal(size=(rows, D)))
    return x, np.exp(np.log(x[:, 0]) + np.tanh(x[:, 1]) + 0.1 * random.normal(size=rows))


def jumping(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, D))
    return x, 5 + np.where(x[:, 0] > 0.2, 2.0, 0.0) + x[:, 1] * x[:, 2] + 0.1 * random.normal(size=rows)


TABLES = {
    "f3": lambda rows, seed: sample("f3", rows, D, seed),
    "f6": lambda rows, seed: sample("f6", rows, D, seed),
    "f7": lambda rows, seed: sample("f7", rows, D, seed),
    "skewed": skewed,
    "jumping": jumping,
}


def fit(context, table, method, path):
    few = [] if method in ("auto", "krr", "salsa", "imp-linear") else ["--features", 300]
    anyway = ["--allow-unconverged"] if method in ("srfe-s", "ssam", "lasso") else []  # Any model will do here.
    context.programs.shrimp("fit", table, "--target", "y", "--method", method, "--output", path, "-q", *few, *anyway)


def export(context, model, to):
    """The file, or None where it is refused."""
    path = model.with_suffix(SUFFIX[to])
    path.unlink(missing_ok=True)
    run = subprocess.run([context.programs.build / "bin" / "shrimp", "export", model, "--to", to, "--output", path])
    return path if run.returncode == 0 else None


def in_long_double(path, X, change=lambda text: text):
    """The C file with 64 bits of mantissa in the place of 53: what predictions would be without rounding."""
    wide = path.with_name("wide.c")
    wide.write_text(change(path.read_text()).replace("double", "long double").replace("math.h", "tgmath.h"))
    library = path.with_name(f"wide-{next(languages.NUMBERS)}.so")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, wide, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).shrimp_predict
    function.restype = ctypes.c_longdouble
    rows = np.ascontiguousarray(X, dtype=np.longdouble)
    return np.array([float(function(row.ctypes.data_as(ctypes.c_void_p))) for row in rows])


def sizes(path, model, X, expected):
    """What the parts of each prediction come to, their signs left out: rounding errors are in proportion to it."""

    def add_sizes(text):
        text = re.sub(r"sum \+= (.*);", r"sum += fabs(\1);", text)
        return re.sub(r"  sum = (.*?) \+ (.*?) \* sum;.*", r"  return fabs(\1) + \2 * sum;\n}\n", text, flags=re.S)

    total = in_long_double(path, X, add_sizes)
    form = json.loads(model.read_text())["scaling"].get("target_transform", "identity")
    slope = {"identity": 1, "log": np.abs(expected), "sqrt": 2 * np.sqrt(np.abs(expected))}[form]
    return np.maximum(slope * total, np.abs(expected))


def run(name, path, X, inputs):
    if name == EXACT:
        return in_long_double(path, X)
    if name.startswith("C, "):
        return languages.run_c(path, X, name.removeprefix("C, "))
    if name in ("SQLite", "DuckDB"):
        return getattr(languages, f"run_{name.lower()}")(path, X, inputs)
    return {"Python": languages.run_python, "ONNX": languages.run_onnx}[name](path, X)


def differences(context, model, X, expected):
    """By format: the largest difference over the sizes of a prediction's parts, over the largest prediction, and over the
    row's own."""
    files = {to: export(context, model, to) for to in SUFFIX}
    parts = sizes(files["c"], model, X, expected)
    found = {"LaTeX": None if files["latex"] is None else "written"}
    for name, to in {EXACT: "c", **FORMATS}.items():
        if name == "C, clang" and "clang" not in languages.COMPILERS:
            continue
        if files[to] is None:
            found[name] = None
            continue
        gap = np.abs(run(name, files[to], X, [f"x{k + 1}" for k in range(D)]) - expected)
        found[name] = tuple(float(np.max(gap / size)) for size in (parts, np.abs(expected).max(), np.abs(expected)))
    return found


def measure(context):
    folder = context.programs.folder / "exports"
    folder.mkdir(exist_ok=True)
    results = {method: [] for method in METHODS}
    for name, make in TABLES.items():
        write_csv(folder / "train.csv", *make(TRAIN, 1))
        X, _ = make(ROWS, 2)
        X[::10] *= 1.5  # Some rows lie outside.
        write_csv(folder / "rows.csv", X, np.zeros(ROWS))
        for method in METHODS:
            model = folder / f"{name}-{method}.json"
            fit(context, folder / "train.csv", method, model)
            told = context.programs.shrimp("predict", model, folder / "rows.csv", "-q").stdout.split()[1:]
            results[method].append(differences(context, model, X, np.array(told, float)))
    return results


def cell(models, name, which):
    values = [model[name] for model in models]
    refused = values.count(None)
    note = f" ({refused} refused)" if refused else ""
    kept = [value[which] for value in values if value is not None]
    return (f"{max(kept):.0e}" if kept else "") + note


def describe(results):
    names = [EXACT, *(name for name in FORMATS if name in results["auto"][0])]

    def rows(which, columns):
        return [[method, *(cell(models, name, which) for name in columns)] for method, models in results.items()]

    titles = ["over the sizes of its parts", "over the largest prediction", "over the row's prediction"]
    tables = [figures.table([f"exports: {title}", *names], rows(k, names)) for k, title in enumerate(titles)]
    joined = "\n\n".join(tables)
    written = [model["LaTeX"] is not None for models in results.values() for model in models]
    return f"""{joined}
Largest difference from `shrimp predict` of {len(TABLES)} models ({", ".join(TABLES)}: {TRAIN} rows, {D} inputs) on {ROWS} rows each, a
tenth of them outside the training range. "{EXACT}" is the same model with 64 bits of mantissa: how far `shrimp predict` itself is
from what it would be without rounding. The parts of a prediction are its constant and each column times its coefficient: where these
are large and cancel, as in clean fits, no program in double precision comes nearer to another. LaTeX was written of {sum(written)} of
{len(written)} models."""
