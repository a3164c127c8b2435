"""A fit of the default method with nothing but defaults, through the command line."""

import json

from programs import write_csv

SMALLEST_SHARE = 1e-6  # Of the variance: terms below are rounding.
FORMS = ["target_transform", "transforms", "fraction_above_order_three"]  # What a fit says of its model, where it says it.


def fit_and_evaluate(programs, name, train, test, *options, limit=None):
    """train, test: (X, y) or paths of tables. The error on the test rows, the fit's seconds, columns and forms, and the
    terms' shares.
    Raises subprocess.TimeoutExpired where the fit takes more than `limit` seconds."""
    paths = {}
    for part, data in {"train": train, "test": test}.items():
        paths[part] = programs.folder / f"{name}_{part}.csv" if isinstance(data, tuple) else data
        if isinstance(data, tuple):
            write_csv(paths[part], *data)
    model = programs.folder / f"{name}.json"
    command = ["fit", paths["train"], "--target", "y", "-q", "--json", "--output", model]
    fit = json.loads(programs.shrimp(*command, *(options or ["--method", "auto"]), limit=limit).stdout)
    inspection = json.loads(programs.shrimp("inspect", model, "--json").stdout)
    evaluation = json.loads(programs.shrimp("evaluate", model, paths["test"], "--target", "y", "--json").stdout)
    terms = {"*".join(term["variables"]): term["fraction"] for term in inspection["terms"]}
    forms = {name: fit[name] for name in FORMS if fit.get(name) is not None}
    measured = {"mse": evaluation["mse"], "seconds": fit["seconds"], "columns": fit["basis_functions"]}
    return measured | {"terms": terms, "forms": forms}


def found(terms):
    return [name for name, share in terms.items() if share > SMALLEST_SHARE]


def order_of(term):
    return term.count("*") + 1


def highest_order(terms):
    return max(map(order_of, found(terms)), default=0)


def in_few_words(terms, most=4):
    return (", ".join(terms[:most]) + (f", … ({len(terms)})" if len(terms) > most else "")) or "none"
