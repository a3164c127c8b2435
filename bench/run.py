"""Measures against other programs: a table for people, and build/bench/results.json."""

import argparse
import dataclasses
import json

import accuracy
import growth
import kernel
import l1
import lasso
import machine
import memory
import path_table
import prediction
import reading
import sharing
from programs import REPOSITORY, Programs

SECTIONS = {
    "path": path_table,
    "sharing": sharing,
    "growth": growth,
    "prediction": prediction,
    "kernel": kernel,
    "csv": reading,
    "lasso": lasso,
    "accuracy": accuracy,
    "memory": memory,
    "l1": l1,
}


@dataclasses.dataclass
class Context:
    programs: Programs
    quick: bool


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the paths of NumPy and SciPy that take minutes")
    parser.add_argument("--only", choices=SECTIONS, help="run one section")
    parser.add_argument("--build", default=REPOSITORY / "build" / "release", help="folder of our programs")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    folder = REPOSITORY / "build" / "bench"
    context = Context(Programs(arguments.build, folder), arguments.quick)
    results = {"machine": machine.measure(), "quick": arguments.quick, "other_work": {}}
    for name in [arguments.only] if arguments.only else SECTIONS:
        others = machine.OtherWork()
        results[name] = SECTIONS[name].measure(context)
        results["other_work"][name] = others.share()
        print(SECTIONS[name].describe(results[name]))
        print(f"Other programs took {100 * others.share():.1f} % of the cores meanwhile.", end="\n\n", flush=True)
    print(machine.describe(results["machine"]))
    (folder / "results.json").write_text(json.dumps(results, indent=1, default=dataclasses.asdict) + "\n")


main()
