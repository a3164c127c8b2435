"""How many threads to use."""

import os

from . import _core


def threads_for(n_jobs):
    """n_jobs as in joblib: None is what OpenMP may use here, and -1 every core, -2 all but one. Never more than the cores."""
    if n_jobs is None:
        return _core.available_threads()
    if n_jobs < 0:
        return max(1, len(os.sched_getaffinity(0)) + 1 + n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs 0 is not allowed.\nGive 1 or more, -1 for every core, or None.")
    return min(int(n_jobs), len(os.sched_getaffinity(0)))
