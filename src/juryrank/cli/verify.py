"""`juryrank verify`: re-check a certificate from its raw events."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json
from juryrank.defaults import CERTIFICATE_BYTES, WIDTH
from juryrank.errors import BadInput, UnknownStudy
from juryrank.log.receipts import checked_key
from juryrank.quoting import in_sentence, visible
from juryrank.report.words.formats import columns, pad, wrap
from juryrank.statements import evidence_of, missing_words, needed_at
from juryrank.statements.cases import CasesPromise
from juryrank.statements.numbers import number_of
from juryrank.statements.promises import CountedPromise
from juryrank.types import Link
from juryrank.verify import Check, Report, read_certificate, verify

if TYPE_CHECKING:
    from juryrank.study import Study


HELP = """Recompute a result from the raw events in its certificate: is everything it promises true?

Reads every question and answer, works out anew what they prove, and compares
it with the file: every claim, level, count and word. The checker shares no
code with the rankers. Estimates (an order that is not proven yet, accuracies,
forecasts) promise nothing and are compared by --rerun only.

[bold]Examples[/bold]

  juryrank verify result.json
  juryrank verify result.json --rerun
  juryrank verify result.json --storage sqlite:///juryrank.db
  juryrank verify result.json --receipt 17-VOV2-XK5L-VOV2-XK5L

Exit codes: 0 true, and what was asked for is proven; 3 true, but not proven
(yet); 4 true, and what was required is refuted; 2 not true, or not a
certificate. docs/verify.md says what a certificate proves, and what no
checker can see.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", help=HELP)(verify_command)


def verify_command(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE.json", help="The file to check; - for stdin.")
    ],
    rerun: Annotated[
        bool,
        typer.Option(
            "--rerun",
            help="Also play the log through the ranker: same questions, same estimates.",
        ),
    ] = False,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="The public key that must have signed it.")
    ] = None,
    receipt: Annotated[
        str | None, typer.Option(metavar="CODE", help="A judge's receipt: is it in this log?")
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            help="Compare with the study's own log, in this storage: a forger may re-forge a whole file."
        ),
    ] = None,
    study: Annotated[
        str | None, typer.Option(help="The study's name there; by default the one with the same beginning.")
    ] = None,
    as_json: Json = False,
) -> None:
    from juryrank.cli import EXIT_DONE, EXIT_MISUSE, EXIT_NOT_CERTIFIED, EXIT_REFUTED

    document = read_certificate(_text_of(certificate))
    head = None
    if storage is not None:
        head = _own_hash(document, storage=storage, study=study)
    pinned = None if key is None else checked_key(key)
    report = verify(document, head=head, rerun=rerun, key=pinned, receipt=receipt)
    if as_json:
        # escaped, so that no name in the file reaches a terminal as it is
        sys.stdout.write(json.dumps(report.to_dict(), ensure_ascii=True, indent=2) + "\n")
    else:
        typer.echo(report_text(report), nl=False)
    if report.refuted:
        raise typer.Exit(EXIT_REFUTED)
    raise typer.Exit(EXIT_DONE if report.proven else EXIT_NOT_CERTIFIED if report.true else EXIT_MISUSE)


def _text_of(path: Path) -> str:
    try:
        if str(path) == "-":
            return sys.stdin.buffer.read(CERTIFICATE_BYTES).decode("utf-8")
        if path.is_char_device():  # /dev/zero has no end
            raise BadInput(f"{path} is a device, so it is not a certificate; name a certificate file")
        with path.open("rb") as file:
            return file.read(CERTIFICATE_BYTES).decode("utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}; name a certificate file") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text, so it is not a certificate; name a certificate file") from None


def _own_hash(document: Mapping[str, Any], *, storage: str, study: str | None) -> str:
    """The hash of the certificate's last event in the study's own log; empty where that log is shorter."""
    from juryrank.study import open_study

    events = document["events"]
    own = open_study(study, storage=storage) if study else _same_beginning(events[0]["hash"], storage)
    for event in own.events(after=len(events) - 1):
        return event.hash
    return ""


def _same_beginning(first: str, storage: str) -> Study:
    from juryrank.storage.values import without_password
    from juryrank.study import list_studies, open_study

    for row in list_studies(storage=storage):
        study = open_study(row.name, storage=storage)
        if next(iter(study.events())).hash == first:
            return study
    raise UnknownStudy(
        f"no study in {without_password(storage)} begins with this certificate's first event: it is from another "
        "storage, or the whole file was forged. Name the study with --study NAME to compare it all the same."
    )


