"""A terminal for a program under test: it types keys, and keeps what the screen shows (pyte)."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyte

PATIENCE = 30.0  # seconds; a busy machine is slow to start a program
QUIET = ("NO_COLOR", "CI", "COLUMNS", "LINES", "JURYRANK_STORAGE", "FORCE_COLOR")
KEYS = {
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "page down": "\x1b[6~",
    "end": "\x1b[F",
}


class Terminal:
    """`juryrank ...` at a screen of this size, until it ends."""

    program: tuple[str, ...] = (sys.executable, "-m", "juryrank")

    def __init__(
        self, *words: object, folder: Path, columns: int = 80, lines: int = 24, **environment: str
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self._ours, theirs = pty.openpty()
        self._resize(columns, lines)
        known = {name: value for name, value in os.environ.items() if name not in QUIET}
        self.process = subprocess.Popen(
            [*self.program, *map(str, words)],
            cwd=folder,
            env={**known, "TERM": "xterm-256color", **environment},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    @property
    def seconds(self) -> float:
        """Processor time so far, which a busy machine does not stretch as it does the clock's."""
        spent = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")

    def type(self, *keys: str) -> None:
        for key in keys:
            os.write(self._ours, KEYS.get(key, key).encode())

    def sees(self, *words: str) -> str:
        """The screen, once all of these are on it."""
        self._until(lambda: all(word in self.shown for word in words), words)
        return self.shown

    def ends(self) -> int:
        """Its exit code, once it has ended."""
        self._until(lambda: self.process.poll() is not None, ("its end",))
        while self._read(0.05):
            pass
        return self.process.returncode

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        self._resize(columns, lines)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def _resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def _until(self, true, words) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            if not self._read(0.05) and (time.monotonic() > end or self.process.poll() is not None):
                if true():
                    return
                raise AssertionError(f"{words} did not come; the screen shows:\n{self.shown}")

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # how Linux says that nobody is at the other end
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)
