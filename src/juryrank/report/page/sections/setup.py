"""What a study assumes and how it was set up."""

from __future__ import annotations

import json
from collections.abc import Iterator

from juryrank.rankers import ranker_class, ranker_names
from juryrank.rankers.contract.limits import option_names
from juryrank.report.material import Material
from juryrank.report.page.compose import Block, Grid, Section, Words
from juryrank.report.view import View
from juryrank.report.words.alarms import alarm_words, assumed
from juryrank.report.words.formats import clean

SECONDS = ("lease", "sitting_lease")
NAMES = {
    "error": "δ, the accepted chance of a wrong promise",
    "lease": "time to answer a question",
    "sitting_lease": "time for a sitting",
    "fresh": "judges answer anew each time",
    "budget": "budget in questions",
    "money": "budget in money",
    "reason": "why this ranker",
}
STATES = {"done": "finished", "spent": "the budget is spent", "closed": "closed", "running": "running"}


def assumptions_section(material: Material, view: View) -> Section:
    """What the promise assumes, and what the answers say about it."""
    said = assumed(material.created)
    lead = "" if view.guesses_only else f"{'The' if view.promises else 'A'} promise assumes that "
    told = f"{lead}{'; that '.join(said)}."
    blocks: list[Block] = [Words(told[0].upper() + told[1:])] if said else []
    before = len(blocks)
    blocks += [Words(warning, "warn") for warning in view.warnings]
    alarms = [words for words in alarm_words(material) if words not in view.warnings]
    blocks += [Words(words, "warn") for words in alarms]
    for cycle in material.ranking.details.cycles[1:]:  # the first is in the warnings
        names = [clean(item) for item in (*cycle, cycle[0])]
        blocks.append(Words(f"Another circle: {' over '.join(names)}.", "warn"))
    if len(blocks) == before:
        quiet = "The monitor found no evidence against the assumptions (which does not prove them)."
        blocks.append(Words(quiet, "good"))
    if view.people:
        blocks.append(
            Words(f"The result says what {_whose(material)}. Whether that is right is another question.")
        )
    return Section("Assumptions", tuple(blocks))


def _whose(material: Material) -> str:
    if not material.ranking.details.these_judges:
        return "most people like these prefer"
    return "this judge prefers" if len(material.ranking.judges) == 1 else "most of these judges prefer"


def settings_section(material: Material) -> Section:
    """How the study was set up, and how to re-check this report."""
    rows = [(name, _plain(value)) for name, value in _settings(material) if value not in (None, "", {})]
    rows += [
        ("items", str(len(material.ranking.order))),
        ("judges", str(len(material.ranking.judges))),
        ("events in the log", f"{material.events:,}"),
        ("last event", material.last_at),
        ("hash of the log", material.last_hash),
        ("state", STATES.get(material.state, "closed" if material.closed else "running")),
    ]
    return Section("Settings", (Grid(("setting", "value"), tuple((k, v) for k, v in rows if v)),))


def _settings(material: Material) -> Iterator[tuple[str, object]]:
    """What the study was created with, under names for people."""
    created = material.created
    hidden = {"schema", "items", "judges", "prices", "settings", "edits", "options", "name"}
    hidden |= set() if _has_sittings(created.get("ranker")) else {"sitting_lease"}
    for key, value in created.items():
        if key not in hidden:
            yield NAMES.get(key, key), f"{value:g} s" if key in SECONDS and value is not None else value
    for key, value in (created.get("options") or {}).items():
        yield f"option {key}", "no limit" if (key, value) == ("repeats", None) else value
    prices = (created.get("prices") or {}).values()
    if prices:
        low, high = min(prices), max(prices)
        yield "price of an answer", f"{low:g}" if low == high else f"{low:g} to {high:g}"
    yield "question as asked", clean((created.get("settings") or {}).get("wording") or "")


def _has_sittings(ranker: str | None) -> bool:
    return ranker in ranker_names() and "sitting" in option_names(ranker_class(ranker))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
