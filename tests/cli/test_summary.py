"""What fit, inspect, evaluate and compare print for people."""

import json
import re
import shutil

import numpy as np
import pytest

from functions import write_csv


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """Rows of a line, a curve and a product, with some noise."""
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (200, 4))
    y = 2 * x[:, 0] + np.cos(3 * x[:, 1]) + 2 * (1 + x[:, 2]) * (1.5 + x[:, 3]) + 0.1 * random.normal(size=200)
    path = tmp_path_factory.mktemp("noisy") / "noisy.csv"
    write_csv(path, x, y)
    return path, y


FITS = {}  # (table, options): the printed summary and the model of each fit so far.


def summary_of(shrimp, table, *options, output=None):
    """What fit prints; the model goes to `output`. Equal fits are made once."""
    if (table, options) not in FITS:
        model = table.with_name(f"{table.stem}-{len(FITS)}.json")
        method = [] if "--method" in options else ["--method", "auto"]
        quiet = [] if "-v" in options else ["-q"]
        process = shrimp("fit", table, "--target", "y", *quiet, *method, *options, "--output", model)
        assert process.returncode == 0, process.stderr
        FITS[table, options] = process.stdout, model
    printed, model = FITS[table, options]
    if output is not None:
        shutil.copy(model, output)
    return printed


@pytest.mark.parametrize("method", ["auto", "shrimp", "lasso"])
def test_fit_and_inspect_show_r2_beside_every_error(shrimp, noisy, tmp_path, method):
    table, y = noisy
    model = tmp_path / "model.json"
    options = ["--method", method] if method != "auto" else []
    text = summary_of(shrimp, table, *options, output=model)
    assert shrimp("inspect", model).stdout == text
    errors = " ".join(text.split("error")[1].split())
    shown = re.match(r"validation MSE (\S+)(?: ± \S+)? \(R2 (\S+)\), training (\S+) \(R2 (\S+)\), 200 rows", errors)
    for mse, r2 in [shown.group(1, 2), shown.group(3, 4)]:
        assert 1 - float(mse) / y.var() == pytest.approx(float(r2), abs=0.006)
    fitted = json.loads(shrimp("inspect", model, "--json").stdout)["results"]
    if method != "auto":
        fitted = json.loads(shrimp("fit", table, "--target", "y", "-q", "--json", *options).stdout)
    for rows in ["validation", "train"]:
        assert fitted[f"{rows}_r2"] == pytest.approx(1 - fitted[f"{rows}_mse"] / y.var())


def test_the_error_of_noisy_tables_has_its_standard_error(shrimp, noisy, tmp_path):
    table, _ = noisy
    model = tmp_path / "model.json"
    options = ["--target", "y", "--method", "auto", "-q", "--json"]
    fitted = json.loads(shrimp("fit", table, *options, "--output", model).stdout)
    assert 0 < fitted["validation_se"] < fitted["validation_mse"]
    assert fitted["validation_r2"] == pytest.approx(1 - fitted["validation_mse"] / noisy[1].var())
    told = f"validation MSE {fitted['validation_mse']:.4g} ± {fitted['validation_se']:.1g}"
    assert told in " ".join(shrimp("inspect", model).stdout.split())
    assert json.loads(shrimp("inspect", model, "--json").stdout)["results"]["validation_se"] == fitted["validation_se"]
    quick = json.loads(shrimp("fit", table, *options, "--quick-error").stdout)
    assert quick["validation_se"] is None
    assert quick["terms"] == fitted["terms"]


def test_compare_and_evaluate_show_r2_beside_the_error(shrimp, noisy, tmp_path):
    table, y = noisy
    arguments = ["compare", table, "--target", "y", "--methods", "auto,lasso", "-q"]
    rows = json.loads(shrimp(*arguments, "--test", table, "--json").stdout)["methods"]
    for row in rows:
        assert row["test_r2"] == pytest.approx(1 - row["test_mse"] / y.var())
        assert row["validation_r2"] == pytest.approx(1 - row["validation_mse"] / y.var())
    for options in [[], ["--test", table]]:
        header, *lines = shrimp(*arguments, *options).stdout.splitlines()
        column = header.split().index("R2") - header.split()[: header.split().index("R2")].count("MSE")
        kind = "test_r2" if options else "validation_r2"
        assert [float(line.split()[column]) for line in lines] == pytest.approx([row[kind] for row in rows], abs=0.006)
    model = tmp_path / "model.json"
    summary_of(shrimp, table, output=model)
    assert "R2 " in shrimp("evaluate", model, table).stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "defaults alone"),
        (["--seed", 3, "--clip", "none"], "--clip none --seed 3 (all else default)"),
        (["--one-se", "--include", "x1*x2"], "--include 'x1*x2' --one-se (all else default)"),
        (["--method", "shrimp", "--features", 100], "--features 100 --method shrimp (all else default)"),
    ],
)
def test_the_summary_says_in_one_line_what_differs_from_the_defaults(shrimp, noisy, options, words):
    assert f"\n  made with {words}\n" in summary_of(shrimp, noisy[0], *options)


