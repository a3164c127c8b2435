"""summarize, merge, update and fit --summary against NumPy's least squares on columns that are rebuilt from the model file."""

import fcntl
import json
import os
import struct
import subprocess
import time
import zlib

import numpy as np
import pytest

from cases import RunsOfTheProgram, made_once
from functions import write_csv
from model_fits import assert_same_fit, entered, expected_fit, fitted
from model_matrix import matrix, read_model

PARTS = [0, 1, 60, 64, 300, 301, 640, 700]  # Seven, two of one row.


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 4))
    return x, 50 + np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.2 * random.normal(size=rows)


def warped(rows, seed):
    random = np.random.default_rng(seed)
    x = np.exp(2 * random.normal(size=(rows, 3)))
    return x, np.sin(2 * np.log(x[:, 0])) + np.log(x[:, 1]) + 0.2 * random.normal(size=rows)


def logarithmic(rows, seed):
    x, y = noisy(rows, seed)
    return x, np.exp(y - 49)


def clean(rows, seed):
    x, _ = noisy(rows, seed)
    return x, np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2]


def many_inputs(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 8))
    return x, 3 * np.exp(-0.5 * (x**2).sum(axis=1)) + 0.02 * random.normal(size=rows)


TABLES = {
    "ridge": (noisy, ["--method", "auto", "--quick-error"]),
    "log target": (logarithmic, ["--method", "auto", "--quick-error", "--target-transform", "log"]),
    "sqrt target": (logarithmic, ["--method", "auto", "--quick-error", "--target-transform", "sqrt"]),
    "warps": (warped, ["--method", "auto", "--quick-error"]),
    "kernel": (many_inputs, ["--method", "auto", "--quick-error"]),
    "shrimp": (noisy, ["--method", "shrimp", "--features", 20]),
    "shrimp with ridge": (noisy, ["--method", "shrimp", "--features", 40, "--ridge", 0.1]),
    "no scaling": (noisy, ["--method", "min-l2", "--features", 10, "--no-standardize"]),
    "stlsq": (noisy, ["--method", "stlsq", "--features", 30]),
}


class Case(RunsOfTheProgram):
    """A model of a sample, a table of other rows, and its parts."""

    def __init__(self, shrimp, folder, name):
        make, options = TABLES[name] if name != "exact" else (clean, ["--method", "auto", "--features", 200])
        super().__init__(shrimp, folder)
        self.x, self.y = make(PARTS[-1], 2)
        write_csv(folder / "sample.csv", *make(200, 1))
        write_csv(folder / "all.csv", self.x, self.y)
        self.model = folder / "model.json"
        self.run("fit", folder / "sample.csv", "--target", "y", "--output", self.model, "-q", *options)
        self.parts = [folder / f"{k}.summary" for k in range(len(PARTS) - 1)]
        for k, part in enumerate(self.parts):
            rows = slice(PARTS[k], PARTS[k + 1])
            write_csv(folder / f"{k}.csv", self.x[rows], self.y[rows])
            self.run("summarize", self.model, folder / f"{k}.csv", "--target", "y", "--output", part)

    def merge(self, parts, name="merged.json", *options):
        self.run("merge", self.model, *parts, "--output", self.folder / name, *options)
        return self.folder / name


@pytest.fixture(scope="module")
def cases(shrimp, tmp_path_factory):
    return made_once(Case, shrimp, tmp_path_factory)


@pytest.mark.parametrize("name", TABLES)
def test_seven_parts_merged_in_any_order_give_the_fit_of_the_whole(cases, name):
    case = cases(name)
    model = read_model(case.model)
    if name == "kernel":
        assert any("kernel" in feature for feature in model["features"])
    if name == "warps":
        assert any(transform["type"] != "none" for transform in model["scaling"]["input_transforms"])
    expected = expected_fit(model, case.x, case.y)
    for order in ([0, 1, 2, 3, 4, 5, 6], [6, 2, 4, 0, 5, 3, 1]):
        merged = read_model(case.merge([case.parts[k] for k in order]))
        assert_same_fit(merged, expected)
        assert merged["results"]["rows"] == 700
        assert [t["variables"] for t in merged["terms"]] == [t["variables"] for t in model["terms"]]


