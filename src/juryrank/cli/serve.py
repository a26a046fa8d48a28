"""`juryrank serve`: a jury in the browser."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from juryrank.cli.common import Storage
from juryrank.defaults import DEFAULT_STORAGE, FILE_MB, HOST, PORT, STUDY_MB, UPLOAD_MB
from juryrank.errors import BadInput, need_extra

HELP = """Judge pages, a live dashboard and a REST interface for your studies.

[bold]Examples[/bold]

  juryrank serve --demo
  juryrank serve --lan
  juryrank serve --port 8080 --judges judges.toml
  juryrank serve --host 0.0.0.0 --set-password --url https://jury.example.org
"""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(help=HELP)
    def serve(
        storage: Storage = DEFAULT_STORAGE,
        host: Annotated[str, typer.Option(help="Where to listen; anything but loopback needs a password.")] = HOST,
        lan: Annotated[
            bool, typer.Option("--lan", help="Open it to phones and computers in the same network, by a password.")
        ] = False,
        port: Annotated[int, typer.Option(help="0: any free one.", min=0, max=65535)] = PORT,
        demo: Annotated[bool, typer.Option("--demo", help="Start with a study ready to click.")] = False,
        url: Annotated[str, typer.Option(help="The public address in links; by default where it listens.")] = "",
        workers: Annotated[
            int, typer.Option(help="Processes; more than one needs PostgreSQL.", min=1, max=64)
        ] = 1,
        set_password: Annotated[
            bool, typer.Option("--set-password", help="Ask for a new admin password, store its hash, then start.")
        ] = False,
        proxy: Annotated[
            str,
            typer.Option(help="Trust X-Forwarded-For and -Proto from these addresses or networks; else nobody's."),
        ] = "",
        file_mb: Annotated[float, typer.Option(help="Megabytes of one uploaded file.", min=0)] = FILE_MB,
        upload_mb: Annotated[float, typer.Option(help="Megabytes of all files of one upload.", min=0)] = UPLOAD_MB,
        study_mb: Annotated[
            float, typer.Option(help="Megabytes of files stored per study, after they were encoded again.", min=0)
        ] = STUDY_MB,
        judges: Annotated[
            str, typer.Option(metavar="JUDGES.TOML", help="Language models that owners may attach to studies.")
        ] = "",
        log: Annotated[bool, typer.Option("--log", help="Log every request (secrets are left out).")] = False,
    ) -> None:
        for module in ("fastapi", "uvicorn", "jinja2", "argon2", "nh3", "multipart"):
            need_extra(module, extra="server", what="juryrank serve")
        from juryrank.server.running import Wish, from_environment, run, with_password

        if lan and host != HOST:
            raise BadInput(f"--lan listens in every network of this machine: leave --host {host} out")
        password = from_environment("JURYRANK_PASSWORD")
        if set_password:
            password = typer.prompt("New admin password", hide_input=True, confirmation_prompt=True)
        storage = with_password(storage, from_environment("JURYRANK_DATABASE_PASSWORD"))
        options: dict[str, Any] = {"storage": storage, "host": host, "port": port, "url": url, "workers": workers}
        options |= {"lan": lan, "ask_password": _asked_password}
        options |= {"file_mb": file_mb, "files_mb": upload_mb, "study_mb": study_mb}
        run(Wish(**options, password=password, demo=demo, proxy=proxy, log=log, judges=judges))


def _asked_password() -> str:
    """The password that somebody types, once; empty: nobody is there, or one is to be made up."""
    if not sys.stdin.isatty():
        return ""
    return str(typer.prompt("Password for your pages (Enter: make one up)", default="", show_default=False))
