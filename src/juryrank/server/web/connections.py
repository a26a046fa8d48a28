"""Open connections that make room for others; and is the server well?"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from juryrank.defaults import BODY_SECONDS, HEADER_SECONDS, WRITE_SECONDS
from juryrank.errors import JuryrankError
from juryrank.storage.base import Storage

WANTED_FILES = 8192  # open files of this process, if the system lets it
OTHER_FILES = 200  # databases, logs, libraries
FEWEST_CONNECTIONS = 50


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """The server's protocol with time limits for incomplete requests."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._since: float = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._expect(HEADER_SECONDS)
        if len(self.connections) > most_connections():
            make_room(one for one in self.connections if isinstance(one, PatientProtocol))

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        between = not self.at_work and not self.sending
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.sending_body:
            self._expect(BODY_SECONDS)
        elif self.at_work:
            self._cancel()
        elif between:  # the first bytes of another request
            self._since = self.loop.time()
            self._expect(HEADER_SECONDS)

    # ------------------------------------------------------------------ what it is doing
    @property
    def at_work(self) -> bool:
        """A request is complete up to its headers, and its answer is not."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def sending_body(self) -> bool:
        return self.at_work and bool(self.cycle.more_body)

    @property
    def sending(self) -> bool:
        """Bytes of a request are missing, as far as one can tell."""
        return self._timer is not None

    @property
    def since(self) -> float:
        """When the client connected, or began the request that is not complete yet."""
        return self._since

    # ------------------------------------------------------------------ patience
    def _expect(self, seconds: float) -> None:
        self._cancel()
        self._timer = self.loop.call_later(seconds, self._lost_patience)

    def _cancel(self) -> None:
        if getattr(self, "_timer", None) is not None:
            self._timer.cancel()  # type: ignore[union-attr]
        self._timer = None

    def _lost_patience(self) -> None:
        if self.sending_body and self.flow.read_paused:
            self._expect(BODY_SECONDS)  # it is we who are slow
        else:
            self.give_up()

    def give_up(self) -> None:
        """Close the connection, whatever the other side was about to send."""
        self._cancel()
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()


def make_room(crowd: Iterable[Any]) -> None:
    """Close one connection that nobody waits for; where all are served, none."""
    crowd = list(crowd)
    waiting = [one for one in crowd if one.sending]
    quiet = [one for one in crowd if not one.sending and not one.at_work]
    if waiting or quiet:
        min(waiting or quiet, key=lambda one: one.since).give_up()


def most_connections() -> int:
    """How many connections this process may hold: files are needed for other things too."""
    try:
        import resource

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except ImportError:  # Windows sets no such limit: sockets are not files there
        files = WANTED_FILES
    return max(FEWEST_CONNECTIONS, min(WANTED_FILES, files) - OTHER_FILES)


def raise_file_limit() -> None:
    """As many open files as this process may have, up to what it wants."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    if soft < wanted:
        with suppress(OSError, ValueError):  # a sandbox may forbid it; the limit that there is then holds
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# ----------------------------------------------------------------------------
# Is the server well? A cheap read, and a trial write that is made at most every few seconds
TRIAL_NOTE = "server/health"


class Health:
    """What monitors ask for."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._tried: float | None = None
        self._wrote = False

    def answers(self) -> bool:
        """Does the database answer?"""
        try:
            self._storage.note(TRIAL_NOTE)
        except JuryrankError:
            return False
        return True

    def writes(self) -> bool:
        """Does it take a write? A full or read-only disk is found here and not by the first judge."""
        with self._lock:
            if self._tried is None or time.monotonic() - self._tried >= WRITE_SECONDS:
                self._wrote = self._try()
                self._tried = time.monotonic()
            return self._wrote

    def _try(self) -> bool:
        written = time.time()
        try:
            self._storage.set_note(TRIAL_NOTE, written)
            return bool(self._storage.note(TRIAL_NOTE) >= written)
        except JuryrankError:
            return False
