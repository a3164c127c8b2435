"""Medians of an odd number of runs: many of what is quick, one of what takes long."""

import dataclasses
import statistics
import time


@dataclasses.dataclass
class Timing:
    seconds: float
    runs: int = 1
    complete: bool = True  # False: stopped early, so that the seconds are a lower bound.


RULE = "medians of 5 runs where one takes under 1 s, of 3 under 5 s (ours: always 3 or 5), else one run"


def repeat(measure, at_least=1):
    """The Timing of measure(), which returns its own seconds."""
    first = measure()
    runs = max(at_least, 5 if first < 1 else 3 if first < 5 else 1)
    return Timing(statistics.median([first, *(measure() for _ in range(runs - 1))]), runs)


def seconds_of(function, *arguments, **options):
    start = time.perf_counter()
    function(*arguments, **options)
    return time.perf_counter() - start


def ratio(numerator, denominator):
    """Of two Timings; None where one was not measured."""
    return None if numerator is None or denominator is None else numerator.seconds / denominator.seconds