def test_parts_of_an_exact_model_give_exact_predictions(cases, predictions):
    case = cases("exact")
    model = read_model(case.model)
    assert model["results"]["ridge"] == 0 and "penalty" not in model
    for order in (case.parts, case.parts[::-1]):
        merged = case.merge(order)
        assert predictions(merged, case.folder / "all.csv") == pytest.approx(case.y, rel=1e-9, abs=1e-9)


def test_the_model_of_its_own_rows_is_the_model(cases, predictions):
    case = cases("ridge")
    case.run("summarize", case.model, case.folder / "sample.csv", "--output", case.folder / "own.summary")
    own = case.merge([case.folder / "own.summary"], "own.json")
    assert_same_fit(read_model(own), fitted(read_model(case.model)))


def test_errors_are_those_of_the_fit_and_of_each_part_by_the_others(cases):
    case = cases("ridge")
    model = read_model(case.model)
    results = read_model(case.merge(case.parts))["results"]
    A, _ = matrix(model, entered(model, case.x))
    scale = model["scaling"]["target_scale"]

    def squares(rows, others):
        constant, c = expected_fit(model, case.x[others], case.y[others])
        return ((case.y[rows] - scale * (constant + A[rows] @ c)) ** 2).sum()

    every = np.arange(700)
    assert results["train_mse"] == pytest.approx(squares(every, every) / 700, rel=1e-9)
    folds = [np.arange(a, b) for a, b in zip(PARTS, PARTS[1:])]
    left = np.array([squares(fold, np.setdiff1d(every, fold)) for fold in folds])
    assert results["validation_mse"] == pytest.approx(left.sum() / 700, rel=1e-9)
    gaps = left - np.array([len(fold) for fold in folds]) * left.sum() / 700
    assert results["validation_se"] == pytest.approx(np.sqrt((gaps**2).sum() * 7 / 6) / 700, rel=1e-6)
    assert results["validation_r2"] == pytest.approx(1 - left.sum() / 700 / case.y.var(), rel=1e-9)


def test_weights_count_as_in_a_fit(cases, tmp_path):
    case = cases("ridge")
    model = read_model(case.model)
    for weights, unit in ((np.arange(700) % 3 * 2, 2), (0.5 + np.arange(700) % 3, 1.5)):
        names = ["x1", "x2", "x3", "x4", "w"]
        for k, rows in enumerate((slice(0, 200), slice(200, 700))):
            write_csv(tmp_path / "part.csv", np.column_stack([case.x, weights])[rows], case.y[rows], names)
            case.run("summarize", case.model, tmp_path / "part.csv", "--weights", "w", "--output", tmp_path / f"{k}")
        # Whole weights are counts over their divisor, others relative to their mean.
        unit = unit if unit == 2 else weights.mean()
        case.run("merge", case.model, tmp_path / "1", tmp_path / "0", "--output", tmp_path / "new.json")
        assert_same_fit(read_model(tmp_path / "new.json"), expected_fit(model, case.x, case.y, weights / unit))


def test_many_parts_give_few_folds_whatever_their_order(cases, tmp_path):
    case = cases("ridge")
    parts = []
    for k in range(40):
        write_csv(tmp_path / "part.csv", case.x[10 * k : 10 * k + 10], case.y[10 * k : 10 * k + 10])
        parts.append(tmp_path / str(k))
        case.run("summarize", case.model, tmp_path / "part.csv", "--output", parts[-1])
    first = json.loads(case.run("merge", case.model, *parts, "--output", tmp_path / "a.json", "--json").stdout)
    case.run("merge", case.model, *parts[:33], "--output", tmp_path / "b.json", "--summary", tmp_path / "some")
    other = [*parts[:32:-1], tmp_path / "some"]
    second = json.loads(case.run("merge", case.model, *other, "--output", tmp_path / "b.json", "--json").stdout)
    assert 10 <= first["folds"] <= 32 and first["folds"] == second["folds"]
    assert first["validation_mse"] == pytest.approx(second["validation_mse"], rel=1e-9)
    assert_same_fit(read_model(tmp_path / "b.json"), fitted(read_model(tmp_path / "a.json")))


