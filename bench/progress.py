"""Rows of a long section as soon as they are measured; its table comes at the end."""

import sys


def report(cells):
    print("  ".join(str(cell) for cell in cells), file=sys.stderr, flush=True)
