"""What README and the documentation show below `$ shrimp …` is what the program prints."""

import csv
import os
import shlex
import statistics
import subprocess
import sys

import pytest

from documented import Comparison, blocks_of_commands

TABLES = ["ishigami.py", "borehole.py", "flats.py", "machines.py"]  # Scripts of examples/ that write those that the blocks are about.
WITH_RUNS = [
    "README.md",
    "docs/getting-started/tutorial.md",
    "docs/how-to/exporting.md",
    "docs/how-to/sensitivity.md",
    "docs/how-to/report.md",
    "docs/how-to/column-types.md",
    "docs/how-to/partitions-and-streaming.md",
    "docs/how-to/simpler-models.md",
    "docs/how-to/classes-and-counts.md",
]


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("documented")
    for script in TABLES:
        subprocess.run([sys.executable, repository / "examples" / script, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def run_block(binary, folder):
    """Runs the commands of a block, one after the other, as a reader would; returns what differs."""
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
            difference = Comparison(shown.lines, process.stdout.splitlines(), target).difference()
            assert not difference, f"{shown.place}: {difference}"

    return run


def spread(folder, command):
    """The standard deviation of the target that a command is about; None if it names none."""
    words = shlex.split(command)
    table = next((word for word in words if word.endswith(".csv")), None)
    if table is None or "--target" not in words:
        return None
    with open(folder / table, newline="") as file:
        return statistics.pstdev(float(row[words[words.index("--target") + 1]]) for row in csv.DictReader(file))


@pytest.mark.parametrize("page", WITH_RUNS)
def test_the_pages_show_what_the_program_prints(page, repository, run_block):
    blocks = list(blocks_of_commands(repository / page, "shrimp"))
    assert blocks, f"{page} shows no run"
    for block in blocks:
        run_block(block)


def test_no_other_page_shows_a_run_that_is_not_tested(repository):
    tested = {repository / page for page in WITH_RUNS}
    others = set((repository / "docs").glob("*.md")) - tested
    assert [page.name for page in others if list(blocks_of_commands(page, "shrimp"))] == []


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
        ("MSE 2.4e-19, pruned from 416 columns in 1 step", "MSE 2.4e-19, pruned from 416 columns in 2 steps", True),
        ("MSE 2.4e-19, pruned from 416 columns in 1 step", "MSE 2.4e-19, chosen from 416 columns", True),
        ("MSE 2.4e-19 (y = -38.1 + 3.7)", "MSE 2.4e-19 (y = 24.4 + 3.7)", True),
        ("MSE 2.4e-19 (y = -38.1 + 3.7)", "MSE 2.4e-19 (y = -38.1 + 3.8)", False),
        ("MSE 0.1, pruned from 416 columns in 1 step", "MSE 0.1, chosen from 416 columns", False),
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
