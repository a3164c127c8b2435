"""Tests that are too slow for every commit: all unit tests and fuzz targets with the address and undefined-behaviour
sanitizers (the preset "debug"), and the Python tests with the marker "campaign"."""

import os
import re
import subprocess
import sys

from workplace import REPOSITORY, Findings, options


def run_sanitized(findings):
    """Number of ctest entries that ran."""
    run = subprocess.run(["ctest", "--preset", "debug", f"-j{len(os.sched_getaffinity(0))}"], cwd=REPOSITORY, text=True,
                         capture_output=True)  # fmt: skip
    if run.returncode != 0:
        findings.add(f"tests with sanitizers ended with {run.returncode}:\n{run.stdout[-8000:]}")
    return int(re.search(r"tests failed out of (\d+)", run.stdout)[1])


def run_python(findings):
    """pytest's last line."""
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-m", "campaign", "tests/python"], cwd=REPOSITORY,
                         text=True, capture_output=True)  # fmt: skip
    if run.returncode != 0:
        findings.add(f"Python tests ended with {run.returncode}:\n{run.stdout[-8000:]}")
    return run.stdout.splitlines()[-1]


def main():
    options(__doc__)
    findings = Findings("suites")
    sanitized = run_sanitized(findings)
    python = run_python(findings)
    findings.end(f"{sanitized} sanitized programs; Python: {python}")


if __name__ == "__main__":
    main()
