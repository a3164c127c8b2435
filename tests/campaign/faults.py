"""Lets single calls fail: memory at the k-th request; writes that are short, or fail with EIO or ENOSPC, at every one.

A command then ends by itself, with the old files or the new ones, and says so where they are the old ones."""

import os
import pathlib
import random
import subprocess
import tempfile

from workplace import SHRIMP, Findings, Workplace, options

SOURCE = pathlib.Path(__file__).parent / "faults.c"


class Faults:
    def __init__(self, folder, findings):
        self.place = Workplace(folder)
        self.findings = findings
        self.shim = pathlib.Path(folder) / "faults.so"
        self.mark = pathlib.Path(folder) / "mark"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, SOURCE], check=True)
        self.new = {name: self.place.result_of(name) for name in self.place.commands}
        self.done = 0

    def inject(self, name, kind, at):
        """Whether the command came as far as that."""
        place = self.place
        old = place.reset(name)
        self.mark.unlink(missing_ok=True)
        fault = {"LD_PRELOAD": str(self.shim), "FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_MARK": str(self.mark)}
        command = [SHRIMP, *map(str, place.commands[name][0]), "--threads", "1"]
        if name in ("export", "merge"):
            command = command[:-2]  # They take no threads.
        what = f"{name}, {kind} at {at}"
        try:
            ended = subprocess.run(command, env=os.environ | fault, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.findings.add(f"{what}: does not end")
            return True
        if not self.mark.exists():
            return False
        self.done += 1
        if ended.returncode not in (0, 1, 2, 3):
            self.findings.add(f"{what}: ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-300:]}")
        for path in place.commands[name][1]:
            content = path.read_bytes() if path.exists() else None
            if content not in (old[path], self.new[name][path]):
                self.findings.add(f"{what}: {path.name} is neither old nor new")
            if ended.returncode == 0 and content != self.new[name][path]:
                self.findings.add(f"{what}: {path.name} is the old one, and nothing was said")
        if place.strays(name):
            self.findings.add(f"{what}: left {place.strays(name)}")
        return True

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
    chosen = options(__doc__, requests=10, writes=6)
    findings = Findings("faults")
    numbers = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(folder, findings)
        for name in faults.place.commands:
            for kind in ("short", "EIO", "ENOSPC"):
                at = 1
                while at <= chosen.writes and faults.inject(name, kind, at):
                    at += 1
            requests = faults.count_requests(name)
            for _ in range(chosen.requests):
                faults.inject(name, "memory", numbers.randint(1, requests))
        findings.end(f"{faults.done} faults in {len(faults.place.commands)} commands")


if __name__ == "__main__":
    main()
