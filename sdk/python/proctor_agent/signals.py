"""SIGTERM and SIGINT ask to stop; a second Ctrl-C ends the program at once."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Callable


def on_signals(stop: Callable[[], None]) -> None:
    """Calls `stop` once, from a signal handler, so it may only do what is safe there."""
    if threading.current_thread() is not threading.main_thread():
        return  # Python allows signal handlers only in the main thread, so the program keeps its own
    asked = False

    def handle(number: int, _frame: Any) -> None:
        nonlocal asked
        if not asked:
            asked = True
            stop()
        elif number == signal.SIGINT:
            os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def too_late_to_stop() -> None:
    """Ignores signals once the answer is sent. Python restores their default actions while it exits, which would kill it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
