"""Runs commands under every `ulimit`, from far too little to plenty: they work or end in words, soon, and leave nothing."""

import resource
import subprocess
import tempfile

from workplace import SHRIMP, Findings, Workplace, at_once, chosen_from, options

KIB, MIB = 1 << 10, 1 << 20
LIMITS = {
    "address space (-v)": (resource.RLIMIT_AS, [64 * MIB, 200 * MIB, 400 * MIB, 600 * MIB, 1000 * MIB, 4000 * MIB]),
    "data segment (-d)": (resource.RLIMIT_DATA, [4 * MIB, 64 * MIB, 141 * MIB, 200 * MIB, 280 * MIB, 400 * MIB, 900 * MIB]),
    "stack (-s)": (resource.RLIMIT_STACK, [64 * KIB, 256 * KIB, 512 * KIB, 1 * MIB]),
    "file size (-f)": (resource.RLIMIT_FSIZE, [0, 1, 512, 4096]),
    "descriptors (-n)": (resource.RLIMIT_NOFILE, [3, 4, 5, 6, 8, 16]),
    "processor time (-t)": (resource.RLIMIT_CPU, [1, 2]),
    "processes (-u)": (resource.RLIMIT_NPROC, [0, 1]),
    "locked memory (-l)": (resource.RLIMIT_MEMLOCK, [0]),
    "resident memory (-m)": (resource.RLIMIT_RSS, [0]),
    "pending signals (-i)": (resource.RLIMIT_SIGPENDING, [0]),
    "message queues (-q)": (resource.RLIMIT_MSGQUEUE, [0]),
    "core files (-c)": (resource.RLIMIT_CORE, [0]),
}
# What the loader says before the program begins, and how it ends: the file of a library cannot be opened.
LOADER = b"error while loading shared libraries"


def ends_in_words(done):
    if done.returncode == 0:
        return True
    if LOADER in done.stderr:
        return done.returncode == 127
    return done.returncode in (1, 2, 3, 130) and b"shrimp: " in done.stderr


def run_under(findings, place, name, limit, value):
    command = place.printing.get(name) or place.commands[name][0]
    old = {} if name in place.printing else place.reset(name)
    kind = LIMITS[limit][0]
    case = f"{name} under {limit} {value}"
    try:
        done = subprocess.run(
            [SHRIMP, *map(str, command)],
            capture_output=True,
            timeout=120,
            preexec_fn=lambda: resource.setrlimit(kind, (value, value)),
        )
    except subprocess.TimeoutExpired:
        findings.add(f"{case}: it does not end")
        return
    if not ends_in_words(done):
        findings.add(f"{case}: exit {done.returncode}, {done.stderr[-300:]!r}")
    if name in place.commands and place.strays(name):
        findings.add(f"{case}: left {place.strays(name)}")
    # Where it failed, the files are as they were; of two, the first may have been written.
    changed = [path.name for path, content in old.items() if path.read_bytes() != content]
    if done.returncode not in (0, 130) and changed and len(changed) == len(old):
        findings.add(f"{case}: failed, but {changed} changed")


def run_command(findings, name, limits):
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(folder)
        cases = [(limit, value) for limit in limits for value in LIMITS[limit][1]]
        for case in cases:
            run_under(findings, place, name, *case)
        return len(cases)


def main():
    told = options(__doc__, commands="", limits="")
    findings = Findings("limits")
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(folder)
        names = chosen_from([*place.commands, *place.printing], told.commands)
    limits = [limit for limit in LIMITS if told.limits in limit]
    runs = sum(at_once(run_command, [(findings, name, limits) for name in names]))
    findings.end(f"{runs} runs of {len(names)} commands under {len(limits)} limits")


if __name__ == "__main__":
    main()
