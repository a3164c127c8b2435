"""Data that a fit transferred between machines, by pass."""

from __future__ import annotations

import sys


class Transfers:
    """Counts bytes that were sent from one machine to another.

    Attributes
    ----------
    passes : list of tuple
        Name of the pass, number of partitions, bytes sent to them, bytes received from them, and seconds.
    """

    def __init__(self):
        self.passes = []

    def add(self, name, partitions, sent, received, seconds):
        """Add a pass with the bytes sent to the partitions and received from them."""
        self.passes.append((name, partitions, int(sent), int(received), seconds))

    @property
    def bytes(self):
        """Bytes of all passes, sent and received."""
        return sum(sent + received for _, _, sent, received, _ in self.passes)

    def print(self, stream=None):
        """Print a line for each pass, by default on standard error."""
        stream = stream or sys.stderr
        for name, partitions, sent, received, seconds in self.passes:
            print(
                f"{name}: {partitions} partitions, {_size(sent)} to them, {_size(received)} from them, {seconds:.1f} s",
                file=stream,
            )
        print(f"{_size(self.bytes)} transferred between machines", file=stream, flush=True)


def _size(count):
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"
