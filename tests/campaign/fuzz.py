"""Coverage-guided fuzzing of every reader, under the address and undefined-behaviour sanitizers (the preset "fuzz").

What is found lands in build/fuzz/findings. Once mended it belongs into tests/fuzz/seeds, which every run begins with."""

import os
import pathlib
import re
import subprocess

from workplace import REPOSITORY, Findings, options

TARGETS = ["config", "csv", "decompress", "model_file", "summary_file"]
BUILD = REPOSITORY / "build" / "fuzz"
FUZZ = REPOSITORY / "tests" / "fuzz"


def fuzz(target, seconds, seed):
    """Executions, and whether all went well."""
    corpus = BUILD / "corpus" / target
    found = BUILD / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    command = [
        BUILD / "tests" / "fuzz" / f"{target}_fuzzer",
        f"-max_total_time={seconds}",
        f"-dict={FUZZ / 'dictionaries' / target}.dict",
        f"-artifact_prefix={found}/{target}-",
        f"-seed={seed}",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        corpus,
        FUZZ / "seeds" / target,
    ]
    run = subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", errors="replace",
                         env=os.environ | {"OMP_NUM_THREADS": "1"})  # fmt: skip
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    return int(executed[1]) if executed else 0, run


def main():
    chosen = options(__doc__, seconds=30)
    findings = Findings("fuzz")
    missing = [name for name in TARGETS if not pathlib.Path(BUILD / "tests" / "fuzz" / f"{name}_fuzzer").exists()]
    if missing:
        raise SystemExit(f"fuzz: no {', '.join(missing)}; build them: cmake --preset fuzz && cmake --build --preset fuzz")
    counts = {}
    for target in TARGETS:
        counts[target], run = fuzz(target, chosen.seconds, chosen.seed)
        if run.returncode != 0:
            findings.add(f"{target}: {run.stderr[-2000:]}")
    each = ", ".join(f"{target} {count}" for target, count in counts.items())
    findings.end(f"{sum(counts.values())} executions ({each})")


if __name__ == "__main__":
    main()
