"""Ends commands that write at random moments: their files are the old ones or the new ones, whole, always."""

import json
import random
import signal
import subprocess
import tempfile
import time

from workplace import SHRIMP, Findings, Workplace, options, run

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def is_model(content):
    try:
        return json.loads(content)["format"] == "shrimp-model"
    except (ValueError, KeyError):
        return False


def main():
    chosen = options(__doc__, kills=20)
    findings = Findings("kills")
    moments = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(folder)
        new, seconds = {}, {}
        for name in place.commands:
            start = time.monotonic()
            new[name] = place.result_of(name)
            seconds[name] = time.monotonic() - start
        whole = 0
        for number in range(chosen.kills * len(SIGNALS)):
            sent = SIGNALS[number % len(SIGNALS)]
            name = list(place.commands)[number // len(SIGNALS) % len(place.commands)]
            old = place.reset(name)
            process = subprocess.Popen(
                [SHRIMP, *map(str, place.commands[name][0])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(moments.uniform(0.0, 1.1 * seconds[name]))
            process.send_signal(sent)
            try:
                process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                findings.add(f"{name} did not end by {sent.name}")
            for path in place.commands[name][1]:
                content = path.read_bytes()
                # A fit that is stopped saves the best model so far.
                saved = sent != signal.SIGKILL and name.startswith("fit") and is_model(content)
                if content in (old[path], new[name][path]) or saved:
                    whole += 1
                else:
                    findings.add(f"{name} by {sent.name}: {path.name} is neither old nor new ({len(content)} bytes)")
            if sent != signal.SIGKILL and place.strays(name):
                findings.add(f"{name} by {sent.name} left {place.strays(name)}")
            elif place.strays(name):
                # What a killed run left goes with the next one.
                again = run(*place.commands[name][0])
                if again.returncode != 0 and b"shrimp merge" in again.stderr:
                    # An update that was cut short says how the rows that it has summed up become a model.
                    again = run("merge", place.inputs / "model.json", place.outputs / "rows.summary", "--output",
                                place.outputs / "new.json")  # fmt: skip
                if again.returncode != 0:
                    findings.add(f"{name} after {sent.name}: {again.stderr.decode()}")
                if place.strays(name):
                    findings.add(f"{name} after {sent.name} left {place.strays(name)} for good")
    per_signal = chosen.kills
    findings.end(f"{per_signal} times each of KILL, INT, TERM, HUP over {len(new)} commands, {whole} files whole")


if __name__ == "__main__":
    main()
