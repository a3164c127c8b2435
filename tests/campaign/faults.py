"""Lets single calls fail: memory at the k-th request; writes that are short, or fail with EIO or ENOSPC, at every one.

A command then ends by itself, with the old files or the new ones, and says so where they are the old ones, or where not
all could be printed."""

import os
import pathlib
import random
import subprocess
import tempfile

from workplace import SHRIMP, Findings, Workplace, at_once, chosen_from, options, run

WITHOUT_THREADS = ["export", "merge", "inspect", "theory"]
PRINTS_SECONDS = ["compare"]  # Never the same twice.
SOURCE = pathlib.Path(__file__).parent / "faults.c"
IN_A_ROW = 50  # Requests that one part of the work refuses; parts run at once.


class Faults:
    """One command in a folder of its own."""

    def __init__(self, folder, name, findings):
        self.place = Workplace(folder)
        self.name = name
        self.findings = findings
        self.shim = pathlib.Path(folder) / "faults.so"
        self.mark = pathlib.Path(folder) / "mark"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, SOURCE], check=True)
        self.command, _ = commands_of(self.place)[name]
        if name not in WITHOUT_THREADS:
            self.command = [*self.command, "--threads", 1]
        self.new = self.place.result_of(name) if name in self.place.commands else {}
        self.printed = self.print()
        self.done = 0

    def print(self):
        """What the command prints where nothing goes wrong."""
        self.reset()
        done = run(*self.command)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: {done.stderr.decode()}")
        return done.stdout

    def reset(self):
        return self.place.reset(self.name) if self.name in self.place.commands else {}

    def inject(self, kind, at):
        """Whether the command came as far as that."""
        old = self.reset()
        self.mark.unlink(missing_ok=True)
        fault = {"LD_PRELOAD": str(self.shim), "FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_MARK": str(self.mark)}
        what = f"{self.name}, {kind} at {at}"
        try:
            ended = subprocess.run([SHRIMP, *map(str, self.command)], env=os.environ | fault, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.findings.add(f"{what}: does not end")
            return True
        if not self.mark.exists():
            return False
        self.done += 1
        if ended.returncode not in (0, 1, 2, 3):
            self.findings.add(f"{what}: ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-300:]}")
        same = self.name in PRINTS_SECONDS or ended.stdout == self.printed
        if ended.returncode == 0 and not same:
            self.findings.add(f"{what}: printed something else, and nothing was said")
        self.check_files(what, old, ended.returncode)
        return True

    def check_files(self, what, old, status):
        for path, before in old.items():
            content = path.read_bytes() if path.exists() else None
            if content not in (before, self.new[path]):
                self.findings.add(f"{what}: {path.name} is neither old nor new")
            if status == 0 and content != self.new[path]:
                self.findings.add(f"{what}: {path.name} is the old one, and nothing was said")
        if old and self.place.strays(self.name):
            self.findings.add(f"{what}: left {self.place.strays(self.name)}")

    def count_requests(self):
        """Of memory: by halving."""
        low, high = 1, 2
        while self.inject("memory", high):
            low, high = high, 2 * high
        while high - low > max(1, low // 20):
            middle = (low + high) // 2
            low, high = (middle, high) if self.inject("memory", middle) else (low, middle)
        return low


def commands_of(place):
    return place.commands | {name: (each, []) for name, each in place.printing.items()}


def fail_writes(name, most, findings):
    """How many faults there were, and how often the command asks for memory."""
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(folder, name, findings)
        for kind in ("short", "EIO", "ENOSPC"):
            at = 1
            while at <= most and faults.inject(kind, at):
                at += 1
        requests = faults.count_requests()
        return faults.done, requests


def fail_requests(name, which, findings):
    """How many faults there were."""
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(folder, name, findings)
        for at in which:
            faults.inject("memory", at)
        return faults.done


def main():
    chosen = options(__doc__, requests=10, writes=6, commands="")
    findings = Findings("faults")
    numbers = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        names = chosen_from(commands_of(Workplace(folder)), chosen.commands)
    written = at_once(fail_writes, [(name, chosen.writes, findings) for name in names])
    parts = []
    for name, (_, requests) in zip(names, written):
        every = range(1, requests + 1)
        which = every if requests <= chosen.requests else numbers.sample(every, chosen.requests)
        parts += [(name, which[first : first + IN_A_ROW], findings) for first in range(0, len(which), IN_A_ROW)]
    done = sum(count for count, _ in written) + sum(at_once(fail_requests, parts))
    findings.end(f"{done} faults in {len(names)} commands")


if __name__ == "__main__":
    main()
