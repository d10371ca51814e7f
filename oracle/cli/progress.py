"""Progress on standard error: what is done, how far it has come, how long it still takes.

On a terminal one line is rewritten after two seconds, and cleared in the end. Elsewhere, as in a log of CI, a line of
its own is written every ten seconds. `baccarat-oracle --quiet`, or BACCARAT_ORACLE_QUIET=1, leaves both out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import click

from oracle.progress import watched
from oracle.text import printable

QUIET = "BACCARAT_ORACLE_QUIET"
AFTER, EVERY = 2.0, 0.25  # seconds: on a terminal, the first time and again
LINES = 10.0  # seconds between two lines elsewhere
WIDTH = 79  # columns: a terminal of 80 doesn't wrap
_SURE = 2.0  # seconds after which what is left can be told from what was done


class Display:
    """Shows on a stream how far something has come. A thread of its own does, so that a long step is shown too."""

    def __init__(self, stream: TextIO, what: str) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._lock = threading.Lock()
        self._begun = self._since = time.monotonic()
        self._what, self._done, self._of, self._note, self._first = what, 0, 0, "", 0
        self._shown = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def __enter__(self) -> Display:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        self.clear()

    def tell(self, what: str, done: int, of: int, note: str) -> None:
        """It has come so far."""
        if what != self._what:
            self._what, self._since, self._first = what, time.monotonic(), done
        self._done, self._of, self._note = done, of, note

    def clear(self) -> None:
        """Take the line away, before something else is printed."""
        with self._lock:
            if self._shown and self._terminal:
                self._write("\r\033[K")
            self._shown = False

    def line(self, now: float) -> str:
        """What there is to show: `checking home-pt: 3 of 16, 4 s so far, about 9 s left`."""
        done, of = self._done, self._of
        far = [f"{done:,} of {of:,}"] if of else [f"{done:,}"] if done else []
        far += [self._note] if self._note else []
        far.append(f"{_duration(now - self._begun)} so far")
        taken, made = now - self._since, done - self._first
        if of > done and made > 0 and taken >= _SURE:
            far.append(f"about {_duration(taken * (of - done) / made)} left")
        rest = f": {', '.join(far)}"
        what = printable(self._what)
        return what + rest if len(what + rest) <= WIDTH else f"{what[: max(WIDTH - len(rest) - 1, 0)]}…{rest}"[:WIDTH]

    def _run(self) -> None:
        wait = AFTER if self._terminal else LINES
        while not self._ended.wait(wait):
            wait = EVERY if self._terminal else LINES
            with self._lock:
                if not self._ended.is_set():
                    text = self.line(time.monotonic())
                    self._write(f"\r\033[K{text}" if self._terminal else f"{text}\n")
                    self._shown = True

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # nobody is there to read it
            self._stream.write(text)
            self._stream.flush()


_SHOWN: list[Display] = []


@contextmanager
def showing(what: str) -> Iterator[None]:
    """Within the block it is shown how far it has come, as it tells; at first `what`."""
    if sys.stderr is None or sys.stderr.closed or _is_quiet():
        yield
        return
    with Display(sys.stderr, what) as display, watched(display.tell):
        _SHOWN.append(display)
        try:
            yield
        finally:
            _SHOWN.remove(display)


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    asked = context is not None and context.find_root().params.get("quiet")
    return bool(asked) or os.environ.get(QUIET, "") not in ("", "0")


def clear() -> None:
    """Take away what is shown, before something is printed while it goes on."""
    for display in _SHOWN:
        display.clear()


def _duration(seconds: float) -> str:
    """`9 s`, `1 min 20 s`, `2 h 5 min`."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
