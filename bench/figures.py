"""Numbers and tables for people."""

import math


def seconds(timing):
    """A Timing; what was stopped early is a lower bound."""
    if timing is None:
        return "-"
    return f"{'' if timing.complete else '> '}{timing.seconds:.3g} s"


def at_least(value):
    """A ratio of which more is better: three figures, rounded down."""
    return _rounded(value, math.floor)


def at_most(value):
    """A ratio of which less is better: three figures, rounded up."""
    return _rounded(value, math.ceil)


def _rounded(value, rounding):
    if value is None:
        return "-"
    if value == 0 or not math.isfinite(value):
        return str(value)
    decimals = 2 - math.floor(math.log10(abs(value)))
    scaled = value * 10.0**decimals
    return f"{rounding(scaled) / 10.0**decimals:.{max(decimals, 0)}f}"


def span(numbers):
    """Of whole numbers: 7, or 5-9."""
    return "-" if not numbers else f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)}-{max(numbers)}"


def met(holds):
    return "yes" if holds else "NO"


def table(header, rows):
    rows = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(header))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
