"""What a kept ranking is about, by its hashes: what has changed since, and which old answers are about the same.

    settings["source"] = {"items": {name: hash}, "judges": {name: hash}, "cases": {id: hash},
                          "files": {path: hash}}

Where something shown names a file, such as a picture, what is in the file counts, not where it stands.

Old answers never count for new content: an answer is known again only where its judge and everything that the
judge was shown have the hashes that they had then.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import os
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from juryrank.errors import shown
from juryrank.judges.command import CommandJudge
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.recorded import TableJudge
from juryrank.log import Event, answers_taken_back
from juryrank.log.bodies import FAILED, IDENTICAL, RECALLED, REFUSED, WITHDRAWN, Asked, Edited, Told
from juryrank.rankers.choice import IN_WORDS
from juryrank.rankers.contract.roster import answer_of
from juryrank.rankers.jury.options import OVER, listed_claims
from juryrank.run.cases import CaseCatalogue
from juryrank.run.cases.catalogue import KEPT_CASES
from juryrank.run.items import Catalogue
from juryrank.types import Answer, Question

SOURCE = "source"  # the key among a study's settings
OURS = ("judges", "schema", "items", "seed", "settings")  # of a first event: compared by their hashes, or drawn
DERIVED = ("seed_from", KEPT_CASES, "same_outputs")  # options that follow from the content, or say who chose
MOST_FILES = 500  # that a judge is made of; reading thousands would keep everybody waiting
NOBODYS = (IDENTICAL, WITHDRAWN, FAILED)  # sources of answers that no judge gave
Hashes = Mapping[str, str]  # name -> hash
Known = tuple[str, float | None, str]  # an answer: the side, the grade, where it came from


def source_of(catalogue: Catalogue, judges: Mapping[str, Callable[..., Any]]) -> dict[str, dict[str, str]]:
    """The hashes of what is ranked and of who judges."""
    things = {name: catalogue.content(name) for name in catalogue.names}
    cases = catalogue.cases.values() if isinstance(catalogue, CaseCatalogue) else ()
    files = _files_among(set(_words([things, [case.input for case in cases]])))
    source = {
        "items": {name: _hash(_with_contents(thing, files)) for name, thing in things.items()},
        "judges": {name: _hash(what_judges(judge)) for name, judge in judges.items()},
    }
    if isinstance(catalogue, CaseCatalogue):
        source["cases"] = {
            case.id: _hash(replace(case, input=_with_contents(case.input, files))) for case in cases
        }
    return {**source, "files": files} if files else source


def settings_in(events: Sequence[Event]) -> dict[str, Any]:
    """The settings of a study after these events."""
    known = dict(events[0].data.get("settings") or {})
    for event in events[1:]:
        if isinstance(event.body, Edited):
            known |= event.body.settings or {}
    return known


def may_change_unseen(judge: Callable[..., Any]) -> bool:
    """Is it a program or a function? Either may use what no hash of its files shows."""
    return not isinstance(judge, ModelJudge | TableJudge)


def what_judges(judge: Callable[..., Any]) -> Any:
    """What decides a judge's answers, as far as that can be seen: a command and its files, a function's module,
    and what Python files import from their own folder.

    Of a model it is the address, the model and its settings, and the prompt; of a function typed in, its code.
    """
    if isinstance(judge, ModelJudge):
        return [judge.settings.identity(), judge.settings.sides]
    if isinstance(judge, CommandJudge):
        return [judge.words, [_contents(Path(file)) for file in judge.files]]
    if isinstance(judge, TableJudge):
        return ["table", judge.digest]
    if isinstance(judge, partial):
        return [what_judges(judge.func), repr(judge.args), repr(sorted(judge.keywords.items()))]
    name, module = getattr(judge, "__qualname__", repr(type(judge))), inspect.getmodule(judge)
    file = getattr(module, "__file__", None)
    if file is None and inspect.isfunction(judge):
        return [name, _code(judge.__code__)]
    return [
        name,
        None if file is None else _contents(Path(file), depth=getattr(module, "__name__", "").count(".")),
    ]


def _code(code: CodeType) -> list[Any]:
    """What a function does, without where it was typed."""
    constants = [_code(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return [code.co_code.hex(), code.co_names, constants]


def _contents(file: Path, *, depth: int = 0) -> list[str]:
    """A file and, where it is Python's, what it imports from its folder, directly or along others; the folder is
    `depth` packages up. Files of Python itself and of installed packages stand alone."""
    depth += file.name == "__init__.py"
    folder = file.parents[min(depth, len(file.parents) - 1)].resolve()
    found = [file.resolve()]
    if file.suffix == ".py" and str(folder) not in sysconfig.get_paths().values():
        for here in found:  # it grows
            imported = dict.fromkeys(_imported(here, (folder, Path.cwd())))
            found += [each for each in imported if each not in found]
            if len(found) > MOST_FILES:
                break
    return [_content(each) for each in found]


def _imported(file: Path, folders: Sequence[Path]) -> Iterator[Path]:
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            wanted = [(folders, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            roots = [file.parents[node.level - 1]] if 0 < node.level <= len(file.parents) else folders
            module = f"{node.module}." if node.module else ""
            wanted = [(roots, module + alias.name) for alias in node.names]
        else:
            continue
        for roots, name in wanted:
            yield from _module_files(roots, name.split("."))


def _module_files(roots: Sequence[Path], parts: Sequence[str]) -> Iterator[Path]:
    """The files of a dotted name and of the packages it stands in; the last part may be no module."""
    for root in roots:
        for k in range(len(parts) + 1):
            base = root.joinpath(*parts[:k])
            for each in (base / "__init__.py", *([base.with_suffix(".py")] if k else [])):
                if os.path.isfile(each):
                    yield each.resolve()


def _content(file: Path) -> str:
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except OSError:
        return ""


def _files_among(words: Iterable[str]) -> dict[str, str]:
    """The words that name files, with the hashes of these. Folders are listed once: words are many, files few."""
    listed: dict[str, set[str]] = {}
    found = {}
    for word in words:
        folder, name = os.path.split(word)
        if folder not in listed:
            try:
                listed[folder] = {entry.casefold() for entry in os.listdir(folder or ".")}
            except (OSError, ValueError):  # no folder, or no path at all
                listed[folder] = set()
        if name.casefold() in listed[folder] and os.path.isfile(word):
            found[word] = _content(Path(word))
    return dict(sorted(found.items()))


def _words(thing: Any) -> Iterator[str]:
    """Every text in a thing."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Mapping):
        yield from _words(list(thing.values()))
    elif isinstance(thing, list | tuple):
        for each in thing:
            yield from _words(each)


