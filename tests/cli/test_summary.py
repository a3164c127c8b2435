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
def test_fit_and_inspect_show_r2_and_the_errors_of_simple_models_next_to_the_error(shrimp, noisy, tmp_path, method):
    table, y = noisy
    model = tmp_path / "model.json"
    options = ["--method", method] if method != "auto" else []
    text = summary_of(shrimp, table, *options, output=model)
    assert shrimp("inspect", model).stdout == text
    kind = "estimated" if method == "auto" else "validation"
    number = r"(\d[\d.e-]*)"
    lines = " ".join(text.split())
    shown = re.search(rf"{kind} error RMSE {number}(?: ± {number})? \(mean {number}, linear model {number}\), R² {number}", lines)
    rmse, standard_error, mean, linear, r2 = shown.groups()
    assert (standard_error is None) == (method != "auto")
    training = re.search(rf"training error RMSE {number}, R² {number}", lines).groups()
    for error, of_variance in [(rmse, r2), training]:
        assert 1 - float(error) ** 2 / y.var() == pytest.approx(float(of_variance), abs=0.01)
    assert float(mean) == pytest.approx(y.std(), rel=0.35 if method != "auto" else 0.05)
    assert float(rmse) < float(linear) < float(mean)
    assert f"{method} " in lines and "200 rows" in lines
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
    rmse = fitted["validation_mse"] ** 0.5
    text = f"estimated error RMSE {rmse:.3g} ± {fitted['validation_se'] / (2 * rmse):.1g} "
    assert text in " ".join(shrimp("inspect", model).stdout.split())
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
        ([], "auto (defaults)"),
        (["--seed", 3, "--clip", "none"], "auto with --clip none --seed 3"),
        (["--one-se", "--include", "x1*x2"], "auto with --include 'x1*x2' --one-se"),
        (["--method", "shrimp", "--features", 100], "shrimp with --features 100"),
    ],
)
def test_the_summary_says_in_one_line_what_differs_from_the_defaults(shrimp, noisy, options, words):
    assert f"\n  method           {words}, 200 rows\n" in summary_of(shrimp, noisy[0], *options)


def test_the_verbose_summary_has_every_option_in_lines_of_80_columns(shrimp, noisy):
    text = summary_of(shrimp, noisy[0], "-v").split("\n\n")[-1]
    assert "tolerance 1e-06" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def table_of(text):
    """The lines of the table of terms."""
    return text.split("\n\n")[2].splitlines()


def test_the_table_of_terms_shows_variance_p_value_and_effect(shrimp, noisy, tmp_path):
    model = tmp_path / "model.json"
    table = table_of(summary_of(shrimp, noisy[0], output=model))
    assert table[0].split() == ["term", "variance", "p-value", "effect"]
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    for line, term in zip(table[1:], terms):
        name, fraction, error, p_value, effect = re.fullmatch(
            r"  (\S.*?) +([\d.]+) %(?: ± ([\d.]+))?  +(< 1e-9|\d\S*)?  +(\S.*)", line
        ).groups()
        assert name == (term["variables"][0] if len(term["variables"]) == 1 else f"({', '.join(term['variables'])})")
        assert float(fraction) == pytest.approx(100 * term["fraction"], abs=0.06)
        assert effect == term["effect"]
        if error is not None:  # Half of a 90 % interval of a normal distribution is 1.645 standard errors.
            assert float(error) == pytest.approx(100 * (term["high"] - term["low"]) / 3.29, abs=0.051)
    effects = {tuple(term["variables"]): term["effect"] for term in terms}
    assert effects["x1",] == "increasing, linear" and effects["x2",] == "rises, then falls"
    assert effects["x3", "x4"] == "interaction"
    assert "p-value" not in summary_of(shrimp, noisy[0], "--method", "shrimp", "--features", 100)


def test_a_main_effect_that_an_interaction_contains_has_a_row_like_any_other(shrimp, noisy, tmp_path):
    model = tmp_path / "model.json"
    # Fits with a given scale move no effects to terms of their own.
    text = summary_of(shrimp, noisy[0], "--sigma2", 1, output=model)
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    contained = ["*".join(term["variables"]) for term in terms if term["basis_functions"] == 0]
    assert "x4" in contained
    assert re.search(r"^  x4 .* %.*increasing, linear$", text, re.MULTILINE)
    assert "through" not in text and not re.search(r" -( |$)", text)


