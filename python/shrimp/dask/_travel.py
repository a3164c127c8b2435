"""What a fit sent between machines, pass by pass."""

from __future__ import annotations

import sys


class Travel:
    """Counts bytes that left the machine they were made on."""

    def __init__(self):
        self.passes = []  # Name, partitions, bytes sent, bytes received, seconds.

    def add(self, name, partitions, sent, received, seconds):
        """`sent` to the partitions, `received` of them."""
        self.passes.append((name, partitions, int(sent), int(received), seconds))

    @property
    def bytes(self):
        return sum(sent + received for _, _, sent, received, _ in self.passes)

    def print(self, stream=None):
        stream = stream or sys.stderr
        for name, partitions, sent, received, seconds in self.passes:
            print(
                f"{name}: {partitions} partitions, {_size(sent)} to them, {_size(received)} from them, {seconds:.1f} s",
                file=stream,
            )
        print(f"{_size(self.bytes)} travelled between machines", file=stream, flush=True)


def _size(count):
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"
