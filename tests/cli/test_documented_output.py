"""What README and the documentation show below `$ shrimp …` is what the program prints.

pytest tests/cli/test_documented_output.py --rewrite
replaces outputs that differ by those of a run. Lines `…` stay where they are; look at the difference before committing.
"""

import csv
import os
import pathlib
import shlex
import statistics
import subprocess
import sys

import pytest

from documented import Comparison, Rewriting, blocks_of_commands, pages_with_runs, with_elisions

TABLES = ["ishigami.py", "borehole.py", "flats.py", "machines.py"]  # Scripts of examples/ that write those that the blocks are about.
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("documented")
    for script in TABLES:
        subprocess.run([sys.executable, repository / "examples" / script, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def run_block(binary, folder):
    """Runs the commands of a block, one after the other, as a reader would. Yields each, what it printed and how that
    differs from what the page shows."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("SHRIMP_")}
    # Threads that spin while they wait take ten times the processor on a busy machine; the models are the same.
    own |= {"PATH": f"{binary.parent}{os.pathsep}{own['PATH']}", "OMP_WAIT_POLICY": "passive"}

    def run(block):
        target = None  # Commands after the first are about the same target, named or not.
        for shown in block:
            process = subprocess.run(
                shown.command, shell=True, cwd=folder, env=own, capture_output=True, text=True, timeout=300
            )
            assert process.returncode == 0, f"{shown.place}: {process.stderr}"
            target = spread(folder, shown.command) or target
            printed = process.stdout.splitlines()
            yield shown, printed, Comparison(shown.lines, printed, target).difference()

    return run


def spread(folder, command):
    """The standard deviation of the target that a command is about; None if it names none."""
    words = shlex.split(command)
    table = next((word for word in words if word.endswith(".csv")), None)
    if table is None or "--target" not in words:
        return None
    with open(folder / table, newline="") as file:
        return statistics.pstdev(float(row[words[words.index("--target") + 1]]) for row in csv.DictReader(file))


@pytest.mark.parametrize("page", pages_with_runs(REPOSITORY, "shrimp"))
def test_the_pages_show_what_the_program_prints(page, repository, run_block, request):
    rewriting = Rewriting(repository / page) if request.config.getoption("--rewrite") else None
    for block in blocks_of_commands(repository / page, "shrimp"):
        for shown, printed, difference in run_block(block):
            if rewriting and difference:
                rewriting.replace(shown, printed)
            else:
                assert not difference, f"{shown.place}: {difference}"
    if rewriting:
        rewriting.save()


def test_readme_shows_a_run(repository):
    assert "README.md" in pages_with_runs(repository, "shrimp")


def test_pages_in_subfolders_and_blocks_inside_directives_are_found(tmp_path):
    (tmp_path / "docs" / "how-to").mkdir(parents=True)
    (tmp_path / "README.md").write_text("Nothing to run.\n")
    (tmp_path / "docs" / "how-to" / "page.md").write_text(
        "````{note}\n```console\n$ shrimp fit a.csv\none\n```\n````\n```\n$ shrimp inspect b.json\ntwo\n```\n"
    )
    assert pages_with_runs(tmp_path, "shrimp") == ["docs/how-to/page.md"]
    blocks = list(blocks_of_commands(tmp_path / "docs" / "how-to" / "page.md", "shrimp"))
    shown = [(block[0].command, block[0].lines) for block in blocks]
    assert shown == [("shrimp fit a.csv", ["one"]), ("shrimp inspect b.json", ["two"])]


@pytest.mark.parametrize(
    ("shown", "printed", "rewritten"),
    [
        ("a 1", "b 2\nc", "b 2\nc"),
        ("rows 1\nfirst 2\n…", "rows 5\nmore\nfirst 7\nsecond", "rows 5\nmore\nfirst 7\n…"),
        ("rows 1\n…\nlast term", "rows 5\nb\nc\nlast term 3", "rows 5\n…\nlast term 3"),
        ("rows 1\n…\nlast term", "rows 5\nlast term", "rows 5\nlast term"),
        ("rows 1\n…\nlast term", "rows 5\nb\nc", "rows 5\nb\nc"),  # Nothing resembles the last line.
        ("made with --seed 3 …", "made with --seed 4 --folds 5", "made with --seed 4 …"),
        ("rows 1\n\n", "rows 2", "rows 2\n\n"),
    ],
)
def test_a_rewritten_output_keeps_its_elisions(shown, printed, rewritten):
    assert with_elisions(shown.split("\n"), printed.split("\n")) == rewritten.split("\n")


def test_rewriting_replaces_the_outputs_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("text\n```\n$ shrimp fit a\none\n\n$ shrimp fit b\ntwo\n```\nmore\n")
    first, second = next(blocks_of_commands(page, "shrimp"))
    rewriting = Rewriting(page)
    rewriting.replace(first, ["three", "four"])
    rewriting.replace(second, ["five"])
    rewriting.save()
    assert page.read_text() == "text\n```\n$ shrimp fit a\nthree\nfour\n\n$ shrimp fit b\nfive\n```\nmore\n"


@pytest.mark.parametrize(
    ("shown", "printed", "agree"),
    [
        ("x2  38  45.5 %", "x2   38   45.5 %", True),  # Spaces.
        ("MSE 0.123456", "MSE 0.123999", True),
        ("MSE 0.123456", "MSE 0.125", False),
        ("MSE 2.4e-19", "MSE 3.1e-17", True),  # Rounding.
        ("MSE 2.4e-19", "MSE 3.1e-15", False),
        ("MSE 2.4e-19", "MSE 1e-3", False),
        ("333 columns", "266 columns", False),
        ("333 columns, MSE 2.4e-19", "266 columns, MSE 1e-19", True),
        ("333 columns, MSE 2.4e-19", "66 columns, MSE 1e-19", False),
        ("MSE 2.4e-19, pruned from 416 basis functions in 1 step", "MSE 2.4e-19, pruned from 416 basis functions in 2 steps", True),
        ("MSE 2.4e-19, pruned from 416 basis functions in 1 step", "MSE 2.4e-19, selected from 416 basis functions", True),
        ("MSE 2.4e-19 (y = -38.1 + 3.7)", "MSE 2.4e-19 (y = 24.4 + 3.7)", True),
        ("MSE 2.4e-19 (y = -38.1 + 3.7)", "MSE 2.4e-19 (y = -38.1 + 3.8)", False),
        ("MSE 0.1, pruned from 416 basis functions in 1 step", "MSE 0.1, selected from 416 basis functions", False),
        ("x2 45.5 %", "x3 45.5 %", False),
        ("made with --seed 3 …", "made with --seed 3 --folds 5", True),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…\nd", "a\nb\nc", False),
        ("a\nb", "a\nb\nc", False),
        ("a\nb\n…", "a\nb\nc", True),
    ],
)
def test_a_difference_that_matters_is_told_from_rounding(shown, printed, agree):
    assert (Comparison(shown.splitlines(), printed.splitlines(), spread=1.0).difference() == "") == agree
