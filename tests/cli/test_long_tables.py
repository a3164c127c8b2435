"""Tables of any length: predict and evaluate read them block by block."""

import gzip
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

from functions import write_csv

BLOCK = 8192
ROW = b"0.125,0.25,0.5,1\n"


def table(rows, last=b""):
    return b"x1,x2,x3,y\n" + ROW * rows + last


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """More rows than fit in several blocks, some of them outside the range of those the model was fitted to."""
    x = np.random.default_rng(3).uniform(-3, 3, (3 * BLOCK + 77, 3))
    y = 1e6 + x[:, 0] * x[:, 1] + x[:, 2]
    path = tmp_path_factory.mktemp("many") / "many.csv"
    write_csv(path, x, y)
    return path, x, y


def test_rows_of_every_block_are_predicted_as_by_themselves(predictions, model, many, tmp_path):
    path, x, y = many
    expected = []
    for first in range(0, len(x), BLOCK):
        write_csv(tmp_path / "part.csv", x[first : first + BLOCK], y[first : first + BLOCK])
        expected.append(predictions(model, tmp_path / "part.csv"))
    np.testing.assert_array_equal(predictions(model, path), np.concatenate(expected))


def test_scores_of_many_blocks_are_those_of_all_rows(shrimp, predictions, model, many):
    path, _, y = many
    errors = predictions(model, path) - y
    own = json.loads(shrimp("evaluate", model, path, "--json", "-q").stdout)
    assert own["rows"] == len(y)
    assert own["mse"] == pytest.approx(np.mean(errors**2), rel=1e-12)
    assert own["rmse"] == pytest.approx(np.sqrt(np.mean(errors**2)), rel=1e-12)
    assert own["mae"] == pytest.approx(np.mean(np.abs(errors)), rel=1e-12)
    assert own["r2"] == pytest.approx(1 - np.mean(errors**2) / np.var(y), rel=1e-10)


def test_a_target_that_is_the_same_in_all_blocks_has_no_r2(shrimp, model, tmp_path):
    (tmp_path / "table.csv").write_bytes(table(0) + b"0.1,0.2,0.3,0.1\n" * (BLOCK + 10))
    assert json.loads(shrimp("evaluate", model, tmp_path / "table.csv", "--json").stdout)["r2"] is None


def test_rows_outside_the_training_range_are_counted_over_all_blocks(shrimp, fit_model, train, many, tmp_path, data):
    path, x, _ = many
    own = fit_model(train, tmp_path / "model.json", "--method", "auto", "--clip", "0")
    outside = (x < data[0].min(axis=0)) | (x > data[0].max(axis=0))
    for command in ("predict", "evaluate"):
        warning = shrimp(command, own, path).stderr
        assert f"warning: {outside.any(axis=1).sum()} of {len(x)} rows lie outside" in warning
        for name, count in zip(("x1", "x2", "x3"), outside.sum(axis=0)):
            assert f"{name} ({count})" in warning


