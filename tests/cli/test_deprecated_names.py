"""Names of earlier versions are accepted with a warning until version 0.5."""

import json
import pathlib

import pytest

from model_matrix import read_model

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

# Old name, current name, a value that is not the default.
PARAMETERS = [
    ("forms", "transform", "none"),
    ("target-form", "target-transform", "identity"),
    ("law", "frequency-distribution", "student-t"),
]
parameters = pytest.mark.parametrize(("old", "new", "value"), PARAMETERS, ids=[new for _, new, _ in PARAMETERS])


def variable(name):
    return "SHRIMP_" + name.upper().replace("-", "_")


def warning(old, new):
    return f"shrimp: warning: {old} is deprecated and will be removed in version 0.5; use {new}.\n"


@pytest.fixture
def fitted_option(shrimp, data, tmp_path):
    """What `name` is in the model of a fit, and what the fit printed on stderr."""
    table = tmp_path / "few.csv"
    table.write_text("x1,x2,x3,y\n" + "".join(f"{a},{b},{c},{y}\n" for (a, b, c), y in list(zip(*data))[:40]))

    def run(name, *options, quiet=False, **keywords):
        model = tmp_path / "model.json"
        arguments = ["--method", "auto", "--quick-error", "--max-order", 1, "--features", 50, "--output", model, *options]
        process = shrimp("fit", table, "--target", "y", *arguments, *(["-q"] if quiet else []), **keywords)
        assert process.returncode == 0, process.stderr
        return read_model(model)["options"][name], process.stderr

    return run


@parameters
def test_an_old_flag_sets_the_parameter_with_a_warning(fitted_option, old, new, value):
    for flag in ([f"--{old}", value], [f"--{old}={value}"]):
        found, stderr = fitted_option(new, *flag)
        assert found == value and stderr.count(warning(f"--{old}", f"--{new}")) == 1
    _, stderr = fitted_option(new, f"--{old}", value, quiet=True)
    assert "deprecated" not in stderr
    _, stderr = fitted_option(new, f"--{new}", value)
    assert "deprecated" not in stderr


@parameters
def test_an_old_variable_sets_the_parameter_with_a_warning(fitted_option, old, new, value):
    found, stderr = fitted_option(new, variables={variable(old): value})
    assert found == value and warning(variable(old), variable(new)) in stderr
    found, stderr = fitted_option(new, variables={variable(new): value})
    assert found == value and "deprecated" not in stderr
    assert "deprecated" not in fitted_option(new, variables={variable(old): value}, quiet=True)[1]


@parameters
def test_an_old_key_of_a_config_file_sets_the_parameter_with_a_warning(fitted_option, tmp_path, old, new, value):
    config = tmp_path / "settings.toml"
    config.write_text(f'{old} = "{value}"\n')
    found, stderr = fitted_option(new, "--config", config)
    assert found == value and warning(f"{config}: {old}", new) in stderr
    assert "deprecated" not in fitted_option(new, "--config", config, quiet=True)[1]
    config.write_text(f'{new} = "{value}"\n')
    found, stderr = fitted_option(new, "--config", config)
    assert found == value and "deprecated" not in stderr


@parameters
def test_both_names_at_once_are_refused(shrimp, train, tmp_path, old, new, value):
    fit = ["fit", train, "--target", "y", "--method", "auto"]
    config = tmp_path / "settings.toml"
    config.write_text(f'{old} = "{value}"\n{new} = "{value}"\n')
    for run, names in [
        (shrimp(*fit, f"--{old}", value, f"--{new}", value), (f"--{old}", f"--{new}")),
        (shrimp(*fit, f"--{new}={value}", f"--{old}={value}"), (f"--{old}", f"--{new}")),
        (shrimp(*fit, variables={variable(old): value, variable(new): value}), (variable(old), variable(new))),
        (shrimp(*fit, "--config", config), (str(config), new)),
    ]:
        assert run.returncode == 2
        assert all(name in run.stderr for name in names), run.stderr


@parameters
def test_a_flag_overrides_variables_and_config_files_under_either_name(fitted_option, tmp_path, old, new, value):
    config = tmp_path / "settings.toml"
    config.write_text(f'{new} = "{value}"\n')
    default = {"transform": "auto", "target-transform": "auto", "frequency-distribution": "normal"}[new]
    assert fitted_option(new, f"--{old}", default, "--config", config)[0] == default
    assert fitted_option(new, f"--{new}", default, variables={variable(old): value})[0] == default
    assert fitted_option(new, "--config", config, variables={variable(old): default})[0] == default


def test_help_shows_the_current_names_only(shrimp):
    text = shrimp("fit", "--help-all").stdout
    for old, new, _ in PARAMETERS:
        assert f"--{new} " in text and f"--{old} " not in text
    text = shrimp("simplify", "--help").stdout
    assert "--basis-functions K" in text and "--columns" not in text


def test_a_deprecated_flag_is_an_option_of_its_own_command_only(shrimp, model, train):
    run = shrimp("predict", model, train, "--law", "cauchy")
    assert run.returncode == 2 and "no option --law" in run.stderr


def test_a_value_that_looks_like_a_deprecated_flag_stays_as_it_is(shrimp, tmp_path):
    run = shrimp("fit", "--target", "y", "--", "--law")
    assert run.returncode == 1 and "--law" in run.stderr and "deprecated" not in run.stderr


def test_simplify_takes_columns_for_basis_functions(shrimp, model, train, tmp_path):
    fixed = ["simplify", model, "--data", train, "--output", tmp_path / "small.json"]
    run = shrimp(*fixed, "--columns", 3)
    assert run.returncode == 0 and warning("--columns", "--basis-functions") in run.stderr
    both = shrimp(*fixed, "--columns", 3, "--basis-functions", 3)
    assert both.returncode == 2 and "--columns" in both.stderr and "--basis-functions" in both.stderr


def test_the_path_of_an_earlier_version_is_drawn(shrimp, model, tmp_path):
    page = {}
    for heading in ("columns", "basis_functions"):
        path = tmp_path / f"{heading}.csv"
        path.write_text(f"step,{heading},train_mse,validation_mse,chosen\n0,50,1,2,0\n1,10,1.5,1,1\n")
        run = shrimp("report", model, "--path", path, "--output", tmp_path / "page.html")
        assert run.returncode == 0, run.stderr
        page[heading] = (tmp_path / "page.html").read_text()
    assert page["columns"] == page["basis_functions"]


@pytest.mark.parametrize("name", ["version5", "0.2.0-auto", "0.2.0-categories", "0.2.0-counts"])
def test_an_old_model_file_is_written_again_with_current_names(shrimp, name, tmp_path):
    """What holds the coefficients stays as it is; keys have the names of version 6."""
    old, path = read_model(GOLDEN / f"{name}.json"), tmp_path / "again.json"
    inspected = json.loads(shrimp("inspect", GOLDEN / f"{name}.json", "--json").stdout)
    assert [t["fraction"] for t in inspected["terms"]] == [t["share"] for t in old["terms"]]
    assert [t["basis_functions"] for t in inspected["terms"]] == [t["columns"] for t in old["terms"]]
    renamed = {"forms": "transform", "target-form": "target-transform", "law": "frequency-distribution"}
    assert inspected["options"] == {renamed.get(key, key): value for key, value in old["options"].items()}
    assert inspected["target_transform"] == old["scaling"].get("target_form", "identity")
    current = old | {"format_version": 6}
    path.write_text(json.dumps(current))
    run = shrimp("inspect", path)
    assert run.returncode == 3 and "format_version" in run.stderr
