"""What README and the tutorial show below `$ python …` is what the scripts print."""

import os
import subprocess
import sys

import pytest
from documented import Comparison, blocks_of_commands, fenced_blocks

# Threads that wait for each other would take more of the processor than the fits do.
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


@pytest.mark.parametrize("page", ["README.md", "docs/getting-started/tutorial.md", "docs/how-to/dask.md"])
def test_the_pages_show_what_the_scripts_print(page, repository, tmp_path):
    blocks = list(blocks_of_commands(repository / page, "python"))
    assert blocks, f"{page} shows no script"
    for shown in (shown for block in blocks for shown in block):
        _, script, *arguments = shown.command.split()
        command = [sys.executable, repository / script, *arguments]
        run = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=300)
        assert run.returncode == 0, f"{shown.place}: {run.stderr}"
        difference = Comparison(shown.lines, run.stdout.splitlines()).difference()
        assert not difference, f"{shown.place}: {difference}"


def test_readme_shows_the_first_script_as_it_is(repository):
    script = (repository / "examples" / "python" / "first.py").read_text().splitlines()
    assert script in [block for _, language, block in fenced_blocks(repository / "README.md") if language == "python"]
