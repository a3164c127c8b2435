"""Gives commands outputs that are their inputs, or each other, in every spelling: refused, and every file is as it was."""

import os
import pathlib
import subprocess
import tempfile

from workplace import SHRIMP, Findings, Workplace, at_once, chosen_from, options

FLAGS = ["--output", "--summary", "--new-summary"]
# The model that is updated, or merged into, may be replaced.
IN_PLACE = {("merge", "--output", "model.json"), ("update", "--output", "model.json")}
# update reads its summary and writes it.
READ_AND_WRITTEN = {("update", "--summary", "rows.summary")}


def spellings(folder, path):
    """Other ways to name the file, made in the folder."""
    relative = os.path.relpath(path, folder)
    links = {name: folder / name for name in ("symbolic", "chain", "hard", "parent")}
    os.symlink(path, links["symbolic"])
    os.symlink("symbolic", links["chain"])
    os.link(path, links["hard"])
    os.symlink(path.parent, links["parent"])
    return {
        "itself": str(path),
        "dots": f"./{relative}",
        "detour": str(path.parent / ".." / path.parent.name / path.name),
        "slashes": str(path).replace("/", "//"),
        "symbolic link": "symbolic",
        "chain of links": "chain",
        "hard link": "hard",
        "linked folder": f"parent/{path.name}",
        "standard input": "/dev/fd/0",
        "standard input by process": "/proc/self/fd/0",
    }


def contents(place):
    return {path: path.read_bytes() for path in place.inputs.iterdir()}


def run_with(findings, name, flag, target, spelling):
    """`target` is the name of an input; the output of the flag becomes that file."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        place = Workplace(folder)
        place.reset(name)
        links = folder / "links"
        links.mkdir()
        path = place.inputs / target
        word = spellings(links, path)[spelling]
        command = [str(word) for word in place.commands[name][0]]
        command[command.index(flag) + 1] = word
        before = contents(place)
        with open(path) as stdin:
            done = subprocess.run([SHRIMP, *command], cwd=links, stdin=stdin, capture_output=True, timeout=120)
        if done.returncode != 2 or b"overwrite" not in done.stderr:
            findings.add(f"{name} {flag} {spelling} of {target}: exit {done.returncode}, {done.stderr[-200:]!r}")
        if contents(place) != before:
            findings.add(f"{name} {flag} {spelling} of {target}: an input changed")


def pairs_of(place, name):
    """The flags of a command that write, with the files that it reads."""
    command = [str(word) for word in place.commands[name][0]]
    flags = [flag for flag in FLAGS if flag in command and str(place.outputs) in command[command.index(flag) + 1]]
    read = [pathlib.Path(word).name for word in command if word.startswith(str(place.inputs))]
    skipped = IN_PLACE | READ_AND_WRITTEN
    return [(flag, target) for flag in flags for target in read if (name, flag, target) not in skipped]


def run_with_one_output(findings, name, flags):
    """Two outputs that are one file, which is not there yet."""
    with tempfile.TemporaryDirectory() as made:
        place = Workplace(made)
        place.reset(name)
        command = [str(word) for word in place.commands[name][0]]
        for flag, word in zip(flags, ("new", "./new"), strict=True):
            command[command.index(flag) + 1] = word
        done = subprocess.run([SHRIMP, *command], cwd=made, capture_output=True, timeout=120)
        if done.returncode != 2 or b"same file" not in done.stderr:
            findings.add(f"{name}: one file for two outputs: exit {done.returncode}, {done.stderr[-200:]!r}")


def main():
    told = options(__doc__, commands="")
    findings = Findings("outputs")
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(folder)
        names = chosen_from(list(place.commands), told.commands)
        pairs = [(name, *pair) for name in names for pair in pairs_of(place, name)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "file"
        path.touch()
        (pathlib.Path(folder) / "links").mkdir()
        every = list(spellings(pathlib.Path(folder) / "links", path))
    cases = [(findings, *pair, spelling) for pair in pairs for spelling in every]
    at_once(run_with, cases)
    both = [(findings, name, ["--output", "--summary"]) for name in ("fit-summary", "merge") if name in names]
    at_once(run_with_one_output, both)
    findings.end(f"{len(cases)} outputs that are inputs, {len(both)} that are each other, of {len(names)} commands")


if __name__ == "__main__":
    main()
