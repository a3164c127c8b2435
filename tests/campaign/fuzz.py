"""Coverage-guided fuzzing of every reader, under the address and undefined-behaviour sanitizers (the preset "fuzz").

What is found lands in build/fuzz/findings. Once mended it belongs into tests/fuzz/seeds, which every run begins with."""

import collections
import os
import pathlib
import re
import subprocess

from workplace import REPOSITORY, Findings, at_once, options

TARGETS = ["config", "csv", "decompress", "model_file", "summary_file"]
BUILD = REPOSITORY / "build" / "fuzz"
FUZZ = REPOSITORY / "tests" / "fuzz"
# Most of the time went into memory that is held back after it was freed, into stacks that outlive their calls, and into
# counting how rare what an input reaches is.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "ASAN_OPTIONS": "detect_stack_use_after_return=0:quarantine_size_mb=4:malloc_context_size=3:"
    "allocator_release_to_os_interval_ms=-1",
}


def fuzz(target, seed, seconds, findings):
    """How many executions there were."""
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
        "-entropic=0",
        "-reload=0",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        corpus,
        FUZZ / "seeds" / target,
    ]
    run = subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", errors="replace",
                         env=os.environ | ENVIRONMENT)  # fmt: skip
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    if run.returncode != 0:
        findings.add(f"{target}: {run.stderr[-2000:]}")
    count = int(executed[1]) if executed else 0
    print(f"{target}: {count} executions in {seconds} s", flush=True)
    return count


def fuzz_all(runs, findings):
    """Runs of (target, seed, seconds); the executions of each target."""
    executions = collections.Counter()
    for (target, *_), count in zip(runs, at_once(fuzz, [(*run, findings) for run in runs])):
        executions[target] += count
    return executions


def main():
    chosen = options(__doc__, executions=1_000_000)
    findings = Findings("fuzz")
    missing = [name for name in TARGETS if not pathlib.Path(BUILD / "tests" / "fuzz" / f"{name}_fuzzer").exists()]
    if missing:
        raise SystemExit(f"fuzz: no {', '.join(missing)}; build them: cmake --preset fuzz && cmake --build --preset fuzz")
    # Every target gets as much time, in rounds: a target slows down the more its inputs reach. With as many runs of each
    # as there are cores, none of these waits for the others at the end of a round.
    lanes = len(os.sched_getaffinity(0))
    counts, seconds, seed = collections.Counter(), 10, chosen.seed
    while sum(counts.values()) < chosen.executions and findings.count == 0:
        more = fuzz_all([(target, seed + lane, seconds) for lane in range(lanes) for target in TARGETS], findings)
        counts += more
        seed += lanes
        left = chosen.executions - sum(counts.values())
        seconds = min(120, max(5, round(left * seconds / max(1, sum(more.values())))))
    each = ", ".join(f"{target} {counts[target]}" for target in TARGETS)
    findings.end(f"{sum(counts.values())} executions ({each})")


if __name__ == "__main__":
    main()
