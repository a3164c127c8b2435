"""How many threads to use."""

import os

from . import _core


def threads_for(n_jobs):
    """The number of threads for `n_jobs` as joblib reads it, at most the number of cores.

    The default is the limit of OpenMP in this process. -1 stands for all cores, -2 for all cores but one.
    """
    if n_jobs is None:
        return _core.available_threads()
    if n_jobs < 0:
        return max(1, len(os.sched_getaffinity(0)) + 1 + n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs 0 is not allowed.\nGive 1 or more, -1 for all cores, or None.")
    return min(int(n_jobs), len(os.sched_getaffinity(0)))