# ----------------------------------------------------------------------------
# A verification report as terminal text, good at 80 columns.
#
# Nothing from a file reaches the terminal as it is: `safe` shows every invisible character as its number, so that
# no name can move the cursor, change a colour, turn the writing direction, or draw a verdict of its own.
NAME_COLUMN = 12  # or what the longest name takes
LINKS_SHOWN = 30  # more than this: only the least certain ones
JUDGES_SHOWN = 12
ORDER_SHOWN = 40
ITEM_MOST = 22
LONGEST = 2000  # characters of one text: the longest statement has under half of it
VERDICTS = {
    "certified": ("green", "TRUE AND CERTIFIED"),
    "proven": ("green", "TRUE, AND WHAT WAS ASKED FOR IS PROVEN"),
    "refuted": ("yellow", "TRUE, AND WHAT WAS REQUIRED IS REFUTED"),
    "level": ("green", "TRUE, AND COUNTED: NOTHING SEPARATES THE ITEMS"),
    "partial": ("yellow", "TRUE, NOT CERTIFIED AS A WHOLE"),
    "nothing": ("yellow", "TRUE, BUT NOTHING IS PROVEN"),
    "unsettled": ("yellow", "TRUE, BUT NO PAIR IS SETTLED"),
    "false": ("red", "NOT TRUE"),
}


def safe(text: object) -> str:
    """A text on one line, with every character that cannot be seen shown as its number.

    >>> safe("a\\x1b[31mb"), safe("two\\nlines"), safe("abc\\u202ecba"), safe("\\u2800")
    ('a<1B>[31mb', 'two lines', 'abc<202E>cba', '<2800>')
    """
    line = "".join(" " if c in "\n\t\r" else c for c in str(text)[:LONGEST])
    return " ".join(visible(line).split())


