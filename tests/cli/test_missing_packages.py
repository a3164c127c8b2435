"""What a build says on a machine that lacks packages: all their Debian names at once."""

import re
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")


def needs(repository):
    """The rows of the root's list: (words, Debian package, the rest)."""
    return re.findall(r'shrimp_needs\("([^"]+)" (\S+) ([^)]+)\)', (repository / "CMakeLists.txt").read_text())


def packages_of_setup(repository):
    """What scripts/setup installs, which people and CI build with."""
    text = (repository / "scripts" / "setup").read_text()
    return set(" ".join(re.findall(r'^(?:build|python|test)="([^"]*)"', text, re.MULTILINE)).split())


def configure(repository, folder, *options, path=None):
    """The packages to install that a configuration ends with, or [] where it succeeds."""
    command = [shutil.which("cmake"), "-S", repository, "-B", folder, "-G", "Ninja", "-DSHRIMP_BUILD_TESTS=ON", *options]
    run = subprocess.run(command, capture_output=True, text=True, env={"PATH": str(path)} if path else None)
    if run.returncode == 0:
        return []
    (packages,) = re.findall(r"sudo apt install (.*)", run.stderr)
    assert "Could NOT find" not in run.stderr and run.stderr.count("CMake Error") == 1, run.stderr
    return packages.split()


def hidden(rest):
    """The option that hides what a row looks for."""
    name, *details = rest.split()
    if name == "LapackeOpenBLAS":
        return f"-DLapackeOpenBLAS_{details[-1].upper()}=OFF"
    return f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON"


def test_everything_that_is_missing_is_told_at_once_by_its_debian_name(repository, tmp_path):
    rows = [row for row in needs(repository) if row[1] != "python3-dev"]
    assert {"libopenblas-openmp-dev", "liblapacke-dev", "libfmt-dev", "libhwy-dev"} <= {package for _, package, _ in rows}
    told = configure(repository, tmp_path, *(hidden(rest) for _, _, rest in rows))
    assert told == [package for _, package, _ in rows]


def test_only_what_is_missing_is_told(repository, tmp_path):
    assert configure(repository, tmp_path, "-DLapackeOpenBLAS_LAPACKE=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON") == [
        "liblapacke-dev",
        "libfmt-dev",
    ]


def test_a_missing_compiler_is_told_with_the_rest(repository, tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("cmake", "ninja"):
        (programs / name).symlink_to(shutil.which(name))
    told = configure(repository, tmp_path / "build", hidden("FastFloat"), path=programs)
    assert told[0] == "g++" and "libfast-float-dev" in told


def test_the_packages_told_are_those_that_setup_installs(repository):
    told = {package for _, package, _ in needs(repository)} - {"libomp-dev"}  # For Clang; GCC has OpenMP with it.
    assert told <= packages_of_setup(repository)
