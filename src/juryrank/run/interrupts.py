"""Ctrl-C leaves nothing half done: it interrupts a judge at once, and everything else at the next question."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """`with interrupts.guarded():` around the whole, `with interrupts.waiting():` around what may be cut short."""

    def __init__(self) -> None:
        self.wanted = False
        self._waiting = False

    @contextmanager
    def guarded(self) -> Iterator[None]:
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield  # somebody else decides what Ctrl-C means here
            return
        signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            yield
        finally:
            self._waiting = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.wanted = True
        if self._waiting:
            raise KeyboardInterrupt
