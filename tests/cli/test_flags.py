"""What flags take, in how many ways, and what they say when they cannot."""

import csv
import json
import os

import numpy as np
import pytest

from functions import write_csv

ODD_NAMES = ["a*b", "d, e", 'say "hi"', "größe", "x 1", "p*"]


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """Two columns that matter and three that do not."""
    x = np.random.default_rng(3).uniform(-1, 1, (80, 5))
    path = tmp_path_factory.mktemp("flags") / "wide.csv"
    write_csv(path, x, x[:, 0] + x[:, 1] ** 2)
    return path


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A table whose columns have names that lists must quote, and c beside them."""
    x = np.random.default_rng(4).uniform(-1, 1, (80, len(ODD_NAMES) + 1))
    path = tmp_path_factory.mktemp("flags") / "odd.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*ODD_NAMES, "c", "y"])
        writer.writerows([*map(repr, map(float, row)), repr(float(row[0] + row[-1]))] for row in x)
    return path


@pytest.fixture
def fit_json(shrimp):
    def fit(table, *options, variables=None, command="fit"):
        few = () if "--method" in options else ("--method", "min-l2", "--features", 20)
        run = shrimp(command, table, "--target", "y", *few, "--json", "-q", *options, variables=variables)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return fit


@pytest.fixture
def fit_options(shrimp, tmp_path):
    """The options in the file of a model."""

    def fit(table, *options, variables=None):
        model = tmp_path / "model.json"
        run = shrimp("fit", table, "--target", "y", "-q", "--output", model, *options, variables=variables)
        assert run.returncode == 0, run.stderr
        return json.loads(model.read_text(encoding="utf-8"))

    return fit


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def refusal(run):
    """The two lines of a refusal: what, and the way out."""
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    what, way_out = run.stderr.splitlines()
    assert what.startswith("shrimp: ") and way_out.startswith("        ")
    return what[len("shrimp: ") :], way_out.strip()


# Lists


@pytest.mark.parametrize(
    "flags, left",
    [
        (["--ignore", "x3"], {"x1", "x2", "x4", "x5"}),
        (["--ignore", "x3,x4"], {"x1", "x2", "x5"}),
        (["--ignore", "x3, x4"], {"x1", "x2", "x5"}),
        (["--ignore=x3,x4"], {"x1", "x2", "x5"}),
        (["--ignore", "x3", "--ignore", "x4"], {"x1", "x2", "x5"}),
        (["--ignore", "x3,x4", "--ignore", "x5"], {"x1", "x2"}),
        (["--ignore", '"x3",x4'], {"x1", "x2", "x5"}),
    ],
)
def test_ignore_takes_names_with_commas_and_again(fit_options, wide, flags, left):
    model = fit_options(wide, "--method", "min-l2", "--features", 20, *flags)
    assert set(model["inputs"]) == left


def test_ignore_takes_several_names_in_compare(shrimp, wide):
    run = shrimp("compare", wide, "--target", "y", "--ignore", "x3,x4", "--ignore", "x5", "--methods", "lasso", "--json", "-q")
    assert run.returncode == 0, run.stderr
    rows = json.loads(run.stdout)
    assert rows["methods"][0]["error"] is None


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_column_can_be_ignored(fit_options, odd, name):
    model = fit_options(odd, "--method", "min-l2", "--features", 20, "--ignore", f"{quoted(name)},c")
    assert model["inputs"] == [other for other in ODD_NAMES if other != name]


def test_a_list_of_names_leaves_the_next_argument_alone(shrimp, wide):
    """The table may stand after it."""
    for flags in (["--ignore", "x3,x4"], ["--order", "1,2"], ["--include", "x1"]):
        method = [] if flags[0] == "--order" else ["--method", "auto", "--max-order", 1]
        run = shrimp("fit", "--target", "y", *method, "--features", 20, "-q", *flags, wide)
        assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("methods", [["lasso,min-l2"], ["lasso", "min-l2"], ["lasso, min-l2"]])
@pytest.mark.parametrize("table_last", [False, True])
def test_methods_are_taken_with_commas_and_again(shrimp, wide, methods, table_last):
    flags = [part for method in methods for part in ("--methods", method)]
    arguments = [*flags, wide] if table_last else [wide, *flags]
    run = shrimp("compare", "--target", "y", "--features", 20, "--json", "-q", *arguments)
    assert run.returncode == 0, run.stderr
    assert [row["method"] for row in json.loads(run.stdout)["methods"]] == ["lasso", "min-l2"]


LISTS = {
    "order": (["1", "2"], ["--method", "min-l2"]),
    "prune": (["0.2", "0.4"], ["--method", "shrimp"]),
    "threshold": (["0.1", "0.2"], ["--method", "stlsq"]),
    "lambda": (["0.1", "0.01"], ["--method", "lasso"]),
    "sparsity": (["3", "5"], ["--method", "harfe"]),
    "include": (["x1", "x2*x3"], ["--method", "auto"]),
    "exclude": (["x4", "x2*x3"], ["--method", "auto"]),
}


@pytest.mark.parametrize("way", ["alone", "commas", "twice", "variable", "config", "config list"])
@pytest.mark.parametrize("name", LISTS)
def test_every_list_is_taken_in_every_way(fit_options, wide, tmp_path, name, way):
    values, method = LISTS[name]
    config = tmp_path / "config.toml"
    both = ",".join(values)
    elements = ", ".join(f'"{value}"' for value in values)
    config.write_text(f'{name} = "{both}"' if way == "config" else f"{name} = [{elements}]  # two")
    flags, variables = {
        "alone": (["--" + name, values[0]], None),
        "commas": (["--" + name, both], None),
        "twice": (["--" + name, values[0], "--" + name, values[1]], None),
        "variable": ([], {"SHRIMP_" + name.upper(): both}),
        "config": (["--config", config], None),
        "config list": (["--config", config], None),
    }[way]
    model = fit_options(wide, *method, "--features", 20, *flags, variables=variables)
    assert model["options"][name] == (values[0] if way == "alone" else both)


def test_no_other_option_of_a_fit_takes_a_list(shrimp):
    """Who adds one adds it to the tests above: help says of each list that commas separate."""
    words = shrimp("fit", "--help-all").stdout.split("\n  --")
    lists = {entry.split()[0] for entry in words if "ommas" in entry}
    assert lists == {*LISTS, "ignore", "categorical", "missing"}


@pytest.mark.parametrize("text", ["a,,b", ",", '"a', '"a"b', '"a" "b"', '""'])
@pytest.mark.parametrize("flag", ["--ignore", "--include", "--exclude"])
def test_a_list_that_cannot_be_read_is_refused(shrimp, wide, flag, text):
    what, way_out = refusal(shrimp("fit", wide, "--target", "y", "--method", "auto", flag, text))
    assert what == f'{flag[2:]} "{text}" is not allowed.'
    assert "separated by commas" in way_out


# Names


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_column_can_be_included_and_excluded(fit_options, odd, name):
    common = ["--method", "auto", "--max-order", 2, "--max-terms", 3]
    text = f"{quoted(name)}*c"
    model = fit_options(odd, *common, "--include", text)
    inputs = [*ODD_NAMES, "c"]
    pair = sorted([inputs.index(name), inputs.index("c")])
    assert pair in [term["variables"] for term in model["terms"]]
    again = fit_options(odd, *common, "--include", model["options"]["include"])
    assert again == model
    model = fit_options(odd, *common, "--exclude", quoted(name))
    assert all(inputs.index(name) not in term["variables"] for term in model["terms"])


@pytest.mark.parametrize("way", ["flag", "variable", "config"])
def test_quotes_are_read_wherever_options_come_from(fit_options, odd, tmp_path, way):
    text = '"a*b"*c,"d, e"'
    config = tmp_path / "config.toml"
    config.write_text(f"include = '{text}'\n", encoding="utf-8")
    flags = {"flag": ["--include", text], "config": ["--config", config], "variable": []}[way]
    variables = {"SHRIMP_INCLUDE": text} if way == "variable" else None
    model = fit_options(odd, "--method", "auto", "--max-terms", 3, *flags, variables=variables)
    assert {(0, 6), (1,)} <= {tuple(term["variables"]) for term in model["terms"]}


def test_a_list_of_a_config_file_holds_names_as_they_are(fit_options, odd, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('include = ["d, e", "a*b"]  # that\'s two\nexclude = ["say \\"hi\\""]\n')
    model = fit_options(odd, "--method", "auto", "--max-terms", 3, "--config", config)
    assert {(0,), (1,)} <= {tuple(term["variables"]) for term in model["terms"]}
    assert model["options"]["exclude"] == quoted('say "hi"')
    config.write_text("include = ['d, e']\n")
    model = fit_options(odd, "--method", "auto", "--max-terms", 3, "--config", config)
    assert [1] in [term["variables"] for term in model["terms"]]


@pytest.mark.parametrize("name", ["a*b", "p*"])
def test_text_that_is_an_inputs_name_is_that_input(fit_options, odd, name):
    model = fit_options(odd, "--method", "auto", "--max-terms", 2, "--include", name)
    assert [ODD_NAMES.index(name)] in [term["variables"] for term in model["terms"]]


@pytest.mark.parametrize("text", ["x1*", "*", "x1**x2", "x1*x9"])
def test_a_term_of_what_is_no_input_is_refused(shrimp, wide, text):
    what, _ = refusal(shrimp("fit", wide, "--target", "y", "--method", "auto", "--include", text, "-q"))
    assert what.startswith("include names ") and what.endswith("which is not an input.")


# Budgets


@pytest.mark.parametrize("text", ["30", "0.5", "999999"])
def test_a_budget_without_a_unit_is_refused(shrimp, wide, text):
    what, way_out = refusal(shrimp("fit", wide, "--target", "y", "--method", "auto", "--budget", text))
    assert f'budget "{text}"' in what and "unit" in what
    assert f"{text}s" in way_out and "1e12" in way_out


@pytest.mark.parametrize("text", ["none", "30s", "1e12", "1e6"])
def test_a_budget_with_a_unit_or_none_is_taken(fit_options, wide, text):
    model = fit_options(wide, "--method", "auto", "--max-order", 1, "--budget", text)
    kept = model["options"]["budget"]
    assert kept == text or float(kept) == float(text)


# Threads


@pytest.mark.parametrize(
    "variables, flags, threads",
    [
        ({"OMP_NUM_THREADS": "1"}, [], 1),
        ({"OMP_NUM_THREADS": "3"}, [], 3),
        ({"OMP_NUM_THREADS": "4,2"}, [], 4),
        ({"OMP_NUM_THREADS": "3"}, ["--threads", 2], 2),
        ({"OMP_NUM_THREADS": "3", "SHRIMP_THREADS": "2"}, [], 2),
        ({"OMP_NUM_THREADS": "many"}, [], None),
        ({"OMP_NUM_THREADS": "0"}, [], None),
        ({"OMP_NUM_THREADS": "-2"}, [], None),
        ({"OMP_NUM_THREADS": ""}, [], None),
    ],
)
def test_omp_num_threads_counts_where_nothing_else_is_said(fit_json, wide, variables, flags, threads):
    assert fit_json(wide, *flags, variables=variables)["threads"] == (threads or len(os.sched_getaffinity(0)))


def test_a_config_file_goes_over_omp_num_threads(fit_json, wide, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("threads = 2\n")
    assert fit_json(wide, "--config", config, variables={"OMP_NUM_THREADS": "3"})["threads"] == 2


# Mistakes

MISTAKES = {
    "unknown flag": (["fit", "t.csv", "--target", "y", "--ordr", "2"], "fit has no option --ordr.", '"--order"'),
    "unknown flag with its value": (["fit", "t.csv", "--target", "y", "--fold=3"], "fit has no option --fold.", '"--folds"'),
    "required flag misspelt": (["fit", "t.csv", "--traget", "y"], "fit has no option --traget.", '"--target"'),
    "unknown flag that is like no other": (["fit", "t.csv", "--bogus"], "fit has no option --bogus.", "shrimp fit --help"),
    "unknown letter": (["inspect", "m.json", "-x"], "inspect has no option -x.", "shrimp inspect --help"),
    "unknown flag of the program": (["--verison"], "there is no option --verison.", '"--version"'),
    "unknown flag before the command": (["--foo", "fit", "t.csv", "--target", "y"], "there is no option --foo.", "shrimp --help"),
    "required flag missing": (["fit", "t.csv"], "fit needs --target NAME.", "shrimp fit TRAIN.csv --target NAME"),
    "all missing": (["fit"], "fit needs TRAIN.csv and --target NAME.", "shrimp fit TRAIN.csv --target NAME"),
    "argument missing": (["predict", "m.json"], "predict needs DATA.csv.", "shrimp predict MODEL.json DATA.csv"),
    "missing deep down": (["theory", "bound", "--d", "3"], "theory bound needs --s COUNT.", "--d COUNT --s COUNT"),
    "value missing at the end": (["fit", "t.csv", "--target"], "--target has no value.", "--target NAME"),
    "value left empty": (["fit", "t.csv", "--target="], "--target has no value.", "--target NAME"),
    "value missing before a flag": (["fit", "t.csv", "--target", "--json"], "--target needs a value, but --json follows it.", "--target NAME"),
    "file missing before a flag": (["fit", "t.csv", "--target", "y", "--output", "-q"], "--output needs a value, but -q follows it.", "--output MODEL.json"),
    "no number": (["predict", "m.json", "t.csv", "--threads", "two"], '--threads "two" is not a whole number.', "a whole number"),
    "half a number": (["predict", "m.json", "t.csv", "--threads", "2x"], '--threads "2x" is not a whole number.', "a whole number"),
    "no whole number": (["experiment", "--runs", "1.5"], '--runs "1.5" is not a whole number of 0 or more.', "a whole number"),
    "negative count": (["theory", "bound", "--d", "-3", "--s", "1"], '--d "-3" is not a whole number of 0 or more.', "a whole number"),
    "no number of the theory": (["theory", "bound", "--d", "3", "--s", "1", "--norm", "big"], '--norm "big" is not a number.', "a number"),
    "number out of range": (["predict", "m.json", "t.csv", "--threads", "2000"], '--threads "2000" is not allowed.', "from 0 to 1024"),
    "given twice": (["fit", "t.csv", "--target", "y", "--seed", "1", "--seed", "2"], "--seed is given 2 times.", "--seed S"),
    "target given thrice": (["fit", "t.csv", *["--target", "y"] * 3], "--target is given 3 times.", "--target NAME"),
    "an unexpected argument": (["inspect", "m.json", "n.json"], '"n.json" is an unexpected argument.', "shrimp inspect --help"),
    "exclusive": (["fit", "t.csv", "--target", "y", "-q", "-v"], "--quiet and --verbose exclude each other.", "one of them"),
    "no command": ([], "shrimp needs a command.", "fit, predict"),
    "unknown command": (["fti", "t.csv", "--target", "y"], 'there is no command "fti".', '"fit"'),
    "command that is like no other": (["xyzzyx"], 'there is no command "xyzzyx".', "fit, predict"),
    "no statement": (["theory"], "theory needs a command.", "bound, order-q"),
    "unknown statement": (["theory", "bond"], 'there is no command "bond".', '"bound"'),
}  # fmt: skip


@pytest.mark.parametrize("arguments, what, way_out", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_in_two_plain_lines(shrimp, arguments, what, way_out):
    told, way = refusal(shrimp(*arguments))
    assert told == what
    assert way_out in way


def test_a_switch_may_be_given_twice(fit_json, wide):
    fit_json(wide, "--json")


def test_a_switch_takes_no_other_value_than_yes_or_no(shrimp, wide):
    what, _ = refusal(shrimp("fit", wide, "--target", "y", "--json=maybe"))
    assert what == '--json "maybe" is not allowed.'
