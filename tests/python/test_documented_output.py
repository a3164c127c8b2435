"""What README and the documentation show below `$ python …` is what the scripts print.

pytest tests/python/test_documented_output.py --rewrite
replaces outputs that differ by those of a run. Lines `…` stay where they are; look at the difference before committing.
"""

import os
import pathlib
import subprocess
import sys

import pytest
from documented import Comparison, Rewriting, blocks_of_commands, fenced_blocks, pages_with_runs

# Threads that wait for each other would take more of the processor than the fits do.
ENVIRONMENT = os.environ | {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", pages_with_runs(REPOSITORY, "python"))
def test_the_pages_show_what_the_scripts_print(page, repository, tmp_path, request):
    rewriting = Rewriting(repository / page) if request.config.getoption("--rewrite") else None
    for shown in (shown for block in blocks_of_commands(repository / page, "python") for shown in block):
        _, script, *arguments = shown.command.split()
        command = [sys.executable, repository / script, *arguments]
        run = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=300)
        assert run.returncode == 0, f"{shown.place}: {run.stderr}"
        printed = run.stdout.splitlines()
        difference = Comparison(shown.lines, printed).difference()
        if rewriting and difference:
            rewriting.replace(shown, printed)
        else:
            assert not difference, f"{shown.place}: {difference}"
        assert not list(tmp_path.iterdir()), f"{shown.place}: the script leaves files behind"
    if rewriting:
        rewriting.save()


def test_readme_shows_the_first_script_as_it_is(repository):
    script = (repository / "examples" / "python" / "first.py").read_text().splitlines()
    assert script in [block for _, language, block in fenced_blocks(repository / "README.md") if language == "python"]