def _with_contents(thing: Any, files: Hashes) -> Any:
    """The thing with the hashes of files in the place of their paths."""
    if isinstance(thing, str):
        return files.get(thing, thing)
    if isinstance(thing, Mapping):
        return {key: _with_contents(value, files) for key, value in thing.items()}
    return [_with_contents(each, files) for each in thing] if isinstance(thing, list | tuple) else thing


def _hash(thing: Any) -> str:
    text = thing if isinstance(thing, str) else json.dumps(thing, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


# ----------------------------------------------------------------------------
# What has changed
@dataclass(frozen=True, slots=True)
class Change:
    """Names that came in, went, or have other content now."""

    what: str  # "items", "cases" or "judges"
    added: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]

    @classmethod
    def of(cls, what: str, before: Mapping[str, Hashes], now: Mapping[str, Hashes]) -> Change:
        """What is different now.

        >>> Change.of("items", {"items": {"a": "1", "b": "2"}}, {"items": {"b": "3", "c": "4"}}).words
        ["item 'c' came in", "item 'a' went", "item 'b' changed"]
        """
        old, new = before.get(what, {}), now.get(what, {})
        return cls(
            what,
            tuple(name for name in new if name not in old),
            tuple(name for name in old if name not in new),
            tuple(name for name in new if name in old and new[name] != old[name]),
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.gone or self.changed)

    @property
    def words(self) -> list[str]:
        said = []
        for names, happened in ((self.added, "came in"), (self.gone, "went"), (self.changed, "changed")):
            if names:
                some = ", ".join(shown(name) for name in names[:3])
                more = f" and {len(names) - 3} more" if len(names) > 3 else ""
                said.append(f"{self.what[:-1] if len(names) == 1 else self.what} {some}{more} {happened}")
        return said


