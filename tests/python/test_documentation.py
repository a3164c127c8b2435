"""What the documentation says is run: docstrings, the quick start, the examples. Generated pages are current."""

import doctest
import importlib
import inspect
import subprocess
import sys

import pytest
import shrimp

EXAMPLES = {
    "surrogate.py": (["--runs", "150"], ["surrogate.png", "borehole.json"]),
    "noisy_table.py": ([], ["noisy_table.png"]),
    "lottery_tickets.py": (["--features", "500"], ["lottery_tickets.png"]),
    "calibration.py": ([], ["calibration.png"]),
}


@pytest.mark.parametrize("module", ["_regressors", "_classifier", "_base", "_reading", "_random_features", "_displays", "_sensitivity"])
def test_examples_in_docstrings_are_true(module):
    assert doctest.testmod(importlib.import_module(f"shrimp.{module}")).failed == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page, examples", [
    ("getting-started/quickstart.md", 15),
    ("how-to/scikit-learn.md", 30),
    ("how-to/sensitivity.md", 5),
    ("how-to/intervals.md", 10),
])
def test_what_pages_show_is_true(page, examples, repository, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, run = doctest.testfile(str(repository / "docs" / page), module_relative=False)
    assert run >= examples and failed == 0


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_run(name, repository, tmp_path):
    options, files = EXAMPLES[name]
    subprocess.run([sys.executable, repository / "examples" / "python" / name, tmp_path, *options], check=True)
    for file in files:
        assert (tmp_path / file).stat().st_size > 1000


def test_the_api_page_is_current(repository):
    page = subprocess.run(
        [sys.executable, repository / "docs" / "python_api.py"], check=True, capture_output=True, text=True
    ).stdout
    assert page == (repository / "docs" / "python-api.md").read_text(), "make docs writes it anew"


def test_the_stubs_are_current(repository, tmp_path):
    subprocess.run([sys.executable, repository / "docs" / "python_stubs.py", tmp_path], check=True)
    for stub in tmp_path.iterdir():
        assert stub.read_text() == (repository / "python" / "shrimp" / stub.name).read_text(), "make docs writes it anew"


@pytest.mark.parametrize("name", shrimp.__all__)
def test_everything_public_is_documented(name):
    thing = getattr(shrimp, name)
    if not inspect.isclass(thing):
        return
    assert thing.__doc__
    for member, value in inspect.getmembers(thing, inspect.isfunction):
        if not member.startswith("_") and value.__module__.startswith("shrimp"):
            assert value.__doc__, f"{name}.{member}"
