"""A real PostgreSQL server for the tests: in a temporary folder, on a socket of its own, fsync on."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

USERS = ("postgres", "nobody")  # the server refuses to run as root
START_SECONDS = 60


def missing(what: str) -> None:
    """Skip loudly; where everything is required (JURYRANK_REQUIRE_ALL=1) fail instead."""
    line = f"NOT TESTED: {what} (scripts/system-packages installs what is missing)"
    if os.environ.get("JURYRANK_REQUIRE_ALL") == "1":
        pytest.fail(line)
    print(f"\n*** {line} ***", flush=True)
    pytest.skip(line)


@dataclass
class Server:
    """`url()` gives a fresh place; `kill` and `start` are for fault tests."""

    programs: Path
    home: Path
    user: str | None
    process: subprocess.Popen[bytes] | None = None
    databases: int = 0

    def command(self, program: str, *arguments: str) -> list[str]:
        base = [str(self.programs / program), *arguments]
        return ["runuser", "-u", self.user, "--", *base] if self.user else base

    def start(self) -> None:
        """Until it answers; anew where what is left of a killed one still holds its memory."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self._launch()
            while time.monotonic() < deadline and self.process.poll() is None:
                with contextlib.suppress(psycopg.OperationalError), self.connect():
                    return
                time.sleep(0.1)
            time.sleep(0.2)
        raise RuntimeError("PostgreSQL did not start:\n" + (self.home / "log").read_text()[-2000:])

    def _launch(self) -> None:
        # a shell writes the server's own number, as runuser would stand between
        words = ["postgres", "-D", str(self.home / "data"), "-k", str(self.home), "-c", "listen_addresses="]
        words += ["-c", "max_connections=200", "-c", "fsync=on", "-c", "synchronous_commit=on"]
        log = (self.home / "log").open("ab")
        self.process = subprocess.Popen(
            self.command(*words), stdout=log, stderr=log, start_new_session=True, cwd=self.home
        )

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(host=str(self.home), user="juryrank", dbname="postgres", autocommit=True)

    def pid(self) -> int:
        return int((self.home / "data" / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """As a crash would: kill -9, nothing is flushed or said goodbye to."""
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            os.kill(self.pid(), signal.SIGKILL)
        if self.process is not None:
            self.process.wait(timeout=START_SECONDS)

    def url(self) -> str:
        """The URL of a new, empty schema (made far quicker than a whole database)."""
        self.databases += 1
        name = f"t{os.getpid()}_{self.databases}"
        with self.connect() as admin:
            admin.execute(f'CREATE SCHEMA "{name}"')
        return f"postgresql://juryrank@/postgres?host={self.home}&options=-csearch_path%3D{name}"


def find_programs() -> Path | None:
    """The folder of initdb and postgres: where Debian keeps them (newest first), or on the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    folders += [Path(on_path).resolve().parent] if on_path else []
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


def make_server() -> Server:
    """Initialise and start a server; skips where it cannot be had."""
    programs = find_programs()
    if programs is None:
        missing("PostgreSQL is not installed")
    assert programs is not None
    user = None
    if os.geteuid() == 0:
        known = {entry.pw_name for entry in pwd.getpwall()}
        user = next((name for name in USERS if name in known), None)
        if user is None or shutil.which("runuser") is None:
            missing("PostgreSQL refuses to run as root, and there is no other user to run it as")
    home = Path(tempfile.mkdtemp(prefix="jrpg-", dir="/tmp"))  # short: a socket's path has 107 characters at most
    if user:
        shutil.chown(home, user)
    home.chmod(0o755)
    server = Server(programs, home, user)
    subprocess.run(
        server.command("initdb", "-D", str(home / "data"), "-U", "juryrank", "-A", "trust", "-E", "UTF8", "-N"),
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=home,
    )
    try:
        server.start()
    except BaseException:
        remove_server(server)
        raise
    return server


def remove_server(server: Server) -> None:
    server.kill()
    shutil.rmtree(server.home, ignore_errors=True)


@contextlib.contextmanager
def running_server() -> Iterator[Server]:
    """A server for the length of a block (fault tests, benchmarks)."""
    server = make_server()
    try:
        yield server
    finally:
        remove_server(server)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server a test process, shared by all tests that do not kill it."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    """A new, empty database on the shared server."""
    return postgres_server.url()
