"""Whichever build of OpenBLAS is loaded, BLAS runs on one thread inside ours and the model is the same.

The builds share a name (libopenblas.so.0), so that the loader's path chooses one. scripts/setup test unpacks those that are
not installed: installed, they would take the place of the usual one for every program.
"""

import pathlib
import subprocess

import pytest

from functions import sample, write_csv

KINDS = {"openmp": "openblas-openmp", "pthreads": "openblas-pthread", "serial": "openblas-serial"}


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def variables(kind, repository, shrimp):
    """The environment in which the program loads that build."""
    for system in (repository / "build" / "openblas" / "usr", "/usr"):
        for library in sorted(repository.joinpath(system).glob(f"lib/*/{KINDS[kind]}/libopenblas.so.0")):
            environment = {"LD_LIBRARY_PATH": str(library.parent)}
            assert f"({kind}" in shrimp("--version", "-v", variables=environment).stdout
            return environment
    pytest.skip(f"the {kind} build of OpenBLAS is not on this machine")


def test_the_version_tells_the_blas_only_when_asked(shrimp):
    short, long = shrimp("--version").stdout, shrimp("--version", "-v").stdout
    assert long.startswith(short) and "OpenBLAS" in long.removeprefix(short)
    assert len(short.splitlines()) == 1 and len(long.splitlines()) == 3


@pytest.mark.parametrize("options", [["--features", 400], ["--method", "auto"]])
def test_a_model_is_the_same_with_every_build_on_any_number_of_threads(shrimp, kind, variables, options, tmp_path):
    table = tmp_path / "table.csv"
    write_csv(table, *sample("f3", 240, 6, 0))

    def fit(threads, environment=None):
        model = tmp_path / "model.json"
        run = shrimp("fit", table, "--target", "y", "--threads", threads, "--output", model, "-q", *options,
                     variables=environment)  # fmt: skip
        assert run.returncode == 0, run.stderr
        return model.read_bytes()

    usual = fit(1)
    assert [fit(threads, variables) == usual for threads in (1, 2, 5)] == [True, True, True]


def test_blas_stays_on_one_thread_inside_our_loops(kind, variables, environment, repository):
    tests = repository / "build" / "release" / "tests" / "shrimp_unit_tests"
    if not tests.exists():
        pytest.skip("the unit tests are not built")
    # With the serial build loops have one thread; their own tests ask for more.
    chosen = "Blas.*" if kind == "serial" else "Blas.*:ParallelFor.*"
    command = [tests, f"--gtest_filter={chosen}", "--gtest_brief=1"]
    run = subprocess.run(command, env=environment | variables, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout


def test_new_processors_get_kernels_with_their_instructions(shrimp):
    """OpenBLAS falls back to Prescott's on a processor that is newer than itself."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if " avx2 " not in flags or " fma " not in flags:
        pytest.skip("the processor has no AVX2")
    assert "kernels for Prescott" not in shrimp("--version", "-v").stdout
    chosen = shrimp("--version", "-v", variables={"OPENBLAS_CORETYPE": "Prescott"})
    assert "kernels for Prescott" in chosen.stdout
