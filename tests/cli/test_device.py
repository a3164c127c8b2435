"""--device: what a machine without a card says, and that nothing but the last digits depends on where a fit runs.

The same tests run against a build with CUDA on a machine with a card (scripts/test-cuda); those that need one skip elsewhere.
"""

import json

import pytest

from functions import sample, write_csv


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("device") / "table.csv"
    write_csv(path, *sample("f3", 200, 8, 0))
    return path


@pytest.fixture(scope="module")
def card(shrimp):
    """What the program says of the card; skips where it has none."""
    words = shrimp("--version", "-v").stdout.splitlines()[2]
    if not words.startswith("CUDA") or "with" not in words:
        pytest.skip(f"no card: {words}")
    return words


@pytest.fixture(scope="module")
def noisy_table(tmp_path_factory):
    path = tmp_path_factory.mktemp("device") / "noisy.csv"
    inputs, values = sample("f3", 1700, 8, 0)
    write_csv(path, inputs, [value + 0.3 * (i * 37 % 101 - 50) / 50 for i, value in enumerate(values)])
    return path


@pytest.fixture(scope="module")
def fit(shrimp, table, tmp_path_factory):
    def run(*options, table=table):
        model = tmp_path_factory.mktemp("model") / "model.json"
        done = shrimp("fit", table, "--target", "y", "--json", "--output", model, "-q", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), model

    return run


def test_the_version_says_in_one_line_what_card_there_is(shrimp):
    line = shrimp("--version", "-v").stdout.splitlines()[2]
    assert "CUDA" in line


def test_a_card_that_is_asked_for_and_missing_is_refused_in_two_lines(shrimp, table):
    run = shrimp("fit", table, "--target", "y", "--device", "cuda")
    if run.returncode == 0:
        pytest.skip("there is a card")
    assert run.returncode == 2 and run.stdout == ""
    first, second = run.stderr.splitlines()
    assert first.startswith("shrimp: device cuda: ") and first.endswith(".")
    assert second.strip() == "Use device cpu, or auto, which uses a GPU if one is present."


def test_a_device_that_does_not_exist_is_refused(shrimp, table):
    run = shrimp("fit", table, "--target", "y", "--device", "gpu")
    assert run.returncode == 2 and "cpu, cuda, auto" in run.stderr


def test_auto_takes_the_processor_where_there_is_no_card(fit, shrimp):
    if "with" in shrimp("--version", "-v").stdout.splitlines()[2].removeprefix("no CUDA (built without it)"):
        pytest.skip("there is a card")
    usual, usual_model = fit("--features", 300)
    result, model = fit("--features", 300, "--device", "auto")
    assert result["device"] == usual["device"] == "cpu"
    assert model.read_bytes() == usual_model.read_bytes()


@pytest.mark.parametrize("options", [[], ["--prune", ".2,.3"], ["--folds", 3], ["--ridge", 0.1], ["--ridge", "gcv"],
                                     ["--method", "min-l2"], ["--method", "stlsq"], ["--basis", "tanh"],
                                     ["--storage", "recompute"], ["--device-memory", 0.001], ["--device-memory", 1e-5]])  # fmt: skip
def test_the_card_chooses_as_the_processor_does(fit, shrimp, table, card, options, tmp_path):
    expected, expected_model = fit("--features", 300, *options)
    result, model = fit("--features", 300, "--device", "cuda", *options)
    again, model_again = fit("--features", 300, "--device", "cuda", *options)
    assert result["device"] in card
    assert model.read_bytes() == model_again.read_bytes()
    assert result["basis_functions"] == expected["basis_functions"]
    assert result["validation_mse"] <= 2 * expected["validation_mse"] + 1e-25


def test_a_card_with_too_little_memory_leaves_the_rest_to_the_processor_and_says_so(shrimp, table, card):
    run = shrimp("fit", table, "--target", "y", "--features", 300, "--device", "cuda", "--device-memory", 1e-5)
    assert run.returncode == 0
    assert "but 10.5 KiB may be used" in run.stderr and "the CPU computed the rest." in run.stderr


@pytest.mark.parametrize("method", ["auto", "krr", "salsa"])
def test_the_card_fits_noisy_tables_as_the_processor_does(fit, noisy_table, card, method):
    given = {"auto": [], "krr": ["--lambda", ".1,1"], "salsa": ["--order", 2, "--lambda", ".1,1"]}
    options = ["--method", method, *given[method]]
    expected, _ = fit(*options, table=noisy_table)
    result, model = fit("--device", "cuda", *options, table=noisy_table)
    _, model_again = fit("--device", "cuda", *options, table=noisy_table)
    assert result["device"] in card
    assert model.read_bytes() == model_again.read_bytes()
    assert result["basis_functions"] == expected["basis_functions"]
    assert result["validation_mse"] == pytest.approx(expected["validation_mse"], rel=1e-6)


def test_the_default_method_on_a_few_rows_has_nothing_for_the_card_and_says_so(shrimp, table, card, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("\n".join(table.read_text().splitlines()[:100]) + "\n")
    run = shrimp("fit", few, "--target", "y", "--method", "auto", "--device", "cuda")
    assert run.returncode == 0
    assert "method auto uses the GPU only for loss squared and 200 rows or more; the CPU was used." in run.stderr


def test_a_method_that_does_not_run_on_the_card_says_so(fit, shrimp, table, card):
    run = shrimp("fit", table, "--target", "y", "--method", "lasso", "--device", "cuda")
    assert run.returncode == 0
    assert "method lasso does not run on the GPU; the CPU was used." in run.stderr
