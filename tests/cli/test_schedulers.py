"""Parts of a table summed up by whatever starts programs: the commands of docs/how-to/partitions-and-streaming.md."""

import base64
import json
import shutil
import subprocess

import numpy as np
import pytest

from functions import write_csv

HEADER = "x1,x2,x3,y"


@pytest.fixture(scope="module")
def parts(fit_model, tmp_path_factory):
    """A folder with a model and four parts of a table."""
    folder = tmp_path_factory.mktemp("parts")
    random = np.random.default_rng(0)
    x = random.uniform(-1, 1, (800, 3))
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * random.normal(size=800)
    write_csv(folder / "sample.csv", x[:200], y[:200])
    fit_model(folder / "sample.csv", folder / "sample.json", "--max-order", "2", "--method", "auto", "--quick-error")
    for k in range(4):
        write_csv(folder / f"part_{k}.csv", x[200 * k : 200 * (k + 1)], y[200 * k : 200 * (k + 1)])
    return folder


@pytest.fixture(scope="module")
def run(binary, environment, parts):
    """Runs a line of the shell in the folder."""
    own = environment | {"PATH": f"{binary.parent}:{environment['PATH']}"}

    def command(line, **variables):
        done = subprocess.run(
            ["bash", "-c", line], cwd=parts, env=own | variables, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


@pytest.fixture(scope="module")
def expected(run, parts):
    """Coefficients of parts that were summed up one after the other."""
    run("for part in part_?.csv; do shrimp summarize sample.json $part --output one_$part.summary -q; done")
    return merged(run, parts, "one_*.summary")


def merged(run, parts, names):
    run(f"shrimp merge sample.json {names} --output all.json -q")
    model = json.loads((parts / "all.json").read_text())
    assert model["results"]["rows"] == 800
    return [value for feature in model["features"] for value in feature.values() if isinstance(value, float)]


@pytest.mark.skipif(shutil.which("parallel") is None, reason="needs GNU parallel: scripts/setup test")
def test_gnu_parallel_sums_up_parts_also_where_some_are_run_again(run, parts, expected):
    line = "parallel --will-cite --jobs 2 --halt now,fail=1 --retries 3 'shrimp summarize sample.json {} --output {}.summary -q' ::: part_?.csv"
    run(line)
    run(line)
    np.testing.assert_allclose(merged(run, parts, "part_?.csv.summary"), expected, rtol=1e-10)


def test_a_task_of_an_array_takes_its_part_by_its_number(run, parts, expected):
    line = "parts=(part_?.csv); part=${parts[$SLURM_ARRAY_TASK_ID]}; shrimp summarize sample.json $part --output slurm_$part.summary -q"
    for task in range(4):
        run(line, SLURM_ARRAY_TASK_ID=str(task))
    np.testing.assert_allclose(merged(run, parts, "slurm_*.summary"), expected, rtol=1e-10)


def test_lines_that_are_piped_come_back_as_a_line_of_text(run, parts, expected):
    program = f"(echo {HEADER}; cat) | shrimp summarize sample.json - --output - -q | base64 -w 0"
    for k in range(4):
        text = run(f"tail -n +2 part_{k}.csv | ({program})")
        assert "\n" not in text
        (parts / f"piped_{k}.summary").write_bytes(base64.b64decode(text))
    np.testing.assert_allclose(merged(run, parts, "piped_*.summary"), expected, rtol=1e-10)
