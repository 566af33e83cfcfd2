"""Starts a mock of `proctor mock` and ends it again, with everything that it started."""

from __future__ import annotations

import collections
import json
import os
import shlex
import shutil
import signal
import subprocess
import threading
from typing import Any, Deque, Dict, List, Optional, Sequence

START_SECONDS = 120.0
STOP_SECONDS = 10.0
KEPT_LINES = 50


def command_line() -> List[str]:
    """Returns the command that starts proctor: the value of PROCTOR, else `proctor` on the path, else npx."""
    named = os.environ.get("PROCTOR")
    if named:
        return shlex.split(named)
    found = shutil.which("proctor")
    if found is not None:
        return [found]
    npx = shutil.which("npx")
    if npx is not None:
        return [npx, "--yes", "proctor"]
    raise RuntimeError("proctor was not found; install it, or set PROCTOR to the command that starts it")


class Program:
    """One running program. `ready` is the first line that it printed."""

    def __init__(self, arguments: Sequence[str], kind: str = "agent") -> None:
        self._command = [*command_line(), "mock", kind, "--json", *arguments]
        self._errors: Deque[str] = collections.deque(maxlen=KEPT_LINES)
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # npx starts the program as its child, and both have to end, so they get a process group of their own.
            start_new_session=True,
        )
        self._errors_read = self._in_background(self._read_errors)
        self.ready = self._first_line()
        self._in_background(self._drain)

    def stop(self) -> None:
        """Ends the program and its children, with SIGKILL when they ignore SIGTERM."""
        for ending in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is not None:
                break
            try:
                os.killpg(self._process.pid, ending)
            except ProcessLookupError:
                break
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        self._process.wait()

    def _first_line(self) -> Dict[str, Any]:
        found: List[str] = []
        reading = self._in_background(lambda: found.append(self._process.stdout.readline()))  # type: ignore[union-attr]
        reading.join(START_SECONDS)
        line = found[0] if found else ""
        try:
            return json.loads(line)
        except ValueError:
            self.stop()
            self._errors_read.join(STOP_SECONDS)
            said = "".join(self._errors).strip() or line.strip() or "it said nothing"
            raise RuntimeError(f"{shlex.join(self._command)} did not start: {said}") from None

    def _read_errors(self) -> None:
        for line in self._process.stderr or ():
            self._errors.append(line)

    def _drain(self) -> None:
        # A full pipe would stop the program. The lines are not needed, because the control API has the requests.
        for _ in self._process.stdout or ():
            pass

    @staticmethod
    def _in_background(work: Any) -> threading.Thread:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread


def arguments_for(
    script: Optional[str], port: int, packs: Sequence[str], faults: Sequence[str], more: Sequence[str]
) -> List[str]:
    """Returns the arguments that follow `proctor mock agent`."""
    arguments = [] if script is None else [str(script)]
    arguments += ["--port", str(port)]
    for pack in packs:
        arguments += ["--pack", pack]
    for fault in faults:
        arguments += ["--fault", fault]
    return [*arguments, *more]
