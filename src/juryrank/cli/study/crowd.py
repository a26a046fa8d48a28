"""`juryrank study link | platform | about | participants`: how people come, what they are asked, who took part."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from juryrank.cli.common import Json, Storage, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadInput


def add(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("link")(link)
    app.command("platform")(platform)
    app.command("about")(about)
    app.command("participants")(participants)


def link(
    name: Name,
    on: Annotated[bool | None, typer.Option("--on/--off", help="Whether people can begin by the link.")] = None,
    room: Annotated[int | None, typer.Option(help="How many judges there is room for.")] = None,
    opens: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it opens (2026-01-31T09:00, UTC).")
    ] = None,
    closes: Annotated[str | None, typer.Option(metavar="TIME", help="When it closes; empty: never.")] = None,
    phrase: Annotated[str | None, typer.Option(help="A pass phrase to ask for; empty: none.")] = None,
    per_minute: Annotated[
        float | None, typer.Option(help="Starts from one address before others wait their turn; 0: any number.")
    ] = None,
    per_address: Annotated[
        int | None, typer.Option(help="People who may begin at one address within an hour; 0: any number.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Another address; the old one stops working.")] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """One link for everybody, for a server on this storage: show it, or make and change it."""
    from dataclasses import replace

    from juryrank.server.studies.open_links import OpenLink, OpenLinks, utc_moment

    study = opened(name, storage)
    links = OpenLinks(study.storage)
    wanted: dict[str, Any] = {"on": on, "capacity": room, "per_minute": per_minute, "per_address": per_address}
    wanted = {key: value for key, value in wanted.items() if value is not None}
    wanted |= {
        key: utc_moment(text) for key, text in (("opens_at", opens), ("closes_at", closes)) if text is not None
    }
    changing = bool(wanted) or phrase is not None or new
    made = links.of(study.id)
    if changing or made is None:
        checked = replace(made or OpenLink("-" * 16), **wanted)
        checked.with_phrase(phrase or "")
        made = replace(links.make(study.id) if new or made is None else made, **wanted)
        made = made if phrase is None else made.with_phrase(phrase)
        links.save(study.id, made)
    shown = {
        "address": f"/s/{made.code}", "on": made.on, "room": made.capacity, "opens_at": made.opens_at,
        "closes_at": made.closes_at, "pass_phrase": bool(made.phrase), "per_minute": made.per_minute,
        "per_address": made.per_address,
    }  # fmt: skip
    emit_json(shown) if as_json else _show(shown)


def platform(
    name: Name,
    preset: Annotated[
        str | None, typer.Option(help="prolific, connect, sona, free; none: remove the platform.")
    ] = None,
    code: Annotated[str, typer.Option(help="The completion code.")] = "",
    failed_code: Annotated[str, typer.Option(help="The code for people who failed the attention checks.")] = "",
    finish: Annotated[
        str, typer.Option(metavar="URL", help="Where people go at the end; {code} and {PARAMETER} are filled in.")
    ] = "",
    keep: Annotated[list[str] | None, typer.Option("--keep", metavar="NAME", help="A parameter to keep.")] = None,
    identity: Annotated[str, typer.Option(metavar="NAME", help="The parameter that identifies the person.")] = "",
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """The crowd platform that sends people: show it, or set it with --preset."""
    from juryrank.server.crowd.platforms import Platforms, of_preset

    study = opened(name, storage)
    platforms = Platforms(study.storage)
    if preset is None and (code or failed_code or finish or keep or identity):
        raise BadInput("say --preset as well: prolific, connect, sona or free")
    if preset is not None:
        wishes = {"code": code, "failed_code": failed_code, "finish": finish, "identity": identity}
        made = of_preset("" if preset == "none" else preset, parameters=tuple(keep or ()), **wishes)
        platforms.save(study.id, made)
    found = platforms.of(study.id).to_dict()
    emit_json(found) if as_json else _show({**found, "parameters": " ".join(found["parameters"])})


def about(
    name: Name,
    before: Annotated[
        list[str] | None,
        typer.Option(
            "--before", metavar="'Age? [number] *'", help="Asked before the first comparison; repeat it."
        ),
    ] = None,
    after: Annotated[
        list[str] | None, typer.Option("--after", metavar="LINE", help="Asked after the last one; repeat it.")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="Language of the judges' pages: en, de, fr, es, ar; browser: as the browser asks for."),
    ] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Questions about the person, and the language of judges' pages: show them, or set what is given.

    A line: 'City', 'Age? \\[number] *' (the star: must be answered), 'Do you cook? \\[never / daily]'.
    'none' alone removes all questions.
    """
    from juryrank.server.crowd.questionnaire import questions_from_text
    from juryrank.server.studies.open_studies import OpenStudies

    study = opened(name, storage)
    desk = OpenStudies(study.storage)
    changes: dict[str, Any] = {} if language is None else {"language": "" if language == "browser" else language}
    for part, given in (("before", before), ("after", after)):
        if given is not None:
            changes[part] = questions_from_text("" if given == ["none"] else "\n".join(given))
    if changes:
        desk.change_setup(study.id, lambda setup: setup.changed(**changes))
    setup = desk.setup(study.id)
    shown = {part: [one.line for one in getattr(setup, part)] for part in ("before", "after")}
    if as_json:
        emit_json({**shown, "language": setup.language})
    else:
        _show(
            {**{part: "; ".join(lines) for part, lines in shown.items()}, "language": setup.language or "browser"}
        )


def participants(
    name: Name,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A file instead of standard output.")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Who took part, one row per judge: parameters, consent, conduct, flags, answers about the person (CSV).

    Names and a platform's ids are in it: keep it to yourself. Flags are shown and change nothing.
    """
    from juryrank.study.people.participants import participant_rows, participants_csv

    rows = participant_rows(opened(name, storage))
    if as_json:
        emit_json(rows)
    elif out is not None:
        out.write_text(participants_csv(rows), encoding="utf-8", newline="")
    else:
        sys.stdout.write(participants_csv(rows))


def _show(values: dict[str, Any]) -> None:
    for key, value in values.items():
        words = (
            {True: "yes", False: "no", None: "", "": "none"}.get(value, value)
            if not isinstance(value, float)
            else value
        )
        typer.echo(f"{key:<14}{words}")
