"""The content of the package and its archives."""

import importlib.metadata
import importlib.resources
import pathlib
import re
import subprocess
import sys
import tarfile

import shrimp
from threadpoolctl import threadpool_info


def test_the_version_is_written_once(repository):
    written = re.search(r"project\(shrimp VERSION ([0-9.]+)", (repository / "CMakeLists.txt").read_text())[1]
    assert shrimp.__version__ == importlib.metadata.version("shrimp") == written


def test_types_are_in_the_package():
    files = {file.name for file in importlib.resources.files("shrimp").iterdir()}
    assert {"py.typed", "_core.pyi", "_regressors.pyi", "_random_features.pyi"} <= files
    assert not {name for name in files if name.endswith((".cpp", ".hpp"))}
    stub = importlib.resources.files("shrimp").joinpath("_core.pyi").read_text()
    assert "def fit(" in stub and "std::" not in stub


def test_the_wheel_holds_the_package_and_its_program_alone():
    files = [pathlib.PurePath(file) for file in importlib.metadata.files("shrimp")]
    others = {file for file in files if ".dist-info" not in file.parts[0] and file.parts[0] != "shrimp"}
    assert {file.parts[-2:] for file in others} == {("bin", "shrimp")}
    assert pathlib.PurePath("shrimp/bin/shrimp") in files


def test_the_openmp_build_of_openblas_is_loaded():
    """Threads of another build would not obey n_jobs."""
    from shrimp import _core  # noqa: F401

    layers = {pool["threading_layer"] for pool in threadpool_info() if pool["filepath"].startswith("/usr/lib")
              and pool["internal_api"] == "openblas"}  # fmt: skip
    assert layers == {"openmp"}


def test_the_source_archive_has_what_a_build_needs(repository, tmp_path):
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, repository]
    subprocess.run(command, check=True, capture_output=True)
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"CMakeLists.txt", "python/CMakeLists.txt", "python/shrimp/binding.cpp", "cmake/FindLapackeOpenBLAS.cmake"} <= names
    assert "cmake/Needs.cmake" in names
    for folder in ("src", "apps", "experiments"):
        assert {str(path.relative_to(repository)) for path in (repository / folder).rglob("*.cpp")} <= names
    assert not any(name.startswith(("build/", "tests/", "bench/")) for name in names)