def test_the_verbose_summary_has_every_option_in_lines_of_80_columns(shrimp, noisy):
    text = summary_of(shrimp, noisy[0], "-v").split("\n\n")[-1]
    assert "tolerance 1e-06" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_terms_have_their_chance_in_the_table(shrimp, noisy, tmp_path):
    model = tmp_path / "model.json"
    table = summary_of(shrimp, noisy[0], output=model).split("\n\n")[1].splitlines()
    assert table[0].split() == ["term", "columns", "share", "chance"]
    chances = {"*".join(t["variables"]): t.get("p_value") for t in json.loads(shrimp("inspect", model, "--json").stdout)["terms"]}
    assert re.search(r"^  x1 .* %   < 1e-9  #", "\n".join(table), re.MULTILINE) and chances["x1"] < 1e-9
    assert "chance" not in summary_of(shrimp, noisy[0], "--method", "shrimp", "--features", 100)


def test_a_term_without_columns_of_its_own_says_which_carry_it(shrimp, noisy, tmp_path):
    model = tmp_path / "model.json"
    # Fits with a given scale move no effects to terms of their own.
    text = summary_of(shrimp, noisy[0], "--sigma2", 1, output=model)
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    carried = ["*".join(term["variables"]) for term in terms if term["basis_functions"] == 0]
    assert "x4" in carried
    for name in carried:
        assert re.search(rf"^  {re.escape(name)} +- .* through \(x3, x4\)(, …)?$", text, re.MULTILINE)


@pytest.mark.parametrize("seed", range(4))
def test_what_the_samples_own_means_make_is_no_term(shrimp, tmp_path, seed):
    """In a sample the mean of x1 is not quite 0, and x1 * x2 has a slope in x2: by chance, not by the function."""
    x = np.random.default_rng(seed).uniform(-1, 1, (300, 4))
    table, model = tmp_path / "product.csv", tmp_path / "model.json"
    write_csv(table, x, x[:, 0] * x[:, 1])
    summary_of(shrimp, table, output=model)
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    assert all(term["basis_functions"] > 0 for term in terms)
    assert terms[0]["variables"] == ["x1", "x2"]
    assert sum(term["fraction"] for term in terms) == pytest.approx(1)


@pytest.fixture(scope="module")
def many_inputs(tmp_path_factory):
    """Six inputs, all of them together."""
    x = np.random.default_rng(2).uniform(-1, 1, (120, 6))
    path = tmp_path_factory.mktemp("many") / "many.csv"
    write_csv(path, x, np.cos(x.sum(axis=1)) + x[:, 0])
    return path


def test_products_on_many_inputs_have_terms_of_few_and_one_of_all(shrimp, many_inputs, tmp_path):
    model = tmp_path / "model.json"
    options = ["--target", "y", "--method", "krr", "-q"]
    fitted = json.loads(shrimp("fit", many_inputs, *options, "--json", "--output", model).stdout)
    sizes = [len(term["variables"]) for term in fitted["terms"]]
    assert set(sizes) == {1, 2, 3, 6}
    assert sizes.count(6) == 1
    assert sum(term["fraction"] for term in fitted["terms"]) == pytest.approx(1)
    assert 0 < fitted["fraction_above_order_three"] < 1
    assert json.loads(shrimp("inspect", model, "--json").stdout)["fraction_above_order_three"] == fitted["fraction_above_order_three"]
    text = shrimp("inspect", model).stdout
    assert f"higher    {100 * fitted['fraction_above_order_three']:.1f} % of the explained variance is of order above three" in text
    assert "(x1, x2, x3, … 6 inputs)" in text


def test_small_terms_are_counted_in_one_line_and_listed_in_json(shrimp, many_inputs, tmp_path):
    model = tmp_path / "model.json"
    text = summary_of(shrimp, many_inputs, "--method", "krr", output=model)
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    shown = [term for term in terms[:30] if term["fraction"] >= 0.001]
    rest = 100 * sum(term["fraction"] for term in terms[len(shown) :])
    assert 0 < len(shown) < len(terms)
    count = len(terms) - len(shown)
    assert f"\n  … and {count} more term{'s' * (count > 1)}, {rest:.2g} % in all\n" in text
    assert len(text.split("\n\n")[1].splitlines()) == len(shown) + 2


def test_models_of_few_inputs_have_no_share_above_three(shrimp, noisy):
    table, _ = noisy
    assert "higher " not in summary_of(shrimp, table)
    fitted = json.loads(shrimp("fit", table, "--target", "y", "--features", 60, "-q", "--json").stdout)
    assert fitted["fraction_above_order_three"] is None
