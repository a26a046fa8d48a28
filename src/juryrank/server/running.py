"""Starting a server: check, prepare, bind, say where it is, serve."""

from __future__ import annotations

import gc
import ipaddress
import logging
import os
import random
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import FastAPI

from juryrank.defaults import (
    BACKLOG,
    DEFAULT_STORAGE,
    DEMO_STORAGE,
    FILE_MB,
    HOST,
    KEEP_ALIVE,
    MEGABYTE,
    PORT,
    STUDY_MB,
    UPLOAD_MB,
)
from juryrank.errors import BadInput
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.lan import ALONE, EVERYWHERE, WARNING, lan_address, made_password, scan_code
from juryrank.server.settings import ServerSettings, check_address, is_loopback
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind
from juryrank.storage.values import without_password
from juryrank.study import Study


@dataclass(frozen=True, slots=True)
class Wish:
    """How the server should run."""

    storage: str = DEFAULT_STORAGE
    host: str = HOST
    lan: bool = False  # open it to the network that this machine is in
    port: int = PORT
    url: str = ""
    workers: int = 1
    password: str = ""
    ask_password: Callable[[], str] = str  # for --lan where there is none yet; empty: one is made up
    demo: bool = False
    proxy: str = ""
    log: bool = False
    judges: str = ""
    file_mb: float = FILE_MB
    files_mb: float = UPLOAD_MB
    study_mb: float = STUDY_MB


def run(wish: Wish) -> None:
    """Serve until stopped; the greeting is printed when connections are already accepted."""
    if wish.proxy:
        check_proxy(wish.proxy)
    wish = _with_demo_storage(wish)
    if wish.lan:
        wish = replace(wish, host=EVERYWHERE)
    others = "" if wish.url else lan_address() if wish.lan else reachable(wish.host)
    if wish.workers > 1 and not wish.storage.startswith("postgresql"):
        raise BadInput(
            f"{wish.workers} workers need PostgreSQL: --storage postgresql://USER@HOST/NAME. With {wish.storage} "
            "use one worker, which is enough for a few hundred judges"
        )
    settings = ServerSettings(
        storage=wish.storage,
        host=wish.host,
        port=wish.port,
        url=wish.url,
        workers=wish.workers,
        log_requests=wish.log,
        proxy=wish.proxy,
        judges=wish.judges,
        file_bytes=round(MEGABYTE * wish.file_mb),
        files_bytes=round(MEGABYTE * wish.files_mb),
        study_bytes=round(MEGABYTE * wish.study_mb),
    )
    context = Context.open(settings)
    password, made = _password(wish, has_one=context.vault.has_password)
    if password:
        context.vault.set_password(password)
    check_address(wish.host, has_password=context.vault.has_password)
    listening = bind(wish.host, wish.port)
    port = int(listening.getsockname()[1])
    settings = replace(settings, port=port, url=wish.url or f"http://{_name(others)}:{port}")
    settings.to_environment()
    for line in _greeting(replace(context, settings=settings), wish, made_up=password if made else ""):
        print(line, flush=True)
    context.storage.close()
    _serve(settings, listening)


def _password(wish: Wish, *, has_one: bool) -> tuple[str, bool]:
    """The password to set, if any, and whether it was made up here: the network needs one."""
    if wish.password or has_one or not wish.lan:
        return wish.password, False
    typed = wish.ask_password()
    return (typed, False) if typed else (made_password(), True)


def _greeting(context: Context, wish: Wish, *, made_up: str) -> list[str]:
    """Links, one per line; then who can open them, where the data is and how to stop."""
    address = context.settings.url.rstrip("/")
    lines = []
    if wish.demo:
        study, links = make_demo(context)
        lines += [f"judge {name}: {link}" for name, link in links.items()]
        lines.append(f"study: {address}/admin/studies/{study.id}")
    if context.vault.has_password:
        lines.insert(0, f"admin: {address}/admin")
    else:
        lines.insert(0, f"admin: {address}/login#{context.vault.issue_start_token()}")
    if made_up:
        lines.insert(1, f"password: {made_up}   (write it down: it is not shown again)")
    if wish.lan:
        lines += [*scan_code(address), WARNING]
    elif is_loopback(urlsplit(address).hostname or ""):
        lines.append(ALONE)
    return [*lines, f"data: {_kept_in(context.settings.storage)}", "stop: Ctrl-C"]


def _kept_in(storage: str) -> str:
    """Where a person finds the data: a file's whole path, a database's address without its password."""
    _, is_file, path = storage.partition("sqlite:///")
    return str(Path(path).absolute()) if is_file else without_password(storage)


def _with_demo_storage(wish: Wish) -> Wish:
    """A demonstration stays out of your own studies, unless you name their storage."""
    return replace(wish, storage=DEMO_STORAGE) if wish.demo and wish.storage == DEFAULT_STORAGE else wish


