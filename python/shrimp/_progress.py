"""Progress of a fit: a progress bar, and scikit-learn's callbacks."""

import math
import sys
import time
from typing import TYPE_CHECKING, TypeVar

try:  # scikit-learn 1.9 and later.
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:
        pass

    def with_callbacks(method):
        return method


if TYPE_CHECKING:  # scikit-learn's decorator has no types.
    Method = TypeVar("Method")

    def with_callbacks(method: Method) -> Method: ...


class ProgressBar:
    """The progress bar of the command line: redrawn in place on a terminal or in a notebook, separate lines elsewhere."""

    WIDTH = 24
    # Searches usually end before the planned work is done, so that early estimates of the time left are too long.
    # Both thresholds were chosen by hand.
    MIN_FRACTION_FOR_ESTIMATE = 0.05
    MIN_SECONDS_FOR_ESTIMATE = 2.0

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.in_place = self.stream.isatty() or "ipykernel" in sys.modules
        self.start = time.monotonic()
        self.longest = 0

    def __call__(self, done, what, basis_functions, validation_mse):
        error = "" if math.isnan(validation_mse) else f", validation MSE {validation_mse:.3g}"
        text = f"{what}: {basis_functions} basis functions{error}" if basis_functions else what
        if not self.in_place:
            print(text, file=self.stream, flush=True)
            return
        elapsed = time.monotonic() - self.start
        has_estimate = done >= self.MIN_FRACTION_FOR_ESTIMATE and elapsed >= self.MIN_SECONDS_FOR_ESTIMATE
        left = f"{_time_left(elapsed * (1 / done - 1))} left  " if has_estimate else ""
        filled = "#" * int(self.WIDTH * min(max(done, 0), 1))
        line = f"[{filled:<{self.WIDTH}}] {100 * done:3.0f} %  {left}{text}"
        self._write(line)

    def close(self):
        if self.longest:
            self._write("")
            print(end="\r", file=self.stream, flush=True)

    def _write(self, line):
        self.longest = max(self.longest, len(line))
        print(f"\r{line:<{self.longest}}", end="", file=self.stream, flush=True)


def _time_left(seconds):
    whole = math.ceil(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02} s"


class CallbackSteps:
    """Reports the fit to scikit-learn's callbacks as a hundred subtasks of equal work."""

    SUBTASKS = 100

    def __init__(self, estimator, X, y):
        self.estimator = estimator
        self.data = {"X": X, "y": y}
        self.context = estimator._init_callback_context(max_subtasks=self.SUBTASKS)
        self.context.call_on_fit_task_begin(estimator=estimator, **self.data)
        self.finished = 0

    def __call__(self, done, what, basis_functions, validation_mse):
        metadata = {"what": what, "basis_functions": basis_functions, "validation_mse": validation_mse}
        while self.finished < int(done * self.SUBTASKS):
            self._finish_subtask(metadata)

    def close(self):
        while self.finished < self.SUBTASKS:
            self._finish_subtask(None)
        self.context.call_on_fit_task_end(estimator=self.estimator, **self.data)

    def _finish_subtask(self, metadata):
        subtask = self.context.subcontext(task_name="part of the fit")
        subtask.call_on_fit_task_begin(estimator=self.estimator, metadata=metadata)
        subtask.call_on_fit_task_end(estimator=self.estimator, metadata=metadata)
        self.finished += 1


def listeners_of(estimator, X, y):
    """Callables that receive the progress of this fit: the progress bar, and scikit-learn's callbacks."""
    listeners = []
    if getattr(estimator, "verbose", 0):
        listeners.append(ProgressBar())
    if getattr(estimator, "_skl_callbacks", None):
        listeners.append(CallbackSteps(estimator, X, y))
    return listeners