def test_a_kernel_term_is_one_line_and_the_readable_model_has_its_cost(shrimp, tmp_path):
    x = np.random.default_rng(5).uniform(-1, 1, (300, 6))
    table, model = tmp_path / "wide.csv", tmp_path / "model.json"
    noise = 0.05 * np.random.default_rng(6).normal(size=300)
    write_csv(table, x, np.cos(x.sum(axis=1)) + 2 * x[:, 0] + noise)
    text = summary_of(shrimp, table, output=model)
    found = json.loads(shrimp("inspect", model, "--json").stdout)
    results = found["results"]
    assert any(len(term["variables"]) == 6 for term in found["terms"])
    assert f"\n  interactions above order 3: {100 * found['fraction_above_order_three']:.1f} %\n" in text
    assert "… 6 inputs" not in text
    ratio = (results["readable_mse"] / results["validation_mse"]) ** 0.5
    cost = f"{ratio:.1f} times as large" if ratio >= 2 else f"{round(100 * (ratio - 1))} % more"
    shown = f"RMSE {results['readable_mse'] ** 0.5:.3g} ({cost}) without the kernel term: fit with --max-order"
    assert shown in " ".join(text.split())
    order = int(results["readable_max_order"])
    readable = json.loads(
        shrimp("fit", table, "--target", "y", "--method", "auto", "--max-order", order, "-q", "--json").stdout
    )
    assert readable["validation_mse"] == pytest.approx(results["readable_mse"], rel=0.2)
    assert "readable_mse" not in readable


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
    assert f"interactions above order 3: {100 * fitted['fraction_above_order_three']:.1f} %" in text
    assert "6 inputs)" not in text


def test_small_terms_are_counted_in_one_line_and_listed_in_json(shrimp, many_inputs, tmp_path):
    model = tmp_path / "model.json"
    text = summary_of(shrimp, many_inputs, "--method", "krr", output=model)
    terms = json.loads(shrimp("inspect", model, "--json").stdout)["terms"]
    terms = [term for term in terms if len(term["variables"]) <= 4]
    shown = [term for term in terms[:20] if term["fraction"] >= 0.001]
    rest = 100 * sum(term["fraction"] for term in terms[len(shown) :])
    assert 0 < len(shown) < len(terms)
    count = len(terms) - len(shown)
    shown_rest = re.search(rf"\n  … and {count} more term{'s' * (count > 1)}, ([\d.]+) % in all\n", text)
    assert float(shown_rest[1]) == pytest.approx(rest, abs=0.06)
    assert len(table_of(text)) == len(shown) + 3  # With the heading and the line of the kernel term.


def test_models_of_few_inputs_have_no_interactions_above_order_three(shrimp, noisy):
    table, _ = noisy
    assert "above order 3" not in summary_of(shrimp, table)
    fitted = json.loads(shrimp("fit", table, "--target", "y", "--features", 60, "-q", "--json").stdout)
    assert fitted["fraction_above_order_three"] is None


@pytest.mark.parametrize(
    ("loss", "metric", "constant", "linear"),
    [
        ("logistic", "log_loss", "constant probability", "logistic regression"),
        ("poisson", "deviance", "constant rate", "Poisson regression"),
    ],
)
def test_classes_and_counts_have_their_own_errors_and_baselines(shrimp, tmp_path, loss, metric, constant, linear):
    random = np.random.default_rng(7)
    x = random.uniform(-1, 1, (400, 2))
    mean = np.exp(x[:, 0]) if loss == "poisson" else 1 / (1 + np.exp(-4 * x[:, 0]))
    y = random.poisson(mean) if loss == "poisson" else (random.uniform(size=400) < mean).astype(int)
    table, model = tmp_path / "table.csv", tmp_path / "model.json"
    write_csv(table, x, y)
    text = " ".join(summary_of(shrimp, table, "--loss", loss, output=model).split())
    results = json.loads(shrimp("inspect", model, "--json").stdout)["results"]
    mean_loss, linear_loss = results[f"baseline_mean_{metric}"], results[f"baseline_linear_{metric}"]
    assert f"({constant} {mean_loss:.3g}, {linear} {linear_loss:.3g})" in text
    assert f"{metric.replace('_', ' ')} {results[f'validation_{metric}']:.3g}" in text
    best = y.mean()
    if loss == "logistic":
        expected = -best * np.log(best) - (1 - best) * np.log(1 - best)
    else:
        expected = 2 * np.mean(np.where(y > 0, y * np.log(np.maximum(y, 1) / best), 0) - (y - best))
    assert mean_loss == pytest.approx(expected, rel=0.03)
    assert linear_loss < 0.9 * mean_loss


def test_model_files_of_older_versions_have_no_lines_about_simple_models(shrimp, repository):
    text = shrimp("inspect", repository / "tests" / "golden" / "version4.json").stdout
    assert "RMSE" in text and "linear model" not in text and "readable model" not in text


def test_an_update_forgets_the_errors_of_the_linear_model(shrimp, noisy, tmp_path):
    table, _ = noisy
    model, summary, after = tmp_path / "model.json", tmp_path / "rows.json", tmp_path / "after.json"
    fit = ["fit", table, "--target", "y", "--method", "auto", "-q", "--output", model, "--summary", summary]
    assert shrimp(*fit).returncode == 0
    run = shrimp("update", model, table, "--summary", summary, "--output", after, "-q")
    assert run.returncode == 0, run.stderr
    text = shrimp("inspect", after).stdout
    assert "(mean " in text and "linear model" not in text
