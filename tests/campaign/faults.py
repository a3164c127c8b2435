"""Lets single calls fail: memory at the k-th request; writes that are short, or fail with EIO or ENOSPC, at every one.

A command then ends by itself, with the old files or the new ones, and says so where they are the old ones, or where not
all could be printed."""

import os
import pathlib
import random
import subprocess
import tempfile

from workplace import SHRIMP, Findings, Workplace, chosen_from, options, run

WITHOUT_THREADS = ["export", "merge", "inspect", "theory"]
PRINTS_SECONDS = ["compare"]  # Never the same twice.
SOURCE = pathlib.Path(__file__).parent / "faults.c"


class Faults:
    def __init__(self, folder, findings):
        self.place = Workplace(folder)
        self.findings = findings
        self.shim = pathlib.Path(folder) / "faults.so"
        self.mark = pathlib.Path(folder) / "mark"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, SOURCE], check=True)
        self.commands = self.place.commands | {name: (each, []) for name, each in self.place.printing.items()}
        self.new = {name: self.place.result_of(name) for name in self.place.commands}
        self.printed = {name: self.print(name) for name in self.commands}
        self.done = 0

    def arguments(self, name):
        return [*self.commands[name][0], *([] if name in WITHOUT_THREADS else ["--threads", 1])]

    def print(self, name):
        """What the command prints where nothing goes wrong."""
        self.reset(name)
        done = run(*self.arguments(name))
        if done.returncode != 0:
            raise SystemExit(f"{name}: {done.stderr.decode()}")
        return done.stdout

    def reset(self, name):
        return self.place.reset(name) if name in self.place.commands else {}

    def inject(self, name, kind, at):
        """Whether the command came as far as that."""
        old = self.reset(name)
        self.mark.unlink(missing_ok=True)
        fault = {"LD_PRELOAD": str(self.shim), "FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_MARK": str(self.mark)}
        what = f"{name}, {kind} at {at}"
        try:
            command = [SHRIMP, *map(str, self.arguments(name))]
            ended = subprocess.run(command, env=os.environ | fault, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.findings.add(f"{what}: does not end")
            return True
        if not self.mark.exists():
            return False
        self.done += 1
        if ended.returncode not in (0, 1, 2, 3):
            self.findings.add(f"{what}: ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-300:]}")
        same = name in PRINTS_SECONDS or ended.stdout == self.printed[name]
        if ended.returncode == 0 and not same:
            self.findings.add(f"{what}: printed something else, and nothing was said")
        self.check_files(what, name, old, ended.returncode)
        return True

    def check_files(self, what, name, old, status):
        for path in self.commands[name][1]:
            content = path.read_bytes() if path.exists() else None
            if content not in (old[path], self.new[name][path]):
                self.findings.add(f"{what}: {path.name} is neither old nor new")
            if status == 0 and content != self.new[name][path]:
                self.findings.add(f"{what}: {path.name} is the old one, and nothing was said")
        if old and self.place.strays(name):
            self.findings.add(f"{what}: left {self.place.strays(name)}")

    def count_requests(self, name):
        """Of memory: by halving."""
        low, high = 1, 2
        while self.inject(name, "memory", high):
            low, high = high, 2 * high
        while high - low > max(1, low // 20):
            middle = (low + high) // 2
            low, high = (middle, high) if self.inject(name, "memory", middle) else (low, middle)
        return low


def main():
    chosen = options(__doc__, requests=10, writes=6, commands="")
    findings = Findings("faults")
    numbers = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(folder, findings)
        names = chosen_from(faults.commands, chosen.commands)
        for name in names:
            for kind in ("short", "EIO", "ENOSPC"):
                at = 1
                while at <= chosen.writes and faults.inject(name, kind, at):
                    at += 1
            requests = faults.count_requests(name)
            every = range(1, requests + 1)
            for at in every if requests <= chosen.requests else numbers.sample(every, chosen.requests):
                faults.inject(name, "memory", at)
        findings.end(f"{faults.done} faults in {len(names)} commands")


if __name__ == "__main__":
    main()
