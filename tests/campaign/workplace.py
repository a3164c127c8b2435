"""What the pieces of the campaign share: small inputs, the commands that write, and how a piece tells its result."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHRIMP = pathlib.Path(os.environ.get("SHRIMP_BIN", REPOSITORY / "build" / "release" / "bin" / "shrimp"))
METHODS = ["auto", "shrimp", "min-l2", "srfe-s", "lasso", "stlsq", "harfe", "krr"]


def options(description, **counts):
    """The counts of a piece as flags, with their defaults."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in counts.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def chosen_from(names, only):
    """Of the names, those that a list with commas has; all where it is empty."""
    return [name for name in names if not only or name in only.split(",")]


class Findings:
    """Whatever must not be; the last line tells how many there were of how much."""

    def __init__(self, piece):
        self.piece = piece
        self.count = 0

    def add(self, text):
        self.count += 1
        print(f"finding: {text}", flush=True)

    def end(self, done):
        print(f"{self.piece}: {done}; {self.count} finding{'' if self.count == 1 else 's'}", flush=True)
        sys.exit(1 if self.count else 0)


def at_once(work, parts):
    """The results of work(*part) in order, as many at once as there are cores."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(lambda part: work(*part), parts))


def write_table(path, rows=120, inputs=4, seed=1):
    numbers = random.Random(seed)
    lines = [",".join([f"x{j + 1}" for j in range(inputs)] + ["y"])]
    for _ in range(rows):
        x = [numbers.gauss(0, 1) for _ in range(inputs)]
        y = x[0] * x[1] + x[2] ** 2 + 0.1 * numbers.gauss(0, 1)
        lines.append(",".join(f"{value:.6g}" for value in [*x, y]))
    path.write_text("\n".join(lines) + "\n")
    return path


def run(*arguments, **more):
    settings = {"capture_output": True, "timeout": 300} | more
    return subprocess.run([SHRIMP, *map(str, arguments)], **settings)


class Workplace:
    """A folder with what commands read, made once, and a folder in which they write."""

    def __init__(self, folder):
        self.inputs = pathlib.Path(folder) / "inputs"
        self.outputs = pathlib.Path(folder) / "outputs"
        self.inputs.mkdir()
        table = write_table(self.inputs / "table.csv")
        write_table(self.inputs / "more.csv", seed=2)
        fit = ["--target", "y", "--method", "shrimp", "--order", 2, "--features", 40, "--quiet"]
        model = self.inputs / "model.json"
        summary = self.inputs / "rows.summary"
        for command in (
            ["fit", table, *fit, "--output", model],
            ["summarize", model, table, "--output", summary],
        ):
            done = run(*command)
            if done.returncode != 0:
                raise SystemExit(f"{command[0]}: {done.stderr.decode()}")
        out = self.outputs
        new = out / "new.json"
        # Each with the files that it writes.
        self.commands = {
            "fit": (["fit", table, *fit, "--output", new], [new]),
            "fit-auto": (["fit", table, "--target", "y", "--method", "auto", "--output", new], [new]),
            "predict": (["predict", model, table, "--output", out / "p.csv"], [out / "p.csv"]),
            "export": (["export", model, "--to", "c", "--output", out / "m.c"], [out / "m.c"]),
            "summarize": (["summarize", model, table, "--output", out / "s.summary"], [out / "s.summary"]),
            "merge": (
                ["merge", model, summary, "--output", new, "--summary", out / "all.summary"],
                [new, out / "all.summary"],
            ),
            "update": (
                ["update", model, self.inputs / "more.csv", "--summary", out / "rows.summary", "--output", new],
                [new, out / "rows.summary"],
            ),
            "simplify": (["simplify", model, "--terms", 2, "--data", table, "--output", new], [new]),
            "explain": (["explain", model, table, "--output", out / "e.csv"], [out / "e.csv"]),
            "report": (["report", model, "--data", table, "--output", out / "r.html"], [out / "r.html"]),
            "path": (["path", table, *fit, "--output", out / "path.csv"], [out / "path.csv"]),
            "fit-summary": (
                ["fit", table, *fit, "--output", new, "--summary", out / "s.summary"],
                [new, out / "s.summary"],
            ),
        }
        # Others print, and write no file.
        self.printing = {
            "evaluate": ["evaluate", model, table, "--target", "y"],
            "inspect": ["inspect", model],
            "sensitivity": ["sensitivity", model],
            "compare": ["compare", table, "--target", "y", "--methods", "min-l2,lasso", "--features", 20, "--quiet"],
            "theory": ["theory", "bound", "--d", 10, "--s", 20, "--epsilon", 0.1],
        }

    def reset(self, name):
        """Old files where the command will write; returns their bytes."""
        shutil.rmtree(self.outputs, ignore_errors=True)
        self.outputs.mkdir()
        old = {}
        for path in self.commands[name][1]:
            source = self.inputs / path.name
            old[path] = source.read_bytes() if source.exists() else b"from before\n"
            path.write_bytes(old[path])
        return old

    def result_of(self, name):
        """What the command writes where nothing goes wrong."""
        self.reset(name)
        done = run(*self.commands[name][0])
        if done.returncode != 0:
            raise SystemExit(f"{name}: {done.stderr.decode()}")
        return {path: path.read_bytes() for path in self.commands[name][1]}

    def strays(self, name):
        return sorted(path.name for path in self.outputs.iterdir() if path not in self.commands[name][1])
