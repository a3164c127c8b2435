"""No command writes over what it reads, however the two are spelled."""

import os
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def place(shrimp, train, model, tmp_path_factory):
    """A table, a model and a summary, and what they held before."""
    folder = tmp_path_factory.mktemp("separate")
    files = {name: folder / name for name in ("d.csv", "m.json", "s.summary", "o.csv", "c.toml")}
    shutil.copy(train, files["d.csv"])
    shutil.copy(train, files["o.csv"])
    shutil.copy(model, files["m.json"])
    files["c.toml"].write_text("features = 60\n")
    assert shrimp("summarize", files["m.json"], files["d.csv"], "--output", files["s.summary"], "-q").returncode == 0
    return folder


FIT = ["--target", "y", "-q"]
# What is read, and what would be written over it.
COMMANDS = {
    "fit": (["fit", "d.csv", *FIT, "--output", "OUT"], ["d.csv"]),
    "fit --summary": (["fit", "d.csv", *FIT, "--output", "n.json", "--summary", "OUT"], ["d.csv"]),
    "fit --validation": (["fit", "d.csv", *FIT, "--validation", "o.csv", "--output", "OUT"], ["o.csv"]),
    "fit --config": (["fit", "d.csv", *FIT, "--config", "c.toml", "--output", "OUT"], ["c.toml"]),
    "path": (["path", "d.csv", *FIT, "--test", "o.csv", "--output", "OUT"], ["d.csv", "o.csv"]),
    "predict": (["predict", "m.json", "d.csv", "--output", "OUT"], ["m.json", "d.csv"]),
    "explain": (["explain", "m.json", "d.csv", "--output", "OUT"], ["m.json", "d.csv"]),
    "export": (["export", "m.json", "--to", "c", "--output", "OUT"], ["m.json"]),
    "report": (["report", "m.json", "--data", "d.csv", "--path", "o.csv", "--output", "OUT"], ["m.json", "d.csv", "o.csv"]),
    "summarize": (["summarize", "m.json", "d.csv", "--output", "OUT"], ["m.json", "d.csv"]),
    "merge": (["merge", "m.json", "s.summary", "--output", "OUT"], ["s.summary"]),
    "merge --summary": (["merge", "m.json", "s.summary", "--output", "n.json", "--summary", "OUT"], ["m.json", "s.summary"]),
    "update": (["update", "m.json", "d.csv", "--summary", "s.summary", "--output", "OUT"], ["d.csv", "s.summary"]),
    "update --summary": (["update", "m.json", "d.csv", "--summary", "OUT"], ["m.json", "d.csv"]),
    "simplify": (["simplify", "m.json", "--terms", "1", "--data", "d.csv", "--output", "OUT"], ["m.json", "d.csv"]),
    "simplify --summary": (
        ["simplify", "m.json", "--terms", "1", "--summary", "s.summary", "--output", "n.json", "--new-summary", "OUT"],
        ["m.json", "s.summary"],
    ),
}
CASES = [(name, read) for name, (_, files) in COMMANDS.items() for read in files]


def run_in(binary, environment, folder, *arguments, **more):
    settings = {"capture_output": True, "text": True, "timeout": 60} | more
    return subprocess.run([binary, *arguments], cwd=folder, env=environment, **settings)


def assert_refused(result, folder, before):
    assert result.returncode == 2, result.stderr
    first, second = result.stderr.splitlines()
    assert first.startswith("shrimp: ") and ("overwrite" in first or "same file" in first)
    assert second.startswith("        ")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name, read", CASES, ids=[f"{name} {read}" for name, read in CASES])
def test_an_output_that_is_an_input_is_refused_before_work_starts(binary, environment, place, name, read):
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    arguments = [read if word == "OUT" else word for word in COMMANDS[name][0]]
    assert_refused(run_in(binary, environment, place, *arguments), place, before)


