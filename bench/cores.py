"""What more threads bring, and what they cost where BLAS has threads of its own.

Also a program by itself, for machines that have NumPy and nothing else: python3 bench/cores.py --help.
"""

import argparse
import json
import os
import pathlib
import statistics

import figures
import progress
from programs import REPOSITORY, Programs, write_csv

CASES = {  # name: (function or table, m, d, options of the fit), and the least speed-up that is asked for
    "path (1400, 100, 10000, 2)": (("f7", 1400, 100), ["--method", "shrimp", "--order", 2, "--features", 10000], 8.0),
    "path (1400, 100, 10000, 1)": (("f1", 1400, 100), ["--method", "shrimp", "--order", 1, "--features", 10000], None),
    "path (20000, 10, 1000, 2)": (("f7", 20000, 10), ["--method", "shrimp", "--order", 2, "--features", 1000], 8.0),
    "default method, f6 (1400, 100)": (("f6", 1400, 100), ["--method", "auto"], 5.0),
    "default method, pol": ("pol", ["--method", "auto"], 5.0),
}
THREADS = [1, 2, 4, 8, 16]
RUNS = 3
MOST_RISE = 1.1  # Of the time from one number of threads to the next.


def write_table(context, source):
    """The path of the case's table; None where it is not at hand."""
    if source != "pol":
        return context.programs.write_sample(*source)
    if context.data is None or not (context.data / "uci" / "pol.csv.gz").exists():
        return None
    import auto_uci

    train, _ = auto_uci.load(context.data / "uci", "pol", 0)
    path = context.programs.folder / "cores_pol.csv"
    write_csv(path, *train)
    return path


def time_fit(programs, table, options, threads):
    """Median seconds that the fit itself reports."""
    arguments = ["fit", table, "--target", "y", "--no-standardize", "--json", "-q", *options, "--threads", threads]
    if "auto" in options:
        arguments.remove("--no-standardize")
    return statistics.median(json.loads(programs.shrimp(*arguments).stdout)["seconds"] for _ in range(RUNS))


def measure(context):
    cores = len(os.sched_getaffinity(0))
    counts = [count for count in THREADS if count <= cores]
    results = []
    for name, (source, options, least) in CASES.items():
        table = write_table(context, source)
        if table is None:
            continue
        seconds = {count: time_fit(context.programs, table, options, count) for count in counts}
        results.append({"case": name, "least": least, "seconds": seconds})
        progress.report(row(results[-1]))
    return {"blas": context.programs.shrimp("--version", "-v").stdout.splitlines()[1], "cases": results}


def row(result):
    seconds = list(result["seconds"].values())
    rise = max((after / before for before, after in zip(seconds, seconds[1:])), default=1.0)
    return [
        result["case"],
        *(f"{value:.3g} s" for value in seconds),
        f"{seconds[0] / seconds[-1]:.2f}",
        "-" if result["least"] is None else f"{result['least']:g}",
        f"{rise:.2f}",
    ]


def describe(results):
    counts = list(results["cases"][0]["seconds"])
    header = ["threads", *map(str, counts), f"1 against {counts[-1]}", "asked of 16", "largest rise"]
    return f"""{figures.table(header, map(row, results["cases"]))}
Seconds as the fit reports them, medians of {RUNS} runs. Largest rise: a time over that of the next smaller number of
threads; {MOST_RISE:g} is the most that is allowed. {results["blas"]}."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=REPOSITORY / "build" / "release", help="folder of our programs")
    parser.add_argument("--data", default=os.environ.get("SHRIMP_DATA"), help="folder of the real data sets")
    context = parser.parse_args()
    context.data = pathlib.Path(context.data) if context.data else None
    context.programs = Programs(context.build, REPOSITORY / "build" / "bench")
    print(describe(measure(context)))


if __name__ == "__main__":
    main()
