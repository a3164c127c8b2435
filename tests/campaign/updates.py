"""Updates one model from many programs at once, some of which are killed: no row is lost and none counts twice."""

import json
import random
import signal
import subprocess
import tempfile
import time

from workplace import SHRIMP, Findings, Workplace, options, run, write_table

AT_ONCE = 8
ROWS = 120  # Of the fit's table, as write_table makes it.


def counted(model):
    return json.loads(model.read_text())["results"]["rows"]


class Updates:
    """A model with its summary in a folder of its own, and the rows that were added to it."""

    def __init__(self, folder, findings):
        self.place = Workplace(folder)
        self.place.outputs.mkdir()
        self.findings = findings
        self.model, self.summary = self.place.outputs / "model.json", self.place.outputs / "rows.summary"
        fit = ["fit", self.place.inputs / "table.csv", "--target", "y", "--method", "shrimp", "--features", 40, "--quiet"]
        done = run(*fit, "--output", self.model, "--summary", self.summary)
        if done.returncode != 0:
            raise SystemExit(f"fit: {done.stderr.decode()}")
        self.rows = counted(self.model)
        self.number = 0

    def start(self):
        self.number += 1
        rows = 5 + self.number % 7
        table = write_table(self.place.outputs / f"{self.number}.csv", rows=rows, seed=self.number)
        command = [SHRIMP, "update", self.model, table, "--summary", self.summary, "--quiet"]
        return rows, subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def round(self, draw, kill):
        """Several at once; where `kill`, one of them is killed at some moment."""
        running = [self.start() for _ in range(AT_ONCE)]
        if kill:
            time.sleep(draw.uniform(0, 0.1))
            running[draw.randrange(AT_ONCE)][1].send_signal(signal.SIGKILL)
        added, refused = [], 0
        for rows, process in running:
            _, words = process.communicate(timeout=300)
            if process.returncode == 0:
                added.append(rows)
            elif process.returncode == -signal.SIGKILL:
                killed = rows
            elif kill and process.returncode == 1 and b"an update was interrupted" in words:
                refused += 1
            else:
                self.findings.add(f"update ended with {process.returncode}: {words.decode(errors='replace')[-300:]}")
        if kill:
            self.mend()
        expected = self.rows + sum(added)
        found = counted(self.model)
        # The killed one had its rows in the summary, or it had not.
        allowed = [expected, expected + killed] if kill and len(added) + refused < AT_ONCE else [expected]
        if found not in allowed:
            self.findings.add(f"{found} rows where {allowed} were added; {refused} refused")
        self.rows = found

    def mend(self):
        """As a refused update says."""
        done = run("merge", self.model, self.summary, "--output", self.model)
        if done.returncode != 0:
            self.findings.add(f"merge after a killed update: {done.stderr.decode(errors='replace')[-300:]}")


def main():
    chosen = options(__doc__, rounds=10)
    findings = Findings("updates")
    draw = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        updates = Updates(folder, findings)
        for number in range(chosen.rounds):
            updates.round(draw, kill=number % 2 == 1)
    findings.end(f"{chosen.rounds} rounds of {AT_ONCE} updates at once, {updates.rows - ROWS:.0f} rows added")


if __name__ == "__main__":
    main()