def test_parts_of_one_fold_are_held_out_together(cases, tmp_path):
    case = cases("ridge")
    for k in range(4):
        case.run("summarize", case.model, case.folder / f"{k}.csv", "--fold", k % 2, "--output", tmp_path / str(k))
    told = case.run("merge", case.model, *(tmp_path / str(k) for k in range(4)), "--output", tmp_path / "m.json", "--json")
    assert json.loads(told.stdout)["folds"] == 2


@pytest.fixture
def pair(shrimp, tmp_path):
    """A model with the summary of its rows, and new rows; all rows are those of the case "ridge" and its sample."""
    write_csv(tmp_path / "sample.csv", *noisy(200, 1))
    write_csv(tmp_path / "new.csv", *noisy(300, 3))
    model, summary = tmp_path / "model.json", tmp_path / "rows.summary"
    run = shrimp("fit", tmp_path / "sample.csv", "--target", "y", "--method", "auto", "--quick-error", "--output", model, "--summary", summary, "-q")
    assert run.returncode == 0, run.stderr
    return model, summary


def update(shrimp, model, summary, rows, *options):
    return shrimp("update", model, rows, "--target", "y", "--summary", summary, *options)


def test_updates_give_the_fit_of_all_rows(shrimp, pair, tmp_path):
    model, summary = pair
    content = read_model(model)
    x, y = (np.concatenate(both) for both in zip(noisy(200, 1), noisy(300, 3), noisy(50, 4)))
    run = update(shrimp, model, summary, tmp_path / "new.csv", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["rows"] == 500
    assert_same_fit(read_model(model), expected_fit(content, x[:500], y[:500]))
    write_csv(tmp_path / "more.csv", *noisy(50, 4))
    run = update(shrimp, model, summary, tmp_path / "more.csv", "--output", tmp_path / "third.json")
    assert run.returncode == 0, run.stderr
    assert_same_fit(read_model(tmp_path / "third.json"), expected_fit(content, x, y))


def test_an_update_that_was_cut_short_is_noticed_and_mended(shrimp, pair, tmp_path):
    model, summary = pair
    before = model.read_bytes()
    assert update(shrimp, model, summary, tmp_path / "new.csv").returncode == 0
    after = model.read_bytes()
    model.write_bytes(before)  # As if the program had ended between the two files.
    run = update(shrimp, model, summary, tmp_path / "new.csv")
    assert run.returncode == 1 and "an update was interrupted" in run.stderr and "shrimp merge" in run.stderr
    assert shrimp("merge", model, summary, "--output", model).returncode == 0
    assert model.read_bytes() == after
    assert update(shrimp, model, summary, tmp_path / "new.csv").returncode == 0


def test_an_update_with_rows_of_the_fit_is_told(shrimp, pair, tmp_path):
    model, summary = pair
    run = update(shrimp, model, summary, tmp_path / "new.csv")
    assert run.returncode == 0 and "added before" not in run.stderr
    for name in ("sample.csv", "new.csv"):
        run = update(shrimp, model, summary, tmp_path / name)
        assert run.returncode == 0 and f"{name} was added before: the rows are counted twice." in run.stderr


def test_updates_at_once_lose_no_rows(binary, environment, pair, tmp_path):
    model, summary = pair
    write_csv(tmp_path / "few.csv", *noisy(20, 5))
    command = [binary, "update", model, tmp_path / "few.csv", "--target", "y", "--summary", summary]
    updates = [subprocess.Popen([*map(str, command)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
    for process in updates:
        _, told = process.communicate(timeout=120)
        assert process.returncode == 0, told
    assert read_model(model)["results"]["rows"] == 200 + 6 * 20


def test_an_update_waits_for_the_one_that_holds_the_summary(binary, environment, pair, tmp_path):
    model, summary = pair
    write_csv(tmp_path / "few.csv", *noisy(20, 5))
    with open(summary, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        command = [binary, "update", model, tmp_path / "few.csv", "--target", "y", "--summary", summary]
        waiting = subprocess.Popen([*map(str, command)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "waiting for another program" in waiting.stderr.readline()
        assert waiting.poll() is None and read_model(model)["results"]["rows"] == 200
        fcntl.flock(held, fcntl.LOCK_UN)
    waiting.communicate(timeout=120)
    assert waiting.returncode == 0 and read_model(model)["results"]["rows"] == 220


def is_locked(path):
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_a_summary_that_changed_during_an_update_is_not_overwritten(binary, environment, pair, tmp_path):
    """By a program that takes no lock."""
    model, summary = pair
    before = model.read_bytes()
    command = [binary, "update", model, "-", "--target", "y", "--summary", summary]
    process = subprocess.Popen([*map(str, command)], env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    text = (tmp_path / "new.csv").read_text()
    process.stdin.write(text[:100])
    process.stdin.flush()
    while not is_locked(summary):
        time.sleep(0.01)
    (tmp_path / "other").write_bytes(summary.read_bytes())
    time.sleep(0.2)  # What is locked is then looked for at its path.
    os.replace(tmp_path / "other", summary)
    _, told = process.communicate(text[100:], timeout=120)
    assert process.returncode == 1 and "was changed by another program after it was read" in told
    assert model.read_bytes() == before


def on_a_full_disk(binary, environment, limit, *arguments):
    command = f"trap '' XFSZ; ulimit -f {limit}; exec \"$@\""
    return subprocess.run(
        ["bash", "-c", command, "bash", binary, *map(str, arguments)], env=environment, capture_output=True, text=True
    )


def test_a_full_disk_loses_nothing(binary, environment, shrimp, pair, tmp_path):
    model, summary = pair
    content = read_model(model)
    content["options"]["seed"] = "0" * 100_000  # A model far larger than the summary.
    model.write_text(json.dumps(content))
    before = model.read_bytes(), summary.read_bytes()
    run = on_a_full_disk(binary, environment, 0, "update", model, tmp_path / "new.csv", "--summary", summary)
    assert run.returncode == 1 and "cannot write" in run.stderr and "rows.summary" in run.stderr
    assert (model.read_bytes(), summary.read_bytes()) == before
    run = on_a_full_disk(binary, environment, 0, "summarize", model, tmp_path / "new.csv", "--output", summary)
    assert run.returncode == 1 and "cannot write" in run.stderr
    assert summary.read_bytes() == before[1]
    # Room for the summary, but not for the model.
    room = 2 * len(before[1]) // 1024
    run = on_a_full_disk(binary, environment, room, "update", model, tmp_path / "new.csv", "--summary", summary)
    assert run.returncode == 1 and "The new rows are in" in run.stderr and "shrimp merge" in run.stderr
    assert model.read_bytes() == before[0]
    assert shrimp("merge", model, summary, "--output", tmp_path / "mended.json").returncode == 0
    assert read_model(tmp_path / "mended.json")["results"]["rows"] == 500
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mended.json", "model.json", "new.csv", "rows.summary", "sample.csv"]


def test_a_summary_of_another_model_is_refused_by_name(shrimp, cases):
    case, other = cases("ridge"), cases("log target")
    run = shrimp("merge", case.model, case.parts[0], other.parts[1], "--output", case.folder / "never.json")
    assert run.returncode == 1 and f"{other.parts[1]} holds sufficient statistics of different basis functions" in run.stderr
    assert not (case.folder / "never.json").exists()


@pytest.mark.parametrize("method", ["lasso", "naive-prune", "krr"])
def test_methods_that_sums_do_not_fit_are_refused_before_any_work(shrimp, train, tmp_path, method):
    run = shrimp("fit", train, "--target", "y", "--method", method, "--output", tmp_path / "m.json", "--summary", tmp_path / "s")
    assert run.returncode == 1 and f"method {method}" in run.stderr
    assert not (tmp_path / "m.json").exists()
    assert shrimp("fit", train, "--target", "y", "--method", method, "--output", tmp_path / "m.json", "-q").returncode == 0
    run = shrimp("summarize", tmp_path / "m.json", train, "--output", tmp_path / "s")
    assert run.returncode == 1 and f"method {method}" in run.stderr


def test_a_file_of_before_penalties_were_written_is_refused(cases, tmp_path):
    case = cases("ridge")
    model = read_model(case.model)
    del model["penalty"]
    (tmp_path / "old.json").write_text(json.dumps(model))
    run = case.shrimp("summarize", tmp_path / "old.json", case.folder / "0.csv", "--output", tmp_path / "s")
    assert run.returncode == 3 and "no scales of its basis functions" in run.stderr and "Fit the model again" in run.stderr


def test_bad_parts_are_refused(cases, tmp_path):
    case = cases("log target")
    (tmp_path / "empty.csv").write_text("x1,x2,x3,x4,y\n")
    (tmp_path / "lacking.csv").write_text("x1,x2,x4,y\n1,2,3,4\n")
    (tmp_path / "negative.csv").write_text("x1,x2,x3,x4,y\n0,0,0,0,1\n0,0,0,0,-1\n")
    (tmp_path / "weight.csv").write_text("x1,x2,x3,x4,w,y\n0,0,0,0,-2,1\n")
    for table, options, code, words in [
        ("empty.csv", [], 1, "it has a header but no rows"),
        ("lacking.csv", [], 1, "x3"),
        ("negative.csv", [], 1, "row 2: the target -1 has no logarithm"),
        ("weight.csv", ["--weights", "w"], 1, "row 1: the weight -2"),
        ("weight.csv", ["--weights", "v"], 2, 'no column "v"'),
        ("weight.csv", ["--target", "z"], 2, "z"),
    ]:
        run = case.shrimp("summarize", case.model, tmp_path / table, *options, "--output", tmp_path / "s")
        assert run.returncode == code and words in run.stderr, run.stderr
        assert not (tmp_path / "s").exists()


def test_damaged_summaries_are_refused(cases, tmp_path):
    case = cases("ridge")
    whole = case.parts[1].read_bytes()
    newer = whole[:8] + struct.pack("<I", 4) + whole[12:]
    longer = whole[:-4] + b"\0"
    infinite = whole[:56] + struct.pack("<d", np.inf) + whole[64:-4]
    seal = lambda data: data + struct.pack("<I", zlib.crc32(data))
    for damaged, words in [
        (whole[:-9], "truncated"),
        (whole[:10], "truncated"),
        (whole[:100] + bytes([whole[100] ^ 4]) + whole[101:], "bytes in it have changed"),
        (newer, "format version 4"),
        (seal(longer), "has data behind its end"),
        (seal(infinite), "not finite"),
        (b"", "is not a file of sufficient statistics"),
        (case.model.read_bytes(), "is not a file of sufficient statistics"),
    ]:
        (tmp_path / "bad.summary").write_bytes(damaged)
        run = case.shrimp("merge", case.model, case.parts[0], tmp_path / "bad.summary", "--output", tmp_path / "m.json")
        assert run.returncode == 3 and words in run.stderr and "bad.summary" in run.stderr, run.stderr
    assert not (tmp_path / "m.json").exists()
    run = case.shrimp("merge", case.model, tmp_path / "none.summary", "--output", tmp_path / "m.json")
    assert run.returncode == 3 and "none.summary" in run.stderr


def fields(summary):
    """Offsets of the numbers of a summary: of its head, and of its first fold."""
    (columns,) = struct.unpack_from("<Q", summary, 16)
    (tables,) = struct.unpack_from("<Q", summary, 96)
    fold = 104 + 8 * tables
    names = ["name", "rows", "weight", "rest", "triangle rows", "constant"]
    return {"target mean": 48, "target scale": 56, "lowest": 64, "highest": 72, "divisor": 80, "table": 104, "columns": columns,
            **{name: fold + 8 * k for k, name in enumerate(names)}}  # fmt: skip


FORGERIES = {
    "another scale of the target": ("target scale", lambda x: 2 * x, 1, "its scale of the target differs"),
    "a mean outside of the range": ("target mean", lambda x: x + 1e6, 1, "outside its range"),
    "a range above the mean": ("lowest", lambda x: 1e5, 3, "range of the target is empty"),
    "no divisor": ("divisor", lambda x: 0.0, 3, "divisor of weights is wrong"),
    "a tiny weight": ("weight", lambda x: 1e-300, 3, "constant does not fit the weights"),
    "a large weight": ("weight", lambda x: 1e300, 3, "constant does not fit the weights"),
    "another constant": ("constant", lambda x: 3 * x, 3, "constant does not fit the weights"),
    "an infinite error": ("rest", lambda x: np.inf, 3, "not finite"),
    "a vast error": ("rest", lambda x: 1e308, 1, "too large"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_sums_that_no_rows_give_are_refused(cases, tmp_path, name):
    """The checksum is right; the model that such sums gave could not be read."""
    case = cases("ridge")
    field, change, code, words = FORGERIES[name]
    forged = bytearray(case.parts[1].read_bytes()[:-4])
    place = fields(forged)[field]
    (number,) = struct.unpack_from("<d", forged, place)
    struct.pack_into("<d", forged, place, change(number))
    (tmp_path / "forged.summary").write_bytes(bytes(forged) + struct.pack("<I", zlib.crc32(forged)))
    run = case.shrimp("merge", case.model, tmp_path / "forged.summary", "--output", tmp_path / "m.json")
    assert run.returncode == code and words in run.stderr, run.stderr
    assert not (tmp_path / "m.json").exists()


def test_summaries_of_the_first_format_are_read(cases, tmp_path):
    case = cases("ridge")
    new = case.parts[1].read_bytes()[:-4]
    places = fields(new)
    old = new[:8] + struct.pack("<I", 1) + new[12:96] + new[places["name"] :]
    (tmp_path / "old.summary").write_bytes(old + struct.pack("<I", zlib.crc32(old)))
    case.run("merge", case.model, tmp_path / "old.summary", "--output", tmp_path / "old.json")
    case.run("merge", case.model, case.parts[1], "--output", tmp_path / "new.json")
    assert (tmp_path / "old.json").read_bytes() == (tmp_path / "new.json").read_bytes()


def test_rows_that_are_merged_twice_are_told(cases, tmp_path):
    """A copy, a summary of the same rows in another order, and a merged summary with one of its parts."""
    case = cases("ridge")
    head, *rows = (case.folder / "1.csv").read_text().splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([head, *rows[::-1]]) + "\n")
    (tmp_path / "copy.summary").write_bytes(case.parts[1].read_bytes())
    case.run("summarize", case.model, tmp_path / "turned.csv", "--output", tmp_path / "turned.summary")
    case.run("merge", case.model, *case.parts[:3], "--output", tmp_path / "m.json", "--summary", tmp_path / "three.summary")
    for first, second in [
        (case.parts[1], case.parts[1]),
        (case.parts[1], tmp_path / "copy.summary"),
        (case.parts[1], tmp_path / "turned.summary"),
        (tmp_path / "three.summary", case.parts[1]),
    ]:
        told = case.run("merge", case.model, first, second, "--output", tmp_path / "m.json").stderr
        assert f"warning: {second} was added before: the rows are counted twice." in told
        assert case.run("merge", case.model, first, second, "--output", tmp_path / "m.json", "-q").stderr == ""
    told = case.run("merge", case.model, case.parts[1], tmp_path / "three.summary", "--output", tmp_path / "m.json").stderr
    assert f"1 of the 3 tables in {tmp_path / 'three.summary'} was added before" in told
    assert "added before" not in case.run("merge", case.model, *case.parts, "--output", tmp_path / "m.json").stderr


def test_rows_of_no_weight_give_no_model(cases, tmp_path):
    case = cases("ridge")
    (tmp_path / "rows.csv").write_text("x1,x2,x3,x4,w,y\n0,0,0,0,0,1\n")
    case.run("summarize", case.model, tmp_path / "rows.csv", "--weights", "w", "--output", tmp_path / "s")
    run = case.shrimp("merge", case.model, tmp_path / "s", "--output", tmp_path / "m.json")
    assert run.returncode == 1 and "no rows to fit" in run.stderr
    case.run("merge", case.model, tmp_path / "s", case.parts[1], "--output", tmp_path / "m.json")
