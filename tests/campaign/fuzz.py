"""Coverage-guided fuzzing of every reader, under the address and undefined-behaviour sanitizers (the preset "fuzz").

What is found lands in build/fuzz/findings. Once mended it belongs into tests/fuzz/seeds, which every run begins with."""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess

from workplace import REPOSITORY, Findings, options

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
Outcome = collections.namedtuple("Outcome", "executions seconds told")


def fuzz(target, seed, limit):
    """What came of it; `told` is None where all went well."""
    corpus = BUILD / "corpus" / target
    found = BUILD / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    command = [
        BUILD / "tests" / "fuzz" / f"{target}_fuzzer",
        limit,
        f"-dict={FUZZ / 'dictionaries' / target}.dict",
        f"-artifact_prefix={found}/{target}-",
        f"-seed={seed}",
        "-entropic=0",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        corpus,
        FUZZ / "seeds" / target,
    ]
    run = subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", errors="replace",
                         env=os.environ | ENVIRONMENT)  # fmt: skip
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    took = re.search(r"Done \d+ runs in (\d+) second", run.stderr)
    return Outcome(int(executed[1]) if executed else 0, int(took[1]) if took else 0,
                   run.stderr[-2000:] if run.returncode != 0 else None)  # fmt: skip


def fuzz_all(runs, findings):
    """Runs of (target, seed, limit), as many at once as there are cores; the executions and seconds of each target."""
    executions, seconds = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for (target, *_), outcome in zip(runs, pool.map(lambda run: fuzz(*run), runs)):
            executions[target] += outcome.executions
            seconds[target] += outcome.seconds
            if outcome.told is not None:
                findings.add(f"{target}: {outcome.told}")
    return executions, seconds


def main():
    chosen = options(__doc__, executions=1_000_000, pieces=1)
    findings = Findings("fuzz")
    missing = [name for name in TARGETS if not pathlib.Path(BUILD / "tests" / "fuzz" / f"{name}_fuzzer").exists()]
    if missing:
        raise SystemExit(f"fuzz: no {', '.join(missing)}; build them: cmake --preset fuzz && cmake --build --preset fuzz")
    # Every target gets about as much time; how many executions that is, ten seconds tell.
    counts, seconds = fuzz_all([(target, chosen.seed, "-max_total_time=10") for target in TARGETS], findings)
    speeds = {target: counts[target] / max(1, seconds[target]) for target in TARGETS}
    left = max(0, chosen.executions - sum(counts.values())) / max(1.0, sum(speeds.values()))
    more, _ = fuzz_all(
        [(target, chosen.seed + piece, f"-runs={int(left * speeds[target] / chosen.pieces) + 1}")
         for piece in range(1, chosen.pieces + 1) for target in TARGETS], findings)  # fmt: skip
    counts += more
    each = ", ".join(f"{target} {counts[target]}" for target in TARGETS)
    findings.end(f"{sum(counts.values())} executions ({each})")


if __name__ == "__main__":
    main()
