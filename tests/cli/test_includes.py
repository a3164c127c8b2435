"""CONTRIBUTING's table of folders is the law."""
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def check(root):
    return subprocess.run([ROOT / "scripts" / "includes", root], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    shutil.copy(ROOT / "CONTRIBUTING.md", tmp_path)
    for folder in ("src", "include"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def test_every_include_is_one_that_the_table_allows():
    done = check(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("src/path/prune.cpp", "fit/selection.hpp"),
        ("src/data/rows.hpp", "shrimp/model.hpp"),
        ("src/grow/grow.cpp", "shrimp/fit.hpp"),
        ("include/shrimp/path.hpp", "shrimp/fit.hpp"),
    ],
)
def test_an_include_upwards_is_named_and_refused(copy, file, include):
    path = copy / file
    path.write_text(f'#include "{include}"\n' + path.read_text())
    done = check(copy)
    assert done.returncode == 1
    assert f"{file}:1: " in done.stdout and include in done.stdout


def test_a_folder_and_a_header_that_the_table_does_not_know_are_refused(copy):
    (copy / "src" / "attic").mkdir()
    (copy / "src" / "attic" / "box.cpp").write_text("\n")
    (copy / "include" / "shrimp" / "new.hpp").write_text("\n")
    done = check(copy)
    assert done.returncode == 1
    assert "src/attic/box.cpp" in done.stdout and "include/shrimp/new.hpp" in done.stdout
