"""Ends commands that write at random moments: their files are the old ones or the new ones, whole, always."""

import json
import random
import signal
import subprocess
import tempfile
import time

from workplace import SHRIMP, Findings, Workplace, at_once, options, run

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PARTS = 4  # Of a command's kills, which run at once.


def is_model(content):
    try:
        return json.loads(content)["format"] == "shrimp-model"
    except (ValueError, KeyError):
        return False


class Kills:
    """One command in a folder of its own."""

    def __init__(self, folder, name, findings):
        self.place = Workplace(folder)
        self.name = name
        self.findings = findings
        start = time.monotonic()
        self.new = self.place.result_of(name)
        self.seconds = time.monotonic() - start
        self.whole = 0

    def kill(self, sent, moment):
        """`moment` is a share of the time that the command takes."""
        old = self.place.reset(self.name)
        process = subprocess.Popen(
            [SHRIMP, *map(str, self.place.commands[self.name][0])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(moment * self.seconds)
        process.send_signal(sent)
        try:
            process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.findings.add(f"{self.name} did not end by {sent.name}")
        self.check_files(sent, old)
        if self.place.strays(self.name):
            self.check_strays(sent)

    def check_files(self, sent, old):
        for path, before in old.items():
            content = path.read_bytes()
            # A fit that is stopped saves the best model so far.
            saved = sent != signal.SIGKILL and self.name.startswith("fit") and is_model(content)
            if content in (before, self.new[path]) or saved:
                self.whole += 1
            else:
                self.findings.add(f"{self.name} by {sent.name}: {path.name} is neither old nor new ({len(content)} bytes)")

    def check_strays(self, sent):
        if sent != signal.SIGKILL:
            self.findings.add(f"{self.name} by {sent.name} left {self.place.strays(self.name)}")
            return
        # What a killed run left goes with the next one.
        again = run(*self.place.commands[self.name][0])
        if again.returncode != 0 and b"shrimp merge" in again.stderr:
            # An update that was cut short says how the rows that it has summed up become a model.
            again = run("merge", self.place.inputs / "model.json", self.place.outputs / "rows.summary", "--output",
                        self.place.outputs / "new.json")  # fmt: skip
        if again.returncode != 0:
            self.findings.add(f"{self.name} after {sent.name}: {again.stderr.decode()}")
        if self.place.strays(self.name):
            self.findings.add(f"{self.name} after {sent.name} left {self.place.strays(self.name)} for good")


def kill_often(name, times, seed, findings):
    """Each signal so many times; how many files were whole."""
    moments = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(folder, name, findings)
        for _ in range(times):
            for sent in SIGNALS:
                kills.kill(sent, moments.uniform(0.0, 1.1))
        return kills.whole


def main():
    chosen = options(__doc__, kills=20)
    findings = Findings("kills")
    with tempfile.TemporaryDirectory() as folder:
        names = list(Workplace(folder).commands)
    parts = [(name, number) for number in range(PARTS) for name in names]
    # Every part has its share, the first ones what is left over.
    shares = [chosen.kills // len(parts) + (k < chosen.kills % len(parts)) for k in range(len(parts))]
    whole = at_once(kill_often, [(name, share, f"{chosen.seed} {name} {number}", findings)
                                 for (name, number), share in zip(parts, shares) if share > 0])  # fmt: skip
    findings.end(f"{chosen.kills} times each of KILL, INT, TERM, HUP over {len(names)} commands, {sum(whole)} files whole")


if __name__ == "__main__":
    main()