def spell(folder, spelling):
    """Another spelling of d.csv."""
    if spelling == "link":
        os.symlink("d.csv", folder / "other")
    if spelling == "hard link":
        os.link(folder / "d.csv", folder / "other")
    if spelling == "link to a folder":
        os.symlink(".", folder / "other")
    return {
        "dots": "./d.csv",
        "detour": f"../{folder.name}/d.csv",
        "absolute": str(folder / "d.csv"),
        "link": "other",
        "hard link": "other",
        "link to a folder": "other/d.csv",
    }[spelling]


SPELLINGS = ["dots", "detour", "absolute", "link", "hard link", "link to a folder"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_other_spellings_of_a_file_are_the_same_file(binary, environment, train, tmp_path, spelling):
    shutil.copy(train, tmp_path / "d.csv")
    output = spell(tmp_path, spelling)
    content = (tmp_path / "d.csv").read_bytes()
    result = run_in(binary, environment, tmp_path, "fit", "d.csv", *FIT, "--output", output)
    assert result.returncode == 2 and "would overwrite the table" in result.stderr
    assert (tmp_path / "d.csv").read_bytes() == content


@pytest.mark.parametrize("table, output", [("-", "d.csv"), ("/dev/stdin", "d.csv"), ("d.csv", "/dev/stdin"), ("d.csv", "/dev/fd/0")])
def test_standard_input_is_the_file_that_it_comes_from(binary, environment, train, tmp_path, table, output):
    shutil.copy(train, tmp_path / "d.csv")
    with open(tmp_path / "d.csv") as stdin:
        result = run_in(binary, environment, tmp_path, "fit", table, *FIT, "--output", output, stdin=stdin)
    assert result.returncode == 2 and "would overwrite the table" in result.stderr


@pytest.mark.parametrize("command", [["predict", "m.json", "d.csv"], ["evaluate", "m.json", "d.csv"], ["inspect", "m.json"],
                                     ["sensitivity", "m.json"], ["compare", "d.csv", "--target", "y", "--methods", "lasso"]],
                         ids=lambda command: command[0])  # fmt: skip
def test_standard_output_that_is_an_input_is_refused(binary, environment, place, command):
    read = place / command[1]
    content = read.read_bytes()
    with open(read, "a") as stdout:
        result = run_in(binary, environment, place, *command, capture_output=False, stdout=stdout, stderr=subprocess.PIPE)
    assert result.returncode == 2 and "standard output would overwrite" in result.stderr
    assert read.read_bytes() == content


@pytest.mark.parametrize("second", ["x", "./x", "link", "/dev/stdout"])
def test_two_outputs_of_one_command_are_two_files(binary, environment, train, tmp_path, second):
    """The file need not be there."""
    os.symlink("x", tmp_path / "link")
    first = "/dev/fd/1" if second == "/dev/stdout" else "x"
    result = run_in(binary, environment, tmp_path, "fit", train, *FIT, "--output", first, "--summary", second)
    assert result.returncode == 2 and "are the same file" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_two_inputs_cannot_both_be_standard_input(shrimp):
    run = shrimp("predict", "-", "-")
    assert run.returncode == 2
    assert "the model and the table cannot both be standard input" in run.stderr


def test_what_cannot_be_read_back_may_take_all_outputs(shrimp, train):
    run = shrimp("fit", train, *FIT, "--features", 60, "--output", "/dev/null", "--summary", "/dev/null")
    assert "same file" not in run.stderr


def test_a_model_may_be_updated_in_place(shrimp, place, tmp_path):
    for name in ("m.json", "s.summary", "d.csv"):
        shutil.copy(place / name, tmp_path)
    model, summary, table = (tmp_path / name for name in ("m.json", "s.summary", "d.csv"))
    assert shrimp("merge", model, summary, "--output", model, "--summary", tmp_path / "all", "-q").returncode == 0
    run = shrimp("update", model, table, "--summary", tmp_path / "all", "--output", model, "-q")
    assert run.returncode == 0, run.stderr
