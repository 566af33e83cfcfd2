"""One thread for all deadlines. Each callback runs in a thread of its own, so that a slow one does not delay the others."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from typing import Callable, List, Tuple


class Timer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True
        self.callback = _nothing  # frees the task that the callback refers to, which may be large


class Timers:
    def __init__(self) -> None:
        self._waiting: List[Tuple[float, int, Timer]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._running = False

    def after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        timer = Timer(callback)
        with self._changed:
            heapq.heappush(self._waiting, (time.monotonic() + seconds, next(self._order), timer))
            if not self._running:
                threading.Thread(target=self._work, name="proctor-timers", daemon=True).start()
                self._running = True
            self._changed.notify()
        return timer

    def _work(self) -> None:
        while True:
            callback = self._next()
            try:
                threading.Thread(target=callback, name="proctor-timer", daemon=True).start()
            except RuntimeError:  # there are no more threads; the callback delays others here, but it runs
                callback()

    def _next(self) -> Callable[[], None]:
        with self._changed:
            while True:
                while self._waiting and self._waiting[0][2].cancelled:
                    heapq.heappop(self._waiting)
                if not self._waiting:
                    self._changed.wait()
                    continue
                due = self._waiting[0][0] - time.monotonic()
                if due <= 0:
                    return heapq.heappop(self._waiting)[2].callback
                self._changed.wait(due)


def _nothing() -> None:
    pass
