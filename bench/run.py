"""Measures against other programs: a table for people, and build/bench/results.json."""

import argparse
import dataclasses
import json
import os
import pathlib

import accuracy
import auto_clean
import auto_honest
import auto_long
import auto_noise
import auto_real
import auto_scale
import auto_simulations
import auto_sparse
import auto_time
import auto_uci
import auto_uci_more
import categories
import classes
import cores
import cuda
import exports
import growth
import intervals
import kernel
import l1
import lasso
import losses
import machine
import many_classes
import memory
import missing
import path_table
import prediction
import reading
import sharing
import sobol
from programs import REPOSITORY, Programs

SECTIONS = {
    "path": path_table,
    "sharing": sharing,
    "growth": growth,
    "prediction": prediction,
    "exports": exports,
    "kernel": kernel,
    "csv": reading,
    "lasso": lasso,
    "accuracy": accuracy,
    "memory": memory,
    "l1": l1,
    "auto-clean": auto_clean,
    "auto-noise": auto_noise,
    "auto-scale": auto_scale,
    "auto-long": auto_long,
    "auto-real": auto_real,
    "auto-sparse": auto_sparse,
    "auto-uci": auto_uci,
    "auto-uci-more": auto_uci_more,
    "auto-simulations": auto_simulations,
    "auto-time": auto_time,
    "auto-honest": auto_honest,
    "cores": cores,
    "cuda": cuda,
    "sobol": sobol,
    "classes": classes,
    "losses": losses,
    "many-classes": many_classes,
    "intervals": intervals,
    "missing": missing,
    "categories": categories,
}
# The first to check by once, not to choose by; the next two are for machines with many cores or a card; the last four take
# long.
BY_NAME_ALONE = ["auto-uci-more", "cores", "cuda", "classes", "losses", "many-classes", "intervals"]
USUAL = [name for name in SECTIONS if name not in BY_NAME_ALONE]
GROUPS = {"auto": [name for name in USUAL if name.startswith("auto-")]}


@dataclasses.dataclass
class Context:
    programs: Programs
    quick: bool
    peers: str  # "quick" or "all": those of the real data sets.
    data: pathlib.Path | None  # The folder of the real data sets.
    seeds: int  # Of each case, where a section lets one choose.


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes; for auto, small sizes")
    parser.add_argument("--only", choices=[*SECTIONS, *GROUPS], help="run one section, or all of auto")
    parser.add_argument("--peers", choices=["quick", "all"], default="quick", help="of auto-real; all takes an hour or more")
    parser.add_argument("--data", default=os.environ.get("SHRIMP_DATA"), help="folder of the real data sets")
    parser.add_argument("--seeds", type=int, default=1, help="of auto-simulations (default: 1)")
    parser.add_argument("--build", default=REPOSITORY / "build" / "release", help="folder of our programs")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    folder = REPOSITORY / "build" / "bench"
    data = pathlib.Path(arguments.data) if arguments.data else None
    context = Context(Programs(arguments.build, folder), arguments.quick, arguments.peers, data, arguments.seeds)
    results = {"machine": machine.measure(), "quick": arguments.quick, "other_work": {}}
    for name in GROUPS.get(arguments.only, [arguments.only]) if arguments.only else USUAL:
        others = machine.OtherWork()
        results[name] = SECTIONS[name].measure(context)
        results["other_work"][name] = others.share()
        print(SECTIONS[name].describe(results[name]))
        print(f"Other programs took {100 * others.share():.1f} % of the cores meanwhile.", end="\n\n", flush=True)
    print(machine.describe(results["machine"]))
    (folder / "results.json").write_text(json.dumps(results, indent=1, default=dataclasses.asdict) + "\n")


main()
