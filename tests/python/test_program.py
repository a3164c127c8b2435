"""The command line that the package carries: `python -m shrimp`, and `shrimp` among the programs of the environment."""

import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest
import shrimp

CALLS = {
    "module": [sys.executable, "-m", "shrimp"],
    "program": [os.path.join(sysconfig.get_path("scripts"), "shrimp")],
}


def run(call, *arguments, **options):
    command = [*CALLS[call], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("call", CALLS)
def test_the_program_is_there_and_has_the_version_of_the_package(call):
    found = run(call, "--version")
    assert (found.returncode, found.stderr) == (0, "") and shrimp.__version__ in found.stdout


@pytest.mark.parametrize("call", CALLS)
def test_exit_codes_and_messages_are_those_of_the_program(call):
    refused = run(call, "fit")
    assert refused.returncode == 2 and refused.stderr.startswith("shrimp: ")
    assert run(call, "inspect", "none.json").returncode == 3


def test_a_model_of_the_program_is_one_of_the_package(tmp_path, data):
    X, y = data
    rows = "\n".join(",".join(map(repr, map(float, [*x, value]))) for x, value in zip(X, y))
    (tmp_path / "train.csv").write_text(f"x1,x2,x3,x4,y\n{rows}\n")
    options = ["--target", "y", "--method", "lasso", "-q", "--output", tmp_path / "model.json"]
    assert run("program", "fit", tmp_path / "train.csv", *options).returncode == 0
    model = shrimp.LassoRegressor.load(tmp_path / "model.json")
    predicted = run("program", "predict", tmp_path / "model.json", tmp_path / "train.csv").stdout.split()[1:]
    assert [float(text) for text in predicted] == model.predict(X).tolist()


def test_the_program_takes_the_place_of_python():
    """No process of Python stands between a signal and the program, and its libraries are not loaded."""
    script = """if True:
        import os, sys
        def replace(path, arguments):
            print(path, "numpy" in sys.modules, "shrimp._core" in sys.modules)
            raise SystemExit
        os.execv = replace
        from shrimp.__main__ import main
        main()
    """
    command = [sys.executable, "-c", script]
    path, *loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert os.access(path, os.X_OK) and pathlib.Path(path).parts[-3:] == ("shrimp", "bin", "shrimp")
    assert loaded == ["False", "False"]


def test_a_package_without_the_program_says_so(monkeypatch):
    from shrimp import __main__

    monkeypatch.setattr(shrimp, "__path__", [])
    with pytest.raises(SystemExit, match="does not contain the program"):
        __main__.main()
