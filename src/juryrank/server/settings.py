"""The server's numbers that you may want otherwise: lifetimes, limits, deadlines, rates, sizes; and its settings.

What holds without a server too (leases, sittings, "too fast", the sizes of uploads) stands in `defaults.py`.
"""

from __future__ import annotations

import ipaddress
import json
import os
from dataclasses import asdict, dataclass

from juryrank.defaults import DEFAULT_STORAGE, FILE_MB, STUDY_MB, UPLOAD_MB
from juryrank.errors import BadInput

# ---------------------------------------- lifetimes of log-ins, links and secrets
LOGIN_SECONDS = 14 * 86_400.0  # how long a log-in lasts
START_DAYS = 30  # how long the admin link works that is printed at the start
INVITED_DAYS = 30  # how long an invitation waits
MOST_DAYS = 3650  # that a link or a token may be made for
SHOWN_SECONDS = 15 * 60  # for which a new secret is shown again when its page is reloaded

# ---------------------------------------- passwords, guesses and visitors
LEAST_PASSWORD = 10  # characters
PASSWORDS_AT_ONCE = 2  # that are checked at the same time; the others wait without occupying a thread
FEWEST_WRONG = 3.0  # wrong secrets per minute that a worker lets pass: people mistype
PER_ADDRESS = 60  # people of one network address who may begin at an open link within an hour: two school classes
MOST_BUCKETS = 20_000  # addresses remembered; the longest unused are forgotten first

# ---------------------------------------- connections and requests: deadlines
HOST, PORT = "127.0.0.1", 8000  # where the server listens, unless told otherwise
HEADER_SECONDS = 10.0  # for a request's headers
BODY_SECONDS = 30.0  # between two parts of its body
KEEP_ALIVE = 75  # seconds a quiet connection stays open: judges think
BACKLOG = 2048  # connections that wait to be taken
THREADS = 40  # requests in work at once; more wait their turn
WRITE_SECONDS = 5.0  # between two trial writes of the health check: monitors may ask as often as they like
REQUEST_CASES = 20_000  # that one request may bring

# ---------------------------------------- dashboards and news: how old, how often
DASHBOARD_SECONDS = 1.0  # a dashboard may be so old (the age of its cache)
DASHBOARD_REST = 8  # after a reading that took t seconds of a processor nothing is read for 8 t: a ninth of a core
LOOK_SECONDS = 0.5  # how often a watcher looks for new events
HEARTBEAT_SECONDS = 10.0  # keeps proxies from closing a quiet stream
SETUP_SECONDS = 1.0  # another worker's edit of a wording is seen after at most this long
FORECAST_SECONDS = 5.0  # for the advice on a form: on a busy machine a simulation takes half a minute
MOST_SIMULATED = 1500  # people times items that are simulated while somebody waits: about three seconds

# ---------------------------------------- studies: what may be asked of people
MOST_QUESTIONS = 500  # per person
BEYOND = 50  # further questions for people who go on, or whose own work is passed over
MOST_MINUTES = 7 * 24 * 60  # of a sitting
MOST_JUDGES = 5_000  # named in one go
MOST_HELD = 3  # questions a judge may have open so that the same pair does not come twice in a row
LONGEST_ANSWER = 24 * 3600.0  # a response time above this is a forgotten tab, not a measurement
MOST_CHECKS = 50  # attention checks
CHECK_EVERY = 7  # answers between two of them
MOST_ABOUT_PERSON = 20  # questions about the person
PROBED = 4  # questions of a model's probe, and draws of one of them
STUDY_NAME_CHARACTERS = 200
WORDING_CHARACTERS = 5_000  # of a wording or a first page
ITEM_CHARACTERS = 50_000  # of one item
WORDS_PER_MINUTE = 230  # silent reading; people differ by a third
RETENTION_SECONDS = 3600.0  # between two looks for people whose day of deletion has come

# ---------------------------------------- uploaded files: pictures, PDF pages, DOCX
MEGABYTE = 1_000_000
MOST_PIXELS = 60_000_000  # a picture with more is no photograph of today's phones; decoded it takes 240 MB
PICTURE_SIDE = 1_600  # pixels of the longer side: fills a large screen's half at twice its density
THUMB_SIDE = 128
PDF_PAGES = 40
PAGE_WIDTH = 1_240  # pixels of a page: A4 at 150 dots per inch
PAGE_PIXELS = 6_000_000
PDF_CHARACTERS = 20_000  # that are kept for people who do not see its pictures
DOCX_BYTES = 100_000_000  # unpacked
FILES_PER_REQUEST = 20.0  # pages of documents that a judge's browser loads for each other request
UPLOAD_SECONDS = 24 * 3600.0  # for which an upload waits for its study
WORKER_MEMORY = 1_200_000_000  # bytes of address space: a decoded 60-megapixel picture and the libraries fit
WORKER_SECONDS = 30  # of computing
WORKER_PATIENCE = 90  # of waiting: a busy machine gets around to it
WORKER_WRITTEN = 100_000_000  # bytes of one file that it writes
DECODERS = 2  # at work, however many uploads come in
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
    body_bytes: int = 1_000_000  # the largest request other than an upload
    upload_bytes: int = 10_000_000  # the largest list of items
    file_bytes: int = FILE_MB * MEGABYTE  # one uploaded file
    files_bytes: int = UPLOAD_MB * MEGABYTE  # all files of one upload
    study_bytes: int = STUDY_MB * MEGABYTE  # the stored files of one study, after they were encoded again
    judge_per_second: float = 5.0  # requests of one judge
    judge_burst: float = 30.0
    address_per_second: float = 200.0  # requests of one address: a whole class behind one router
    address_burst: float = 600.0
    wrong_per_minute: float = 20.0  # wrong passwords, links or tokens from one address
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
