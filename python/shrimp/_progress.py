"""Progress of a fit: a bar for people, and scikit-learn's callbacks."""

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


if TYPE_CHECKING:  # scikit-learn's has no types.
    Method = TypeVar("Method")

    def with_callbacks(method: Method) -> Method: ...


class Bar:
    """The bar of the command line: redrawn in place on a terminal or in a notebook, a line now and then elsewhere."""

    WIDTH = 24
    # Searches mostly end before the work that was planned: less of it done, and for less time, gives no estimate.
    LEAST_DONE = 0.05
    LEAST_SECONDS = 2.0

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.in_place = self.stream.isatty() or "ipykernel" in sys.modules
        self.start = time.monotonic()
        self.longest = 0

    def __call__(self, done, what, columns, validation_mse):
        error = "" if math.isnan(validation_mse) else f", validation MSE {validation_mse:.3g}"
        text = f"{what}: {columns} columns{error}" if columns else what
        if not self.in_place:
            print(text, file=self.stream, flush=True)
            return
        elapsed = time.monotonic() - self.start
        known = done >= self.LEAST_DONE and elapsed >= self.LEAST_SECONDS
        left = f"{_time_left(elapsed * (1 / done - 1))} left  " if known else ""
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
    """Tells scikit-learn's callbacks about the fit as a hundred subtasks of equal work."""

    PARTS = 100

    def __init__(self, estimator, X, y):
        self.estimator = estimator
        self.data = {"X": X, "y": y}
        self.context = estimator._init_callback_context(max_subtasks=self.PARTS)
        self.context.call_on_fit_task_begin(estimator=estimator, **self.data)
        self.parts = 0

    def __call__(self, done, what, columns, validation_mse):
        metadata = {"what": what, "columns": columns, "validation_mse": validation_mse}
        while self.parts < int(done * self.PARTS):
            self._finish_part(metadata)

    def close(self):
        while self.parts < self.PARTS:
            self._finish_part(None)
        self.context.call_on_fit_task_end(estimator=self.estimator, **self.data)

    def _finish_part(self, metadata):
        part = self.context.subcontext(task_name="part of the fit")
        part.call_on_fit_task_begin(estimator=self.estimator, metadata=metadata)
        part.call_on_fit_task_end(estimator=self.estimator, metadata=metadata)
        self.parts += 1


def watchers(estimator, X, y):
    """Those that want to hear of this fit."""
    heard = []
    if getattr(estimator, "verbose", 0):
        heard.append(Bar())
    if getattr(estimator, "_skl_callbacks", None):
        heard.append(CallbackSteps(estimator, X, y))
    return heard
