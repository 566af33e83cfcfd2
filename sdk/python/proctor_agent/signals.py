"""SIGTERM and SIGINT ask to stop; a second Ctrl-C ends the program at once."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Callable


def on_signals(stop: Callable[[], None]) -> None:
    """`stop` is called from a signal handler, once: it may only do what is safe there."""
    if threading.current_thread() is not threading.main_thread():
        return  # whoever serves from another thread keeps the signals
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
    """The answer is out. Python gives signals their default action back while it ends, and that would be death."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
