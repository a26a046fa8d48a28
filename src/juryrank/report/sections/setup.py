"""What a study assumes and how it was set up."""

from __future__ import annotations

import json

from juryrank.report.alarms import alarm_words
from juryrank.report.document import Block, Grid, Section, Words
from juryrank.report.material import Material
from juryrank.report.view import View
from juryrank.report.words import clean


def assumptions_section(material: Material, view: View) -> Section:
    """What the promise assumes, and what the answers say about it."""
    blocks: list[Block] = [Words(warning, "warn") for warning in view.warnings]
    alarms = [words for words in alarm_words(material) if words not in view.warnings]
    blocks += [Words(words, "warn") for words in alarms]
    cycles = material.ranking.details.get("cycles") or ()
    for cycle in cycles:
        blocks.append(Words(f"The majority goes round in a circle: {' > '.join(map(clean, cycle))}.", "warn"))
    if not blocks:
        quiet = "The monitor found nothing that speaks against the assumptions (which does not prove them)."
        blocks.append(Words(quiet, "good"))
    if view.people:
        blocks.append(
            Words(
                "The result says what most people like these prefer. Whether they are right is another question."
            )
        )
    return Section("Assumptions", tuple(blocks))


def settings_section(material: Material) -> Section:
    """How the study was set up, and how to re-check this report."""
    hidden = {"schema", "items", "judges", "prices", "settings", "edits"}
    rows = [
        (key, _plain(value)) for key, value in material.created.items() if key not in hidden and value is not None
    ]
    rows += [
        ("items", str(len(material.ranking.order))),
        ("judges", str(len(material.ranking.judges))),
        ("events in the log", f"{material.events:,}"),
        ("last event", material.last_at),
        ("hash of the log", material.last_hash),
        ("state", "closed" if material.closed else "running"),
    ]
    return Section("Settings", (Grid(("setting", "value"), tuple((k, v) for k, v in rows if v)),))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
