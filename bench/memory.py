"""Peak memory of a fit, in units of the size of A."""

import re

import figures
import growth

M, D, N, Q, FUNCTION = 1400, 100, 10000, 2, "f7"


def measure(context):
    table = context.programs.write_sample(FUNCTION, M, D)
    options = ["--order", Q, "--features", N, "--prune", 0.2]
    report = context.programs.fit(table, *options, under=["/usr/bin/time", "-v"]).stderr
    peak = 1024 * int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", report)[1])
    size = 8 * M * growth.columns_drawn(D, N, Q)
    return {"peak_bytes": peak, "bytes_of_A": size, "peak/A": peak / size}


def describe(result):
    return (
        f"memory at ({M}, {D}, {N}, {Q}): peak {result['peak_bytes'] / 1e6:.1f} MB, "
        f"{figures.at_most(result['peak/A'])} x the {result['bytes_of_A'] / 1e6:.1f} MB of A"
    )
