"""Limits of the process: refused in words, never waited for."""

import resource
import subprocess

import pytest

MIB = 1 << 20


def run_limited(binary, mebibytes, *arguments):
    limit = mebibytes * MIB
    return subprocess.run(
        [binary, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,y\n" + "".join(f"{k},{k * k % 7},{2 * k}\n" for k in range(30)))
    return path


@pytest.mark.parametrize("mebibytes", [100, 300])
def test_a_program_that_openblas_would_hang_in_ends_with_a_message(binary, mebibytes):
    result = run_limited(binary, mebibytes, "--version")
    assert result.returncode == 1
    assert "address space is limited" in result.stderr and "ulimit -v" in result.stderr


@pytest.mark.parametrize("mebibytes", [405, 450, 600, 900])
def test_a_fit_under_a_limit_of_the_address_space_ends(binary, table, tmp_path, mebibytes):
    result = run_limited(binary, mebibytes, "fit", table, "--target", "y", "--threads", 8, "--output", tmp_path / "m.json")
    assert result.returncode in (0, 1, 2)
    assert (result.returncode == 0) == (tmp_path / "m.json").exists()
    if result.returncode != 0:
        assert "address space" in result.stderr or "memory" in result.stderr


def test_a_hundred_megabytes_of_commas_are_refused_before_names_are_made_of_them(binary, tmp_path):
    path = tmp_path / "commas.csv"
    path.write_text(20_000_000 * ",")
    result = run_limited(binary, 900, "fit", path, "--target", "y")
    assert result.returncode == 1
    assert "20000001 cells" in result.stderr
