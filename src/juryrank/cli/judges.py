"""`juryrank judges`: try language models out, look after the cache of their answers."""

from __future__ import annotations

import asyncio
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli import EXIT_DONE, EXIT_NOT_CERTIFIED
from juryrank.cli.common import Json, Storage, emit_json
from juryrank.cli.help import App
from juryrank.cli.study.app import opened
from juryrank.defaults import DEFAULT_STORAGE, PROBE_DRAWS, PROBE_PAIRS, WIDTH
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.judges.models.probe import Probe
    from juryrank.judges.models.settings import ModelSettings

judges_app = App(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="""Language models as judges: try them out before you trust them with money.

[bold]Example[/bold]

  juryrank judges probe judges.toml --list
  juryrank judges probe judges.toml answers.txt --gold gold.csv
  juryrank judges probe judges.toml outputs.jsonl --cases cases.jsonl
  juryrank rank answers.txt --judges judges.toml

A judges file names each model once:

  ask = "Which answer is more helpful and correct?"
  \\[\\[judge]]
  name = "small"
  api = "openai"            # or "anthropic"
  model = "qwen3-8b"
  url = "http://127.0.0.1:8080/v1"
  price = { input = 0.4, output = 1.6 }    # per million tokens

Keys stay in the environment (key_env names the variable).
""",
)
PROBE_HELP = """Try each judge out with a few dozen questions before you pay for many.

Does it answer as asked? Anew each time, or always the same? Does it lean to a
side? The judge sees what juryrank rank would show it of the same files.
--list asks nothing and shows how the judges file is read.

The answers are never evidence. --study keeps the findings in a study's log:
if that study counts every answer as new, its runs refuse a judge that
repeats itself.

[bold]Examples[/bold]

  juryrank judges probe judges.toml --list
  juryrank judges probe judges.toml answers.txt --gold gold.csv
  juryrank judges probe judges.toml outputs.jsonl --cases cases.jsonl

Exit code 3: a judge cannot be used.
"""
CACHE_HELP = """Show or clear the answers that were paid for: the same study, run again, gets them for free.

[bold]Examples[/bold]

  juryrank judges cache
  juryrank judges cache --clear --judge small
"""
File = Annotated[str, typer.Argument(metavar="JUDGES.TOML", help="The judges file.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.add_typer(judges_app, name="judges")


def _list_judges(file: str, *, json_output: bool) -> None:
    from juryrank.judges.models.settings import read_settings

    found = read_settings(file)
    if json_output:
        emit_json([_listed(each) for each in found])
        return
    for each in found:
        price = (
            f"{each.price.input:g} in, {each.price.output:g} out per million tokens" if each.price else "no price"
        )
        key = each.key_name or ("a program" if each.key_command else "")
        unset = " (not set)" if each.key_name and not os.environ.get(each.key_name) else ""
        print(f"{each.name}: {each.api}:{each.model} at {each.address}")
        print(f"  {price}; {_limits(each)}; {f'key from {key}{unset}' if key else 'no key'}")


def _listed(settings: ModelSettings) -> dict[str, Any]:
    """Everything but the key_command, which may itself hold a key."""
    return {**asdict(settings), "address": settings.address, "key_command": bool(settings.key_command)}


def _limits(settings: ModelSettings) -> str:
    rate = settings.rate
    named = {"requests": rate.requests, "tokens": rate.tokens}
    most = " and ".join(f"{number:,} {what}" for what, number in named.items() if number)
    return f"{settings.concurrency} at once" + (f", at most {most} per {rate.window:g} s" if most else "")


@judges_app.command(help=PROBE_HELP)
def probe(
    file: File,
    items: Annotated[
        str | None,
        typer.Argument(
            metavar="ITEMS", help="The items to be judged, or the systems' outputs.", show_default=False
        ),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help="Only list the judges of the file; ask nothing.")
    ] = False,
    cases: Annotated[
        Path | None, typer.Option(help="The cases of these outputs, as for juryrank rank: what was asked for.")
    ] = None,
    missing: Annotated[
        str, typer.Option(help="On cases without an output: 'refuse', or 'leave out' per pair.")
    ] = "refuse",
    gold: Annotated[
        str | None, typer.Option(help="CSV with left, right, winner: pairs whose better item is known.")
    ] = None,
    pairs: Annotated[int, typer.Option(help="How many pairs are asked on both sides.", min=1)] = PROBE_PAIRS,
    money: Annotated[
        float | None, typer.Option(help="The most that each judge's probe may cost; by default no limit.", min=0)
    ] = None,
    draws: Annotated[int, typer.Option(help="How often one pair is asked again.", min=2)] = PROBE_DRAWS,
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep what is found in the log of this study.")
    ] = None,
    storage: Storage = DEFAULT_STORAGE,
    json_output: Json = False,
) -> None:
    from juryrank.cli.items import read_things
    from juryrank.judges.models.gold import read_gold
    from juryrank.judges.models.money import Purse
    from juryrank.judges.models.settings import from_file
    from juryrank.run.rank import catalogue_of

    if only_list:
        _list_judges(file, json_output=json_output)
        return
    if items is None:
        raise BadInput("say what they are asked about: juryrank judges probe JUDGES.TOML ITEMS (or --list)")
    kept = opened(study, storage) if study else None
    judges, things = from_file(file), read_things(items, on_cases=cases is not None, format=None)
    catalogue = catalogue_of(things, cases, missing=missing)
    pairs_known = read_gold(gold) if gold else []
    if money is not None:
        for judge in judges.values():
            judge.begin(scope="", purse=Purse(cap=money))
    how = {"gold": pairs_known, "shown_gold": catalogue.shown_aside, "draws": draws}
    found = asyncio.run(_probed(judges, catalogue.samples(pairs), **how))
    for each in found:
        if kept is None:
            break
        settings = judges[each.judge].settings
        kept.judge(each.judge).note_probe(
            each.to_dict(), model=f"{settings.api}:{settings.model}", cost=each.spent
        )
    if json_output:
        emit_json([each.to_dict() for each in found])
    else:
        for each in found:
            _show(each)
    raise typer.Exit(EXIT_DONE if all(each.usable for each in found) else EXIT_NOT_CERTIFIED)


