"""Limits of the process: refused in words, never waited for."""

import os
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


def test_data_do_not_take_the_room_that_openblas_would_wait_for(binary, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b,c,y\n" + "".join(f"{k % 17},{k * k % 31},{k % 7},{k * k % 31 + k % 7}\n" for k in range(300)))
    result = run_limited(binary, 488, "fit", table, "--target", "y", "--output", tmp_path / "m.json")
    assert result.returncode == 0 or "address space" in result.stderr or "memory" in result.stderr


@pytest.mark.parametrize("mebibytes", [405, 450, 600, 900])
def test_a_fit_under_a_limit_of_the_address_space_ends(binary, table, tmp_path, mebibytes):
    result = run_limited(binary, mebibytes, "fit", table, "--target", "y", "--threads", 8, "--output", tmp_path / "m.json")
    assert result.returncode in (0, 1, 2)
    assert (result.returncode == 0) == (tmp_path / "m.json").exists()
    if result.returncode != 0:
        assert "address space" in result.stderr or "memory" in result.stderr


@pytest.fixture(scope="module")
def faults(repository, tmp_path_factory):
    shim = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, repository / "tests" / "campaign" / "faults.c"], check=True)
    return shim


@pytest.fixture
def fit_without_memory(binary, faults, table, tmp_path):
    """Lets the request of a number fail; whether there was one, and how the fit ended."""
    command = [binary, "fit", table, "--target", "y", "--method", "shrimp", "--order", "2", "--features", "20"]
    mark = tmp_path / "mark"

    def fit(request_number):
        mark.unlink(missing_ok=True)
        fault = {"LD_PRELOAD": faults, "FAULT_KIND": "memory", "FAULT_AT": request_number, "FAULT_MARK": mark}
        result = subprocess.run(
            [*command, "--threads", "1", "--output", tmp_path / "m.json"],
            env=os.environ | {name: str(value) for name, value in fault.items()},
            capture_output=True,
            text=True,
            timeout=60,
        )
        return mark.exists(), result

    return fit


def ends_in_words(result):
    return result.returncode == 0 or (result.returncode == 1 and "not enough memory" in result.stderr)


@pytest.mark.parametrize("request_number", [50, 5000])
def test_memory_that_runs_out_anywhere_ends_the_program_in_words(fit_without_memory, request_number):
    """Some requests are made where nothing can be thrown, as inside of the reader of flags."""
    assert ends_in_words(fit_without_memory(request_number)[1])


def test_memory_that_runs_out_while_a_model_is_written_ends_the_program_in_words(fit_without_memory):
    """JSON that is half made could not be destroyed, and folders not be read."""
    low, high = 1, 1 << 16
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fit_without_memory(middle)[0] else (low, middle)
    ends = {number: fit_without_memory(number)[1] for number in range(low - 420, low, 7)}
    assert [number for number, result in ends.items() if not ends_in_words(result)] == []


def test_many_commas_are_refused_before_names_are_made_of_them(binary, tmp_path):
    path = tmp_path / "commas.csv"
    path.write_text(20_000_000 * ",")
    result = run_limited(binary, 900, "fit", path, "--target", "y")
    assert result.returncode == 1
    assert "20000001 cells" in result.stderr