def changed_settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Options of two first events that differ, in words."""
    old, new = _options(before), _options(now)
    if old["ranker"] != new["ranker"]:
        before, after = (IN_WORDS.get(each["ranker"], each["ranker"]) for each in (old, new))
        yield f"something else is asked for: {before} then, {after} now"
        return
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key) and key == "forecast":
            yield _changed_forecast(old.get(key) or {}, new.get(key) or {})
        elif old.get(key) != new.get(key):
            were, are = ("were", "are") if key == "prices" else ("was", "is")
            then, now_ = ("not set" if each.get(key) is None else shown(each[key]) for each in (old, new))
            yield f"{key} {were} {then} and {are} {now_}"


def _changed_forecast(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old and new and old["root"] != new["root"]:
        return "the forecasts have changed, and their hash is on record"
    was, is_ = (f"by {shown(each['by'])}" if each else "not there" for each in (old, new))
    return f"forecasts were {was} and are {is_}"


def _options(created: Mapping[str, Any]) -> dict[str, Any]:
    """All of them, by the names under which `rank` takes them."""
    chosen = {key: value for key, value in created.items() if key not in (*OURS, "options", "lease")}
    more = {key: value for key, value in (created.get("options") or {}).items() if key not in DERIVED}
    known: dict[str, Any] = json.loads(json.dumps({**chosen, **more}))
    objective, claims = known.pop("objective", None), listed_claims(known.pop("require", None) or ())
    words = (claim if isinstance(claim, str) else OVER.join(map(str, claim)) for claim in claims)
    return {**known, "goal": "; ".join(words) or objective, "within": known.pop("resolution", None)}


# ----------------------------------------------------------------------------
# Answers about the same
@dataclass(slots=True)
class Recall:
    """Answers of earlier rankings, found by what their judges are and were shown.

    Only for judges who are asked the same once: an answer that is drawn anew each time counts where it was drawn.
    `either`: an answer to a pair is one to the pair turned round.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)  # of the ranking that is under way
    either: bool = False
    _known: dict[tuple[str, ...], Known] = field(default_factory=dict)

    def learn(self, events: Sequence[Event]) -> None:
        """Take in the answers of an earlier ranking."""
        settings, asked = settings_in(events), dict[int, Asked]()
        out, _ = answers_taken_back(events)
        for event in events:
            body = event.body
            if isinstance(body, Asked):
                asked[body.q] = body
            elif isinstance(body, Told) and event.seq not in out and body.source not in NOBODYS:
                one = asked[body.q]
                if not one.shown and (key := _key(settings, one.judge, one.left, one.right, one.case)):
                    source = REFUSED if body.source == REFUSED else RECALLED
                    self._known[key] = body.answer, body.grade, source

    def __call__(self, question: Question) -> tuple[Answer, str] | None:
        """The answer to this question and where it comes from, if it was given before."""
        if not self._known or question.shown:
            return None
        turned = replace(question, left=question.right, right=question.left)
        for one in (question, turned)[: 1 + self.either]:
            case = None if one.case is None else str(one.case)
            found = self._known.get(_key(self.settings, str(one.judge), str(one.left), str(one.right), case))
            if found is not None and (one is question or found[1] is None):
                return answer_of(one, *found[:2]), found[2]
        return None


def _key(settings: Mapping[str, Any], judge: str, left: str, right: str, case: str | None) -> tuple[str, ...]:
    """What a question is, by hashes; empty: that is not known."""
    source = settings.get(SOURCE) or {}
    outputs = (settings.get(KEPT_CASES) or {}).get("outputs")
    try:
        files = source.get("files") or {}
        given = [
            _hash(_with_contents(outputs[name][case], files)) if outputs else source["items"][name]
            for name in (left, right)
        ]
        return source["judges"].get(judge, ""), *given, "" if case is None else source["cases"][case]
    except KeyError:
        return ()
