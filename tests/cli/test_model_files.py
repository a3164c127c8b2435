"""What is said of a file that should hold a model and does not."""

import gzip
import json
import os
import subprocess

import pytest

WAY_OUT = "        Give a file that `shrimp fit --output` or Python's `save` wrote.\n"

OTHERS = {
    "JSON of another kind": b'{"nbformat": 4, "cells": []}',
    "a list": b"[1, 2, 3]",
    "a number": b"3",
    "a table": b"x1,y\n1,2\n",
    "a page": b"<!DOCTYPE html>\n<html>shrimp-model</html>",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe",
    "another JSON cut short": b'{"nbformat": 4, "cells": [',
    "nothing": b"",
    "blank lines": b"\n \n",
    "an archive": gzip.compress(b'{"format": "shrimp-model"}'),
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("command", [["inspect"], ["predict", "-"], ["evaluate", "-"]], ids=lambda c: c[0])
def test_a_file_of_another_kind_is_no_model_file(shrimp, tmp_path, command, content):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    subcommand, *rest = command
    run = shrimp(subcommand, path, *rest, stdin="x1,y\n1,2\n")
    assert run.returncode == 3
    assert run.stderr == f"shrimp: {path} is not a model file.\n{WAY_OUT}"


def test_a_folder_is_no_model_file(shrimp, tmp_path):
    run = shrimp("inspect", tmp_path)
    assert run.returncode == 3
    assert run.stderr == f"shrimp: {tmp_path} is not a model file but a folder.\n{WAY_OUT}"


def test_standard_input_is_named_where_it_is_no_model_file(shrimp):
    run = shrimp("inspect", "-", stdin="x1,y\n1,2\n")
    assert run.returncode == 3
    assert run.stderr == f"shrimp: standard input is not a model file.\n{WAY_OUT}"


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_model_file_cut_short_says_where(shrimp, model, tmp_path, part):
    text = model.read_text()
    text = text[: int(part * len(text))]
    path = tmp_path / "cut.json"
    path.write_text(text)
    run = shrimp("inspect", path)
    assert run.returncode == 3
    line = text.count("\n") + 1
    way_out = "        Fit the model again, or restore the file.\n"
    assert run.stderr == f"shrimp: {path} is damaged: it is truncated in line {line}.\n{way_out}"


def test_a_damaged_model_file_says_where(shrimp, model, tmp_path):
    lines = model.read_text().split("\n")
    at = next(k for k, line in enumerate(lines) if '"weights":[' in line)
    column = lines[at].index('"weights":[') + len('"weights":[')
    lines[at] = lines[at][:column] + "?" + lines[at][column:]
    path = tmp_path / "damaged.json"
    path.write_text("\n".join(lines))
    run = shrimp("inspect", path)
    assert run.returncode == 3
    assert f"is damaged: line {at + 1} is not valid JSON at character {column + 1}.\n" in run.stderr


def test_a_number_too_large_is_damage(shrimp, model, tmp_path):
    path = tmp_path / "damaged.json"
    path.write_text(model.read_text().replace('"weights":[', '"weights":[1e999,', 1))
    run = shrimp("inspect", path)
    assert run.returncode == 3
    assert "is damaged: it contains a number that is too large.\n" in run.stderr


def test_a_complex_model_says_what_reads_it(shrimp, tmp_path):
    path = tmp_path / "complex.json"
    path.write_text(json.dumps({"format": "shrimp-complex-model", "format_version": 1}))
    run = shrimp("inspect", path)
    assert run.returncode == 3
    assert "holds a complex model.\n        Read it with load_complex_model" in run.stderr


DEEP = "[" * 200_000 + "]" * 200_000


@pytest.mark.parametrize(
    "place, hostile, words",
    [
        ('"options": {', f'"options": {{"x": {DEEP}, ', "nested more than"),
        ('"method": "', f'"x": {DEEP}, "method": "', "nested more than"),
        ('"options": {', '"options": {' + ", ".join(f'"k{k}": "v"' for k in range(100_000)) + ", ", "more than 4096 keys"),
        ('"method": "', '"method": "a", "method": "', 'contains "method" twice'),
        ('"method": "', '"x": [' + "[]," * 3_000_000 + '0], "method": "', "more memory than its text"),
    ],
    ids=["deep within", "deep", "keys", "twice", "memory"],
)
def test_hostile_files_are_refused_at_little_cost(binary, model, tmp_path, place, hostile, words):
    text = model.read_text()
    assert place in text
    (tmp_path / "hostile.json").write_text(text.replace(place, hostile, 1))
    # Threads reserve addresses, too: what is limited is what the text could become.
    limited = 'ulimit -v 1500000; exec "$@"'
    run = subprocess.run(
        ["bash", "-c", limited, "bash", binary, "inspect", tmp_path / "hostile.json"],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        timeout=60,
    )
    assert run.returncode == 3 and words in run.stderr, run.stderr[:500]


@pytest.mark.parametrize("field, value", [("input_scale", 5e-324), ("target_scale", 1.7e308)])
def test_predictions_that_are_no_numbers_are_an_error(shrimp, model, train, tmp_path, field, value):
    content = json.loads(model.read_text())
    scaling = content["scaling"]
    scaling[field] = [value] * len(scaling[field]) if isinstance(scaling[field], list) else value
    if field == "target_scale":
        for feature in content["features"]:
            feature.update({name: 1e5 for name in ("cos", "sin") if name in feature})
    (tmp_path / "wild.json").write_text(json.dumps(content))
    for command in ("predict", "evaluate"):
        run = shrimp(command, tmp_path / "wild.json", train)
        assert run.returncode == 1 and "the prediction of row 1 is not finite" in run.stderr