def report_text(report: Report) -> str:
    """What was checked, each link's evidence, what is not checked, the verdict."""
    parts = [
        _title(report),
        _checks(report.checks),
        _links(report),
        _judges(report.result.get("judges", ())),
        _section("Edited after answers were seen: nothing is promised", report.post_hoc),
        _section("Note", report.notes),
        _promised(report),
        _estimates(report),
        _verdict(report),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _title(report: Report) -> list[str]:
    counted = report.result.get("counts")
    words = f"Certificate by the ranker {safe(report.ranker)}, δ = {report.error}"
    if counted:
        words += (
            f": {number_of(counted['items'], 'item')}, {number_of(counted['judges'], 'judge')}, "
            f"{number_of(counted['asked'], 'question')}, {number_of(counted['events'], 'event')}"
        )
    return wrap(words, WIDTH)


def _checks(checks: Sequence[Check]) -> list[str]:
    lines = ["Checked, from the raw events"]
    room = max(NAME_COLUMN, *(len(check.name) + 1 for check in checks))
    for check in checks:
        mark = typer.style("✓", fg="green") if check.ok else typer.style("✗", fg="red", bold=True)
        first, *more = wrap(safe(check.words), WIDTH - room - 4) or [""]
        lines.append(f"  {mark} {check.name:<{room}}{first}")
        lines += [" " * (room + 4) + line for line in more]
    return lines


def _links(report: Report) -> list[str]:
    if not report.links:
        return []
    level = report.links[0].level
    needed = f"; {needed_at(level)} proves one" if level else ""
    shown, rest = list(report.links), 0
    if len(shown) > LINKS_SHOWN:
        least_first = sorted(shown, key=lambda link: link.evidence or 0.0)
        kept = set(map(id, least_first[:LINKS_SHOWN]))
        shown, rest = [link for link in shown if id(link) in kept], len(shown) - LINKS_SHOWN
    widest = max(columns(safe(item)) for link in shown for item in (link.better, link.worse))
    room = min(widest, ITEM_MOST)
    lines = [f"Evidence, recomputed answer by answer{needed}", *(_link(link, room) for link in shown)]
    return [*lines, f"  ... and {rest} links with more evidence (--json shows all)"] if rest else lines


def _link(link: Link, room: int) -> str:
    mark = typer.style("✓", fg="green") if link.settled else typer.style("·", dim=True)
    names = f"{pad(safe(link.better), room)} over {pad(safe(link.worse), room)}"
    evidence = "-" if link.evidence is None else evidence_of(link.evidence)
    return f"  {mark} {names} {evidence:>9}  {link.answers_for:>3} for {link.answers_against:>3} against"


def _judges(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What became of each judge's questions; of many judges those with most undos, skips and expiries."""
    if not rows:
        return []
    left_out = sorted(rows, key=lambda row: -(row["undone"] + row["skips"] + row["expired"]))
    kept = set(map(id, left_out[:JUDGES_SHOWN]))
    room = min(max(4, *(columns(safe(row["judge"])) for row in rows if id(row) in kept)), ITEM_MOST)
    lines = [f"{pad('Judges', room + 2)}  asked  chosen  ties  skips  expired  late  undone"]
    for row in rows:
        if id(row) in kept:
            lines.append(
                f"  {pad(safe(row['judge']), room)}  {row['asked']:>5}  {row['chosen']:>6}  {row['ties']:>4}  "
                f"{row['skips']:>5}  {row['expired']:>7}  {row['late']:>4}  {row['undone']:>6}"
            )
    rest = len(rows) - len(kept)
    return [*lines, f"  ... and {rest} more judges (--json shows all)"] if rest > 0 else lines


def _section(title: str, lines: Iterable[str]) -> list[str]:
    bullets = []
    for words in lines:
        first, *more = wrap(safe(words), WIDTH, indent="    ")
        bullets += [f"  - {first.lstrip()}", *more]
    return [title, *bullets] if bullets else []


def _promised(report: Report) -> list[str]:
    """What is proven: the whole order, or the ranks that items can still have."""
    if not report.true:
        return []
    if report.certified:
        return [f"Proven order{_condition(report)}", *_listed(report.order)]
    spans = {item: (best, worst) for item, best, worst in report.result.get("ranges", ())}
    narrow = [item for item in report.order if item in spans and spans[item] != (1, len(spans))]
    ranks = [f"{_name(item)} {spans[item][0]}-{spans[item][1]}" for item in narrow]
    lines = ["Proven ranks (best-worst)", *_listed(ranks, names=False)] if ranks else []
    for top in report.result.get("details", {}).get("lines", ()):
        lines += wrap(f"Proven line below {', '.join(_name(item) for item in top)}", WIDTH, indent="  ")
    return lines


def _condition(report: Report) -> str:
    """Where only neighbours are proven: when the rest follows."""
    if isinstance(report.promise, CasesPromise):
        return ' (if "at least as good" is transitive)'
    pairs = len(report.order) * (len(report.order) - 1) // 2
    if isinstance(report.promise, CountedPromise) and len(report.result["claims"]) < pairs:
        return " (each over the next; the rest follows if these judges go in no circle)"
    return ""


def _name(item: str) -> str:
    """A name from the file among others: none of them can be read as a verdict."""
    return in_sentence(item)


def _listed(entries: Sequence[str], *, names: bool = True) -> list[str]:
    shown = [_name(entry) if names else entry for entry in entries[:ORDER_SHOWN]]
    more = f" ... and {len(entries) - ORDER_SHOWN} more" if len(entries) > ORDER_SHOWN else ""
    return wrap(", ".join(shown) + more, WIDTH, indent="  ")


def _estimates(report: Report) -> list[str]:
    """The order shown, where it is not proven: a best guess that nobody checks."""
    if report.certified or not report.true or not report.order:
        return []
    again = any(check.name == "estimates again" for check in report.checks)
    claimed = {(better, worse) for better, worse, *_ in report.result.get("claims", ())}
    place = {item: k for k, item in enumerate(report.order)}
    if any(place.get(better, -1) > place.get(worse, len(place)) for better, worse in claimed):
        return ["Order shown: a best guess, as what is proven goes in a circle", *_listed(report.order)]
    if len(report.order) > 1 and claimed.issuperset(pairwise(report.order)):
        return ["Order shown: each over the next is proven, as stated below", *_listed(report.order)]
    title = "Order shown: beyond what is proven an estimate, " if report.proven else "Order shown: an estimate, "
    title += "the same when the ranker is run again" if again else "unchecked (--rerun compares it)"
    return [title, *_listed(report.order)]


def _stands(result: Mapping[str, Any]) -> list[str]:
    """That missing answers could change nothing; where they could, the statement says so."""
    missing = result.get("missing")
    return [missing_words(missing["answers"], stands=True)] if missing and missing["stands"] else []


def _kind(report: Report) -> str:
    """The verdict, and whether it is about any pair."""
    if report.result.get("claims") or _promised(report) or len(report.order) < 2:
        return report.verdict
    counted = isinstance(report.promise, CountedPromise)
    return {"partial": "unsettled" if counted else "nothing", "proven": "level"}.get(
        report.verdict, report.verdict
    )


def _verdict(report: Report) -> list[str]:
    colour, words = VERDICTS[_kind(report)]
    lines = [typer.style(f"Verdict: {words}", fg=colour, bold=True)]
    for failure in report.failures:
        lines += wrap(safe(f"{failure.name}: {failure.words}"), WIDTH, indent="  ")
    if report.true:
        lines += wrap(safe(" ".join([report.statement, *_stands(report.result)])), WIDTH, indent="  ")
    return [*lines, f"  head {safe(report.head)}"]
