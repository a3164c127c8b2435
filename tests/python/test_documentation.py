"""Examples in docstrings and pages are true, the example scripts run, and generated files are current."""

import doctest
import importlib
import inspect
import operator
import os
import pathlib
import re
import subprocess
import sys

import pytest
import shrimp
from documented import scripts_on_pages

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
GALLERY = sorted((REPOSITORY / "examples" / "gallery").glob("plot_*.py"))
MODULES = sorted(path.stem for path in pathlib.Path(shrimp.__file__).parent.glob("_*.py") if path.stem != "__main__")


@pytest.mark.filterwarnings("error::FutureWarning")
@pytest.mark.parametrize("module", [*MODULES, "dask._estimators"])
def test_examples_in_docstrings_are_true(module):
    if module.startswith("dask"):
        pytest.importorskip("dask")
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


# Pages show what the other scripts print: test_documented_output.py runs these.
ON_NO_PAGE = [script for script in GALLERY if script not in scripts_on_pages(REPOSITORY)]


@pytest.mark.parametrize("script", ON_NO_PAGE, ids=lambda script: script.stem)
def test_the_gallery_runs(script, tmp_path):
    # Threads that wait for each other would take more of the processor than the fits do.
    environment = os.environ | {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-W", "ignore", script], cwd=tmp_path, env=environment, check=True)
    assert not list(tmp_path.iterdir()), "an example leaves files behind"


def test_the_stubs_are_current(repository, tmp_path):
    subprocess.run([sys.executable, repository / "docs" / "python_stubs.py", tmp_path], check=True)
    for stub in tmp_path.iterdir():
        assert stub.read_text() == (repository / "python" / "shrimp" / stub.name).read_text(), "make docs writes it anew"


def public_members(cls):
    """Methods and properties of a class that are defined in the package, without those of scikit-learn."""
    for member in dir(cls):
        value = inspect.getattr_static(cls, member)
        owner = next((base for base in cls.__mro__ if member in vars(base)), None)
        if member.startswith("_") or member.endswith("_request") or not owner.__module__.startswith("shrimp"):
            continue
        if isinstance(value, (classmethod, staticmethod)) or callable(value) or isinstance(value, property):
            yield member, getattr(cls, member) if not isinstance(value, property) else value


def sections_of(doc):
    """Names of parameters, or of other entries, by section of a numpydoc docstring."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-+$", inspect.cleandoc(doc or ""), flags=re.MULTILINE)
    return {name: re.findall(r"^(\S.*)$", text, re.MULTILINE) for name, text in zip(parts[1::2], parts[2::2])}


def names_of(entries):
    return [name.strip().lstrip("*") for entry in entries for name in entry.split(" : ")[0].split(",")]


CLASSES = [name for name in shrimp.__all__ if inspect.isclass(getattr(shrimp, name))]


@pytest.mark.parametrize("name", [*CLASSES, "dask.ShrimpRegressor", "dask.ShrimpClassifier"])
def test_everything_public_is_documented(name):
    """Classes with an example, and every parameter of every method with its type."""
    if name.startswith("dask"):
        pytest.importorskip("dask")
        importlib.import_module("shrimp.dask")
    cls = operator.attrgetter(name)(shrimp)
    sections = sections_of(cls.__doc__)
    assert "Examples" in sections
    for section in ("Parameters", "Attributes"):
        assert all(" : " in entry for entry in sections.get(section, [])), f"{name}: {section} without types"
    for member, value in public_members(cls):
        assert value.__doc__, f"{name}.{member}"
        if isinstance(value, property):
            continue
        parameters = [parameter for parameter in inspect.signature(value).parameters if parameter not in ("self", "X_")]
        documented = sections_of(value.__doc__)
        if member in ("set_params",):
            continue
        entries = documented.get("Parameters", [])
        assert [p for p in parameters if p not in names_of(entries)] == [], f"{name}.{member} lacks parameters"
        assert all(" : " in entry or entry.startswith("*") for entry in entries), f"{name}.{member}: no type"


def test_docstrings_of_attributes_name_what_a_fit_sets(data):
    """Every public fitted attribute is in the section Attributes, and every attribute there exists after a fit."""
    model = shrimp.ShrimpRegressor(method="shrimp", features=50).fit(*data)
    documented = set(names_of(sections_of(shrimp.ShrimpRegressor.__doc__)["Attributes"]))
    found = {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}
    assert found <= documented
    missing = {name for name in documented if not hasattr(model, name)}
    assert missing == {"simplified_", "feature_names_in_"}  # The rows have no names, and the model is not simplified.