def bind(host: str, port: int) -> socket.socket:
    """A socket that accepts connections from now on."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # named TCP: only then does asyncio send small answers at once (40 ms otherwise)
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.set_inheritable(True)
    except OSError as problem:
        raise BadInput(
            f"cannot listen on {host}:{port}: {problem.strerror}. Choose another with --port (0: any free one)"
        ) from None
    return listening


def reachable(host: str) -> str:
    """The address to put into links: a wildcard such as 0.0.0.0 is not an address that anybody could open.

    >>> reachable("127.0.0.1"), reachable("0.0.0.0") != "0.0.0.0"
    ('127.0.0.1', True)
    """
    if host not in ("0.0.0.0", "::"):
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:  # nothing is sent: the system only says which of its addresses it would send from
            probe.connect(("2001:db8::1" if ":" in host else "192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "::1" if ":" in host else "127.0.0.1"


def from_environment(name: str) -> str:
    """A secret from the variable `name`, or from the file that `name`_FILE names: arguments are visible to all."""
    file = os.environ.get(f"{name}_FILE")
    if not file:
        return os.environ.get(name, "")
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{name}_FILE names a file that cannot be read: {type(problem).__name__}") from None


def with_password(url: str, password: str) -> str:
    """A database's URL with its password in it, escaped.

    >>> with_password("postgresql://jury@db/jury", "p@ss/word")
    'postgresql://jury:p%40ss%2Fword@db/jury'
    """
    scheme, there, rest = url.partition("://")
    user, at, host = rest.partition("@")
    if not password or not (there and at) or ":" in user:
        return url
    return f"{scheme}://{user}:{quote(password, safe='')}@{host}"


def check_proxy(proxy: str) -> None:
    """Refuse anything but addresses and networks: trusting everybody means trusting forged headers."""
    for part in proxy.split(","):
        try:
            ipaddress.ip_network(part.strip(), strict=False)
        except ValueError:
            raise BadInput(
                f"--proxy is {proxy!r}; give the proxy's own address or network, such as 127.0.0.1 or "
                "172.30.0.0/24: from anywhere else X-Forwarded-For can be forged"
            ) from None


def _name(host: str) -> str:
    """A host as written in an address."""
    return f"[{host}]" if ":" in host else host


def options_of(settings: ServerSettings) -> dict[str, Any]:
    """How the HTTP server runs."""
    from juryrank.server.web.connections import PatientProtocol

    return {
        "factory": True,
        "access_log": False,  # ours leaves judges' secrets out
        "log_level": "warning",
        "proxy_headers": bool(settings.proxy),
        "forwarded_allow_ips": settings.proxy,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
        "timeout_keep_alive": KEEP_ALIVE,
        "http": PatientProtocol,
        "workers": settings.workers,
    }


def _serve(settings: ServerSettings, listening: socket.socket) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from juryrank.server.web.connections import raise_file_limit

    raise_file_limit()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(name)s %(message)s")
    config = uvicorn.Config("juryrank.server.running:worker_app", **options_of(settings))
    server = uvicorn.Server(config)
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        server.run(sockets=[listening])


# ----------------------------------------------------------------------------
# A process that does nothing but serve: tuned for even response times rather than for throughput
SWITCH_SECONDS = 0.001  # a request that only waits for its turn soon lets the others run


def worker_app() -> FastAPI:
    """What `juryrank serve` runs in each of its processes."""
    app = create_app()
    sys.setswitchinterval(SWITCH_SECONDS)
    leave_the_libraries_alone()
    return app


def leave_the_libraries_alone() -> None:
    """Exempt everything loaded by now from garbage collection.

    A full round over all imported libraries takes 60 to 90 ms, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()


# ----------------------------------------------------------------------------
# A study ready to click, for `juryrank serve --demo`: simulated people have answered, three links are free
NAME = "Which headline works?"
HEADLINES = {  # name: (text, how much the simulated people like it)
    "Number": ("Save **37 minutes** a day with three small changes", 2.6),
    "Story": ("She stopped answering e-mail before noon. Here is what happened.", 1.6),
    "Quiet": ("Less software. *More afternoon.*", 1.2),
    "Question": ("What would you do with an extra half hour?", 0.8),
    "List": ("Seven habits of people who are never in a hurry", 0.4),
    "Plain": ("Our new app saves you time", -0.6),
    "Loud": ("YOU WON'T BELIEVE how much time this saves!!!", -1.8),
}
JUDGES = ("Ann", "Bob", "Cleo")
CROWD = 40
INTRO = """This is a **demonstration** of juryrank.

You will see two headlines at a time. Choose the one you would rather click. There is no wrong answer.
"""


def make_demo(context: Context) -> tuple[Study, dict[str, str]]:
    """The demonstration study with fresh links, by judge's name; one that is there already is used again."""
    row = next((row for row in context.open_studies.rows() if row.name == NAME), None)
    study = context.open_studies.study(row.id) if row else _new_demo(context)
    people = study.people()
    secrets = context.vault.issue_links(study.id, people)
    links = {people[judge].name: context.link(None, secret) for judge, secret in secrets.items()}
    return study, dict(sorted(links.items()))


def _new_demo(context: Context) -> Study:
    items = [NewItem(name, Content(text, Kind.MARKDOWN)) for name, (text, _) in HEADLINES.items()]
    setup = Setup(question="Which headline would you rather click?", intro=INTRO)
    draft = StudyDraft(NAME, items, [NewJudge(name) for name in JUDGES], error=0.1, seed=1, setup=setup)
    study = make_study(context.open_studies, draft)
    rng = random.Random(1)
    for number in range(1, CROWD + 1):
        _answer_all(study, study.add_judge(f"simulated-{number}"), rng)
    return study


def _answer_all(study: Study, judge: str, rng: random.Random) -> None:
    """One simulated person's sitting: noisy taste, and the seconds it took."""
    taste = {name: liked + rng.gauss(0, 0.7) for name, (_, liked) in HEADLINES.items()}
    while (question := study.ask(judge)) is not None:
        left, right = taste[str(question.left)], taste[str(question.right)]
        side = "left" if left + rng.gauss(0, 0.5) > right else "right"
        seconds = round(rng.lognormvariate(1.2, 0.5), 1)
        study.tell(question.id, side=side, source="simulated", response_time=seconds)
