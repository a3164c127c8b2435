"""Limits of the process: refused in words, never waited for."""

import os
import random
import resource
import subprocess

import pytest

MIB = 1 << 20


def run_under(binary, limit, value, *arguments, **more):
    settings = {"capture_output": True, "text": True, "timeout": 60} | more
    set_limit = lambda: resource.setrlimit(limit, (value, value))
    return subprocess.run([binary, *map(str, arguments)], preexec_fn=set_limit, **settings)


def run_limited(binary, mebibytes, *arguments):
    return run_under(binary, resource.RLIMIT_AS, mebibytes * MIB, *arguments)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,y\n" + "".join(f"{k},{k * k % 7},{2 * k}\n" for k in range(30)))
    return path


LIMITS = {
    "-d": (resource.RLIMIT_DATA, [8 * MIB, 100 * MIB, 145_000 << 10, 299 * MIB]),
    "-s": (resource.RLIMIT_STACK, [64 << 10, 256 << 10]),
}


@pytest.mark.parametrize("flag, value", [(flag, value) for flag, (_, values) in LIMITS.items() for value in values])
def test_limits_that_linear_algebra_cannot_work_under_end_with_a_message(binary, flag, value):
    result = run_under(binary, LIMITS[flag][0], value, "--version", timeout=10)
    assert result.returncode == 1
    assert "is limited to less than" in result.stderr and f"ulimit {flag}" in result.stderr


# Processes are not limited for root, and few descriptors are enough.
USABLE = {
    "-d": (resource.RLIMIT_DATA, 600 * MIB),
    "-s": (resource.RLIMIT_STACK, 512 << 10),
    "-n": (resource.RLIMIT_NOFILE, 8),
    "-u": (resource.RLIMIT_NPROC, 1),
    "-l": (resource.RLIMIT_MEMLOCK, 0),
    "-i": (resource.RLIMIT_SIGPENDING, 0),
    "-q": (resource.RLIMIT_MSGQUEUE, 0),
    "-m": (resource.RLIMIT_RSS, 0),
    "-c": (resource.RLIMIT_CORE, 0),
}


@pytest.mark.parametrize("flag", USABLE)
def test_a_fit_under_other_limits_works_or_ends_in_words(binary, table, tmp_path, flag):
    model = tmp_path / "m.json"
    options = ["--target", "y", "--method", "shrimp", "--features", 20, "--threads", 2, "--output", model]
    result = run_under(binary, *USABLE[flag], "fit", table, *options)
    assert result.returncode in (0, 1, 2), result.stderr
    assert (result.returncode == 0) == model.exists()
    if result.returncode != 0:
        assert result.stderr.startswith("shrimp: ")


@pytest.mark.parametrize("value", [3, 5, 6])
def test_too_few_descriptors_are_an_error_in_words(binary, table, tmp_path, value):
    result = run_under(binary, resource.RLIMIT_NOFILE, value, "fit", table, "--target", "y", "--output", tmp_path / "m.json")
    assert result.returncode in (0, 1, 127)  # The loader itself needs one.
    assert result.returncode == 0 or result.stderr


@pytest.mark.parametrize("size", [0, 1000])
@pytest.mark.parametrize("where", ["--output", "standard output"])
def test_files_that_may_not_grow_are_an_error_in_words(binary, table, tmp_path, size, where):
    """The signal of `ulimit -f` would end the program without a word, and leave half of a file."""
    folder = tmp_path / "written"
    folder.mkdir()
    output = folder / "m.json"
    options = ["fit", table, "--target", "y", "--method", "shrimp", "--features", 300, "-q", "--output"]
    if where == "--output":
        result = run_under(binary, resource.RLIMIT_FSIZE, size, *options, output)
        assert list(folder.iterdir()) == []
    else:
        with open(output, "w") as stdout:
            more = {"capture_output": False, "stdout": stdout, "stderr": subprocess.PIPE}
            result = run_under(binary, resource.RLIMIT_FSIZE, size, *options, "-", **more)
    assert result.returncode == 1
    assert result.stderr.startswith("shrimp: cannot write") and "File too large" in result.stderr


def test_a_fit_that_meets_the_limit_of_processor_time_ends_in_words(binary, tmp_path):
    numbers = random.Random(1)
    table, model = tmp_path / "table.csv", tmp_path / "m.json"
    rows = [[numbers.gauss(0, 1) for _ in range(8)] for _ in range(1200)]
    table.write_text("a,b,c,d,e,f,g,h,y\n" + "".join(",".join(map(str, [*x, x[0] * x[1] + x[2]])) + "\n" for x in rows))
    options = ["--target", "y", "--method", "shrimp", "--features", 10000, "--prune", "0.02", "--threads", 1, "-q"]
    result = run_under(binary, resource.RLIMIT_CPU, 2, "fit", table, *options, "--output", model)
    assert result.returncode == 130
    assert "ulimit -t" in result.stderr
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


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
    return result.returncode == 0 or (result.returncode == 1 and "memory is insufficient" in result.stderr)


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


READERS = {
    "model": ["inspect", "ENDLESS"],
    "summary": ["merge", "MODEL", "ENDLESS", "--output", "new.json"],
    "summary to update": ["update", "MODEL", "TABLE", "--summary", "ENDLESS"],
    "table": ["fit", "ENDLESS", "--target", "y"],
    "table that is read at once": ["fit", "ENDLESS", "--target", "y", "--method", "shrimp"],
    "validation table": ["fit", "TABLE", "--target", "y", "--validation", "ENDLESS"],
    "test table": ["path", "TABLE", "--target", "y", "--test", "ENDLESS"],
    "configuration": ["fit", "TABLE", "--target", "y", "--config", "ENDLESS"],
    "rows to predict": ["predict", "MODEL", "ENDLESS"],
    "prune path": ["report", "MODEL", "--path", "ENDLESS"],
}


@pytest.mark.parametrize("reader", READERS)
def test_files_without_end_are_refused_by_their_beginning(binary, table, model, tmp_path, reader):
    names = {"ENDLESS": "/dev/zero", "MODEL": model, "TABLE": table}
    arguments = [names.get(word, word) for word in READERS[reader]]
    result = run_under(binary, resource.RLIMIT_AS, 1000 * MIB, *arguments, cwd=tmp_path)
    assert result.returncode in (1, 3)
    assert result.stderr.startswith("shrimp: /dev/zero") and "memory is insufficient" not in result.stderr


def test_a_config_file_that_is_too_large_is_refused_with_the_limit(binary, table, tmp_path):
    (tmp_path / "large.toml").write_text("# " + 300_000 * "x")
    result = run_under(binary, resource.RLIMIT_AS, 1000 * MIB, "fit", table, "--target", "y", "--config", tmp_path / "large.toml")
    assert result.returncode == 1
    assert "large.toml is larger than 256 KiB" in result.stderr and "memory" not in result.stderr


@pytest.mark.parametrize("text", ["{", " ", "[[", '{"format": 1}, '])
def test_text_without_end_is_no_model(binary, tmp_path, text):
    """A program that is gone has closed the pipe: whoever writes on is told."""
    command = f"yes '{text}' | \"$0\" inspect -"
    done = subprocess.run(["bash", "-c", command, binary], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert "standard input" in done.stderr