@judges_app.command(help=CACHE_HELP)
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Forget the answers (of --judge, or all).")] = False,
    judge: Annotated[str | None, typer.Option(help="Only this judge's answers.")] = None,
    json_output: Json = False,
) -> None:
    from juryrank.judges.models.cache import Cache

    kept = Cache()
    gone = kept.clear(judge) if clear else 0
    summary = kept.summary()
    if json_output:
        emit_json({**summary, "cleared": gone})
        return
    if clear:
        print(f"{gone} answers forgotten.")
    for name, count in summary["judges"].items():
        print(f"{name:<24} {count:>8,} answers")
    print(f"{sum(summary['judges'].values()):,} answers, {summary['bytes'] / 1e6:.1f} MB in {summary['path']}")


async def _probed(judges: Any, questions: list[tuple[Any, ...]], **how: Any) -> list[Probe]:
    from juryrank.judges.models.probe import probe as probed

    found = []
    for judge in judges.values():
        found.append(await probed(judge, questions, **how))
        await judge.close()
    return found


def _show(found: Probe) -> None:
    from juryrank.report.words.formats import wrap

    if not found.usable:
        print("\n".join(wrap(f"{found.judge}: cannot be used. {found.problem}", WIDTH)))
        return
    fresh = {True: "yes, answers vary", False: "no, always the same", None: "unknown"}[found.fresh]
    cost = "no price" if found.cost is None else f"{found.cost:.3g}, and {found.spent:.3g} for this probe"
    rows = {
        "answers afresh": fresh,
        "chose the first": found.first,
        "flips with the side": found.flips,
        "tie on identical items": found.ties_on_identical,
        "turned by text in an item": found.turned,
        "right on gold pairs": found.gold,
        "calls, unreadable, refused": f"{found.calls}, {found.failed}, {found.refused}",
        "schema, temperature, logprobs": f"{found.schema}, {found.temperature}, {found.logprobs}",
        "tokens, seconds per question": f"{found.tokens:.0f}, {found.seconds:.2g}",
        "money per question": cost,
    }
    print(f"{found.judge}")
    for name, value in rows.items():
        print(f"  {name:<30} {value}")
    for remark in found.remarks:
        print("\n".join(wrap(f"! {remark}", WIDTH - 2, indent="  ")))
