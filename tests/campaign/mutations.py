"""Mutations of src/: five kinds of small defects at places drawn by a seed, each of which the tests must catch.

Works in a copy of the committed files below build/mutations, whose build is kept for the next run."""

import os
import random
import re
import shutil
import subprocess

from workplace import REPOSITORY, Findings, options

COPY = REPOSITORY / "build" / "mutations"
CODE = r"^(?!\s*(?://|#|template|using)).*?"


def flip_sign(line):
    return re.sub(r"(?<=[\w)\]]) ([+-]) (?=[\w(])", lambda sign: " - " if sign[1] == "+" else " + ", line, count=1)


def drop_weight(line):
    return re.sub(r"\bweight_of\([^()]*\)|\b(\w+\.)*weights\[[^\]]*\]", "1.0", line, count=1)


def shift_by_one(line):
    return re.sub(r"(; \w+) < (\w)", r"\1 + 1 < \2", line, count=1)


def skip_check(line):
    return re.sub(r"\bif \((.+)\)( throw .*| \{| return .*;)$", r"if (false && (\1))\2", line, count=1)


def swap_arguments(line):
    return re.sub(r"(\w\()(\w+), (\w+)(\))", r"\1\3, \2\4", line, count=1)


KINDS = {
    "sign flipped": flip_sign,
    "weight dropped": drop_weight,
    "off by one": shift_by_one,
    "check skipped": skip_check,
    "arguments swapped": swap_arguments,
}
# Code that needs a GPU or a rare system does not run here, and constants of tuning have no wrong value.
LEFT_OUT = re.compile(r"cuda|device|stub|platform|theory")


def places(mutate):
    """(file, line number) of every line that the mutation changes."""
    found = []
    for path in sorted((COPY / "src").rglob("*.cpp")):
        if LEFT_OUT.search(str(path.relative_to(COPY))):
            continue
        for number, line in enumerate(path.read_text().splitlines()):
            if re.match(CODE, line) and "constexpr" not in line and '"' not in line and mutate(line) != line:
                found.append((path, number))
    return found


def make_copy():
    """The committed files; those that did not change keep their times, so that little is compiled again."""
    COPY.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=REPOSITORY, capture_output=True, check=True).stdout
    fresh = COPY / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    subprocess.run(["tar", "-x", "-C", fresh], input=archive, check=True)
    subprocess.run(["rsync", "-rlpc", "--delete", "--exclude=/build", "--exclude=/fresh", f"{fresh}/", f"{COPY}/"], check=True)
    shutil.rmtree(fresh)
    (COPY / "build").mkdir(exist_ok=True)
    for name in ("venv-test", "openblas"):
        if not (COPY / "build" / name).exists():
            (COPY / "build" / name).symlink_to(REPOSITORY / "build" / name)


def run(*command, **variables):
    return subprocess.run(command, cwd=COPY, capture_output=True, text=True, env=os.environ | variables)


def build():
    return run("scripts/build", "test").returncode == 0


def catcher():
    """The first suite that fails, with its first failure."""
    workers = str(min(8, len(os.sched_getaffinity(0))))
    suites = {
        "unit tests": ["ctest", "--preset", "test", "-j", workers, "-R", "^unit_tests", "--stop-on-failure"],
        "command-line tests": ["build/venv-test/bin/python", "-m", "pytest", "-q", "-x", "-n", workers, "tests/cli"],
    }
    for name, command in suites.items():
        result = run(*command)
        if result.returncode != 0:
            failed = re.search(r"\[  FAILED  \] (\S+)|^FAILED (\S+)", result.stdout, re.MULTILINE)
            return f"{name}: {failed[1] or failed[2]}" if failed else name
    return None


def main():
    chosen = options(__doc__, mutations=5)
    findings = Findings("mutations")
    make_copy()
    if not build() or catcher():
        raise SystemExit("mutations: the tests fail without any mutation")
    numbers = random.Random(chosen.seed)
    for k in range(chosen.mutations):
        kind, mutate = list(KINDS.items())[k % len(KINDS)]
        drawn = places(mutate)
        numbers.shuffle(drawn)
        for path, number in drawn:
            whole = path.read_text()
            lines = whole.splitlines(keepends=True)
            before = lines[number]
            lines[number] = mutate(before.rstrip("\n")) + "\n"
            path.write_text("".join(lines))
            built = build()
            caught = catcher() if built else None
            path.write_text(whole)
            if not built:
                continue  # The compiler refuses it: another place.
            place = f"{path.relative_to(COPY)}:{number + 1}: {kind}: {lines[number].strip()}"
            print(f"{place}: {caught or 'not caught'}", flush=True)
            if not caught:
                findings.add(place)
            break
    findings.end(f"{chosen.mutations} mutations")


if __name__ == "__main__":
    main()