def peak_memory(binary, environment, *arguments):
    """Bytes that a run has in memory at most."""
    process = subprocess.Popen([binary, *map(str, arguments)], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss * 1024


def test_memory_does_not_grow_with_the_rows(binary, environment, model, tmp_path):
    short, long = tmp_path / "short.csv.gz", tmp_path / "long.csv.gz"
    short.write_bytes(gzip.compress(table(1000)))
    long.write_bytes(gzip.compress(table(2_000_000), 1))
    for command in ("predict", "evaluate"):
        least = peak_memory(binary, environment, command, model, short, "--threads", 2)
        assert peak_memory(binary, environment, command, model, long, "--threads", 2) < least + 40e6


def test_a_fit_of_many_rows_takes_the_memory_that_it_may(binary, environment, shrimp, tmp_path):
    x = np.random.default_rng(1).uniform(-1, 1, (9000, 2))
    write_csv(tmp_path / "table.csv", x, x[:, 0] ** 2 + x[:, 1])
    fit = ["fit", tmp_path / "table.csv", "--target", "y", "--method", "auto", "--quiet", "--output", tmp_path / "model.json"]
    assert peak_memory(binary, environment, *fit, "--memory", 0.35, "--threads", 2) < 0.35 * 2**30
    assert json.loads(shrimp("evaluate", tmp_path / "model.json", tmp_path / "table.csv", "--json").stdout)["r2"] > 0.999
    refused = shrimp(*fit, "--memory", 0.01)
    assert refused.returncode == 2
    assert "needs about" in refused.stderr and "Raise the limit (option memory)" in refused.stderr


def test_predictions_come_before_the_table_ends(binary, environment, model):
    seen = threading.Event()

    def feed(pipe):
        with pipe:
            pipe.write(table(10 * BLOCK))
            pipe.flush()
            if seen.wait(60):
                pipe.write(ROW)

    run = subprocess.Popen([binary, "predict", model, "-"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    feeder = threading.Thread(target=feed, args=[run.stdin])
    feeder.start()
    first = run.stdout.readline()
    seen.set()
    assert first == b"prediction\n"
    assert len(run.stdout.read().splitlines()) == 10 * BLOCK + 1
    feeder.join()
    assert run.wait(60) == 0


BROKEN = {
    "a bad cell": (table(9 * BLOCK, b"1,2,oops,4\n"), f'line {9 * BLOCK + 2}, column "x3": "oops" is not a number.'),
    "a missing cell": (table(9 * BLOCK, b"1,2\n"), f"line {9 * BLOCK + 2} has 2 cells, but 4 are expected."),
    "an open quote": (table(9 * BLOCK, b'1,2,"3,4\n' + ROW), f"line {9 * BLOCK + 2}: a quote is opened but not closed."),
    "words among numbers": (table(9 * BLOCK, b"1,2,true,4\n"), f'line {9 * BLOCK + 2}, column "x3": "true" is not a number.'),
    "no text": (table(9 * BLOCK, b"\0\n"), "it contains zero bytes"),
    "half an archive": (gzip.compress(table(99 * BLOCK))[:-9], "it is truncated."),
}  # fmt: skip


@pytest.mark.parametrize("content, message", BROKEN.values(), ids=BROKEN)
def test_a_late_fault_leaves_the_old_output_in_place(shrimp, model, tmp_path, content, message):
    (tmp_path / "table.csv").write_bytes(content)
    (tmp_path / "out.csv").write_text("old")
    run = shrimp("predict", model, tmp_path / "table.csv", "--output", tmp_path / "out.csv")
    assert run.returncode == 1
    assert message in run.stderr
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "table.csv"]
    run = shrimp("evaluate", model, tmp_path / "table.csv")
    assert run.returncode == 1
    assert message in run.stderr
    assert not run.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_prediction_leaves_no_file_behind(binary, environment, model, tmp_path, number):
    out = tmp_path / "out.csv"
    out.write_text("old")
    run = subprocess.Popen([binary, "predict", model, "-", "--output", out], env=environment, stdin=subprocess.PIPE)
    run.stdin.write(table(10 * BLOCK))
    run.stdin.flush()
    for _ in range(600):
        if sum(path.stat().st_size for path in tmp_path.iterdir()) > 1000:
            break
        time.sleep(0.1)
    run.send_signal(number)
    assert run.wait(60) == 130
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_a_table_in_blocks_has_the_exposure_that_a_small_one_has(shrimp):
    """Standard input is read block by block, as files of 16 MiB and more are."""
    rows = "x,e,y\n" + "".join(f"{k},{1 + k % 3},{k % 7}\n" for k in range(30))
    options = ("fit", "-", "--method", "auto", "--target", "y")
    run = shrimp(*options, "--exposure", "e", stdin=rows)
    assert run.returncode == 2 and "exposure applies to counts, but the loss is squared" in run.stderr
    run = shrimp(*options, "--exposure", "none", stdin=rows)
    assert run.returncode == 2 and 'no column "none" to use as exposure' in run.stderr


def test_warnings_about_rows_of_a_table_in_blocks_come_after_the_fit(shrimp):
    rows = "id,x,y\n" + "".join(f"1234567890123456789{k % 2},{k % 10},{k % 10}\n" for k in range(40))
    run = shrimp("fit", "-", "--target", "y", "--features", 10, "--order", 1, stdin=rows)
    assert run.returncode == 0 and run.stderr.count("exceeds double precision") == 1
