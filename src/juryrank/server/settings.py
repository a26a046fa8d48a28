"""What `juryrank serve` is told: address, storage, rates, and what may be uploaded (numbers: `defaults.py`)."""

from __future__ import annotations

import ipaddress
import json
import os
from dataclasses import asdict, dataclass

from juryrank.defaults import (
    ADDRESS_BURST,
    ADDRESS_PER_SECOND,
    BODY_BYTES,
    DEFAULT_STORAGE,
    FEWEST_WRONG,
    FILE_MB,
    FILES_PER_REQUEST,
    HOST,
    JUDGE_BURST,
    JUDGE_PER_SECOND,
    LIST_BYTES,
    MEGABYTE,
    PORT,
    STUDY_MB,
    UPLOAD_MB,
    WRONG_PER_MINUTE,
)
from juryrank.errors import BadInput

ENVIRONMENT = "JURYRANK_SERVER"  # how worker processes receive their settings


@dataclass(frozen=True, slots=True)
class Allowance:
    """`burst` requests at once, then `per_second`."""

    per_second: float
    burst: float


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server runs; `juryrank serve --help` and docs/server.md say the same."""

    storage: str = DEFAULT_STORAGE
    host: str = HOST
    port: int = PORT
    url: str = ""  # the public address, for links; empty: taken from the request
    workers: int = 1
    body_bytes: int = BODY_BYTES  # the largest request other than an upload
    upload_bytes: int = LIST_BYTES  # the largest list of items
    file_bytes: int = FILE_MB * MEGABYTE  # one uploaded file
    files_bytes: int = UPLOAD_MB * MEGABYTE  # all files of one upload
    study_bytes: int = STUDY_MB * MEGABYTE  # the stored files of one study, after they were encoded again
    judge_per_second: float = JUDGE_PER_SECOND  # requests of one judge
    judge_burst: float = JUDGE_BURST
    address_per_second: float = ADDRESS_PER_SECOND  # requests of one address: a whole class behind one router
    address_burst: float = ADDRESS_BURST
    wrong_per_minute: float = WRONG_PER_MINUTE  # wrong passwords, links or tokens from one address
    log_requests: bool = False
    proxy: str = ""  # whose X-Forwarded-For and -Proto are believed; empty: nobody's
    judges: str = ""  # a judges file: the models that owners may attach to a study, and no others

    def to_environment(self) -> None:
        """Hand these settings to worker processes."""
        os.environ[ENVIRONMENT] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> ServerSettings:
        """The settings that the parent process handed over.

        >>> ServerSettings(port=81).to_environment()
        >>> ServerSettings.from_environment().port
        81
        """
        return cls(**json.loads(os.environ.get(ENVIRONMENT, "{}")))

    @property
    def judge_rate(self) -> Allowance:
        return Allowance(self.judge_per_second, self.judge_burst)

    @property
    def file_rate(self) -> Allowance:
        """The rate for a judge's files: enough for two documents of forty pages per question."""
        return Allowance(FILES_PER_REQUEST * self.judge_per_second, FILES_PER_REQUEST * self.judge_burst)

    @property
    def address_rate(self) -> Allowance:
        return Allowance(self.address_per_second, self.address_burst)

    @property
    def wrong_rate(self) -> Allowance:
        """The rate of wrong guesses per worker: each counts for itself, so the limit is divided among them.

        >>> ServerSettings(workers=4).wrong_rate.burst
        5.0
        """
        share = max(FEWEST_WRONG, self.wrong_per_minute / self.workers)
        return Allowance(share / 60, share)


def is_loopback(host: str) -> bool:
    """Can only this machine reach the address?

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(host: str, *, has_password: bool) -> None:
    """Refuse to listen where others can reach it without a password."""
    if not is_loopback(host) and not has_password:
        raise BadInput(
            f"the server would listen on {host}, where other machines can reach it, and there is no admin "
            "password yet. Set one with `juryrank serve --set-password` (or JURYRANK_PASSWORD), or listen on "
            "127.0.0.1"
        )
