"""Systems and cases as the caller has them: what a judge is shown, and what its answer means."""

from __future__ import annotations

import hashlib
import json
import string
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, Final

from juryrank.defaults import CASE_CHARACTERS
from juryrank.errors import BadAnswer, BadInput, shown
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.ordering import Lettered, Ordered
from juryrank.judges.recorded import TableJudge
from juryrank.options import TOGETHER
from juryrank.quoting import in_sentence
from juryrank.rankers.jury.options import listed_claims, read_required
from juryrank.run.cases.case import Case, distinct_cases, read_cases
from juryrank.run.cases.outputs import FoundOutputs, OutputFiles, Outputs, check_systems, read_outputs
from juryrank.run.items import Catalogue, same
from juryrank.types import Answer, Grade, NonVote, Order, Question

ALONE = (
    "everything recorded is against {centre}: which of two others is better cannot be proven from it; name a "
    "claim that can, as 'NAME over {centre}'"
)
MISSING = ("refuse", "leave out")


class CaseCatalogue(Catalogue):
    """Systems with their outputs per case.

    >>> catalogue = case_catalogue({"new": {"q": "4"}, "old": {"q": "5"}}, [{"id": "q", "input": "2 + 2?"}])
    >>> catalogue.shown_for(Question(1, "m", "old", "new", case="q"))
    ('5', '4', '2 + 2?')
    """

    def __init__(self, items: Any, cases: Sequence[Case], outputs: Outputs | None) -> None:
        super().__init__(items)
        self.cases = {case.id: case for case in cases}
        self.outputs = outputs
        self.tables: list[TableJudge] = []  # of judges who answer from a file
        self.together = False  # does one call show all outputs of a case?

    def replay(self, judges: Mapping[str, Any], *, sides: str | None = None, at_once: str | None = None) -> None:
        """Keep to what is recorded, where judges answer from files."""
        self.together = at_once == TOGETHER
        if self.together:
            _check_orders(judges)
        self.tables = [judge for judge in judges.values() if isinstance(judge, TableJudge)]
        if sides is not None and (sides == "recorded") != bool(self.tables):
            raise BadInput(
                f"sides is {sides!r}; it is 'recorded' where the judges are recorded tables, and only there"
            )
        if self.tables and len(self.tables) < len(judges):
            raise BadInput(
                "recorded tables and judges who are asked cannot be mixed: what is recorded has its own sides and "
                "gaps; rank with the tables alone, or with the others alone"
            )
        if self.tables and not any(
            self._recorded(a, b, c) for a, b in combinations(self.names, 2) for c in self.cases
        ):
            table = self.tables[0]
            raise BadInput(
                f"{table.source} has no answer about these systems and cases. It compares {_some(table.items)} on "
                f"{_some(table.cases)}; here are {_some(self.names)} on {_some(list(self.cases))}. Names must "
                "be the same: NAME=FILE renames a system"
            )

    def beyond_proof(self, goal: str | Sequence[str] | None) -> str:
        """What no answer in the files can prove, said before the first is asked for; empty: nothing is known."""
        if (
            not self.tables
            or len(self.names) < 3
            or " over " in (goal if isinstance(goal, str) else "".join(goal or ()))
        ):
            return ""
        pairs = [pair for pair in combinations(self.names, 2) if any(self._recorded(*pair, c) for c in self.cases)]
        centre = next((name for name in self.names if all(name in pair for pair in pairs)), None)
        return "" if centre is None else ALONE.format(centre=in_sentence(centre))

    def _recorded(self, one: str, other: str, case: str) -> bool:
        """Has every table this cell?"""
        return all(table.has(one, other, case) for table in self.tables)

    def output(self, name: Any, case: str | None) -> Any:
        """What a system gave for a case: the thing itself where systems have no outputs."""
        return self.shown(name) if self.outputs is None or case is None else self.outputs[name][case]

    def shown_for(self, question: Question) -> tuple[Any, ...]:
        if question.shown:
            return list(self.outputs_shown(question)), self.cases[str(question.case)].input
        left, right = self.output(question.left, question.case), self.output(question.right, question.case)
        return left, right, self.cases[str(question.case)].input

    def outputs_shown(self, question: Question) -> list[Any]:
        """The outputs of all that are shown together, each once: those that are the same are equal anyway."""
        found: list[Any] = []
        for name in question.shown:
            output = self.output(name, question.case)
            if not any(same_output(output, other) for other in found):
                found.append(output)
        return found

    def shown_aside(self, left: str, right: str, case: str | None) -> tuple[Any, ...]:
        known = self.cases.get(case or "")
        return left, right, case if known is None else known.input

    def everything(self) -> Iterator[Any]:
        yield from super().everything()
        yield from self.cases.values()
        for name, outputs in (self.outputs or {}).items():
            yield from ((name, case, output) for case, output in outputs.items())

    def content(self, name: str) -> Any:
        return super().content(name) if self.outputs is None else self.outputs[name]

    def identical(self, question: Question) -> bool:
        """Are the two outputs the same? Then there is nothing to ask."""
        if self.outputs is None or self.tables:  # what is recorded was asked
            return False
        if question.shown:
            return len(self.outputs_shown(question)) == 1
        left, right, _ = self.shown_for(question)
        return left is right or same(left, right)

    def to_ask(self) -> Iterator[Question]:
        pairs, cases = list(combinations(self.names, 2)), list(self.cases)
        for case in cases if self.together else ():
            there = tuple(name for name in self.names if self.outputs is None or case in self.outputs[name])
            question = Question(0, "", self.names[0], self.names[-1], case=case, shown=there)
            if len(there) > 1 and not self.identical(question):
                yield question
        for shift in range(0 if self.together else len(cases)):
            for place, (left, right) in enumerate(pairs):  # the next one is another pair on another case
                question = Question(0, "", left, right, case=cases[(place + shift) % len(cases)])
                if self._both_have(question) and not self.identical(question):
                    yield question

    def _both_have(self, question: Question) -> bool:
        outputs, case = self.outputs, str(question.case)
        return outputs is None or (case in outputs[str(question.left)] and case in outputs[str(question.right)])

    def same_outputs(self, require: Any = ()) -> int:
        """How often two systems gave the same output for a case: a pair on a case that nobody is asked about.

        Of pairs that a claim is required of, if any is.
        """
        if self.outputs is None or self.tables:
            return 0
        if pairs := required_pairs(require, self.names):
            return sum(self._same(pair, case) for pair in pairs for case in self.cases)
        given = [[out[case] for out in self.outputs.values() if case in out] for case in self.cases]
        return sum(map(_same_pairs, given))

    def _same(self, pair: tuple[Any, Any], case: str) -> bool:
        question = Question(0, "", *pair, case=case)
        return self._both_have(question) and self.identical(question)

    def not_recorded(self) -> list[list[Any]]:
        """(system, system, cases without a recorded answer), for the ranker."""
        rows = (
            [a, b, [c for c in self.cases if not self._recorded(a, b, c)]] for a, b in combinations(self.names, 2)
        )
        return [row for row in rows if row[2]]

    def answer(self, question: Question, said: Any) -> Answer:
        """A judge's answer: one of the two outputs, TIE, SKIP, or a Grade (positive for the left one)."""
        if isinstance(said, NonVote) or (isinstance(said, Grade) and not question.shown):
            return said
        if question.shown:
            return self.order(question, said)
        left, right, _ = self.shown_for(question)
        for output, name in ((left, question.left), (right, question.right)):
            if said is output:
                return name
        for output, name in ((left, question.left), (right, question.right)):
            if same(said, output):
                return name
        raise BadAnswer(
            f"answered {shown(said)}, which is neither of the two outputs it was shown, nor TIE, SKIP or a Grade; "
            "give back the argument itself: `return left`"
        )

    def order(self, question: Question, said: Any) -> Order:
        """The order of the systems, from that of their outputs: a list, best first; inner lists are ties."""
        if isinstance(said, Ordered):
            by_label = self.labelled(question)
            said = [[by_label[label] for label in tier] for tier in said.tiers]
        if not isinstance(said, list | tuple):
            raise BadAnswer(
                f"answered {shown(said)}; give back the outputs as a list, best first (inner lists are ties)"
            )
        outputs = self.outputs_shown(question)
        left = list(range(len(outputs)))
        tiers = []
        for part in said:
            whole = _place_of(part, outputs, left)
            inner = [part] if whole is not None or not isinstance(part, list | tuple) else part
            tier = []
            for output in inner:
                at = _place_of(output, outputs, left)
                if at is None:
                    raise BadAnswer(f"the order names {shown(output)}, which was not shown, or twice")
                left.remove(at)
                tier += [n for n in question.shown if same_output(self.output(n, question.case), outputs[at])]
            tiers.append(tuple(tier))
        if left:
            raise BadAnswer(f"the order leaves out {shown(outputs[left[0]])}; it must hold each output once")
        return Order(tuple(tier for tier in tiers if tier))

    def lettered_for(self, question: Question) -> tuple[Any, ...]:
        shown = self.shown_for(question)
        return (self.labelled(question), *shown[1:]) if question.shown else shown

    def labelled(self, question: Question) -> Lettered:
        """What is shown together, under letters that the cell alone decides: the same when it is asked again."""
        outputs = self.outputs_shown(question)
        cell = [LABELS, str(question.judge), question.case, *map(str, question.shown)]
        letters = sorted(string.ascii_uppercase[: len(outputs)], key=lambda letter: _mark([*cell, letter]))
        return Lettered(zip(letters, outputs, strict=True))


def _check_orders(judges: Mapping[str, Any]) -> None:
    """Refuse judges who cannot put all outputs in order."""
    for name, judge in judges.items():
        if isinstance(judge, TableJudge):
            raise BadInput("a recorded table holds answers about pairs, so at_once='all' has none; leave it out")
        settings = judge.settings if isinstance(judge, ModelJudge) else None
        if settings is not None and (settings.template or settings.sides == "both"):
            what = "template" if settings.template else "sides"
            raise BadInput(f"judge {shown(name)} has a {what}, which is for two outputs; at_once='all' shows all")


LABELS = "juryrank labels"  # what that hash is for


def _mark(parts: list[Any]) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def same_output(one: Any, other: Any) -> bool:
    return one is other or same(one, other)


def _place_of(said: Any, outputs: Sequence[Any], left: Sequence[int]) -> int | None:
    return next((at for at in left if same_output(said, outputs[at])), None)


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:3])) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _same_pairs(things: Sequence[Any]) -> int:
    """How many pairs of these are the same.

    >>> _same_pairs(["a", "b", "a", "a"]), _same_pairs([[1], [1], [2]])
    (3, 1)
    """
    if all(isinstance(thing, str) for thing in things):  # many systems: no need to compare each with each
        return sum(comb(times, 2) for times in Counter(things).values())
    return sum(one is other or same(one, other) for one, other in combinations(things, 2))


def case_catalogue(systems: Any, cases: Any, *, missing: str = "refuse") -> CaseCatalogue:
    """Systems and cases, checked: every system has an output for every case, unless `missing` says otherwise."""
    if missing not in MISSING:
        raise BadInput(f"missing is {missing!r}; it is one of: {', '.join(MISSING)}")
    outputs = read_outputs(systems)
    if outputs is not None and isinstance(systems, str | Path | OutputFiles):
        check_systems(outputs, least=2, where=systems)
    if cases is None and outputs is not None:
        found = distinct_cases(_own_cases(outputs))
    else:
        found = read_cases(cases)
    if outputs is None:
        return _plain(systems, found)
    _check_outputs(outputs, found, missing)
    return CaseCatalogue(list(outputs), found, outputs)


def _own_cases(outputs: Outputs) -> Iterator[Case]:
    """The cases of the outputs themselves; files may know more of them than the name."""
    known = outputs if isinstance(outputs, FoundOutputs) else FoundOutputs()
    for name in dict.fromkeys([*known.inputs, *(case for given in outputs.values() for case in given)]):
        yield Case(name, known.inputs.get(name, name), known.groups.get(name))


def _plain(systems: Any, cases: Sequence[Case]) -> CaseCatalogue:
    """Systems without outputs: judges see the things themselves, and not the names that a mapping gives them."""
    if not isinstance(systems, Mapping):
        return CaseCatalogue(systems, cases, None)
    things = list(systems.values())
    if things and all(isinstance(thing, list | tuple) and len(thing) == len(cases) for thing in things):
        raise BadInput(
            "each system is a list with as many things as there are cases; say which output is for which case: "
            "{system: {case: output}}"
        )
    catalogue = CaseCatalogue([str(name) for name in systems], cases, None)
    catalogue.show(dict(zip(catalogue.names, things, strict=True)))
    return catalogue


def _check_outputs(outputs: Outputs, cases: Sequence[Case], missing: str) -> None:
    known = {case.id for case in cases}
    for name, given in outputs.items():
        lacking = [case.id for case in cases if case.id not in given]
        if lacking and missing == "refuse":
            others = f" (and for {len(lacking) - 1:,} more)" if len(lacking) > 1 else ""
            raise BadInput(
                f"system {shown(name)} has no output for case {shown(lacking[0])}{others}; give it one, leave the "
                "case out, or say missing='leave out' to compare a pair where both have it"
            )
        if not known & given.keys():
            raise BadInput(f"system {shown(name)} has no output for any case; do the case ids match?")
    if beside := [
        name for name in dict.fromkeys(case for given in outputs.values() for case in given) if name not in known
    ]:
        which = "is" if len(beside) == 1 else "are"
        warnings.warn(
            f"not asked about: outputs for {_some(beside)}, which {which} not among the cases", stacklevel=2
        )


def absent_cases(catalogue: CaseCatalogue) -> list[list[Any]]:
    """(system, system, cases that one of them has no output for), for the ranker."""
    if catalogue.tables:
        return catalogue.not_recorded()
    if catalogue.outputs is None:
        return []
    lacking = {
        name: {case for case in catalogue.cases if case not in given} for name, given in catalogue.outputs.items()
    }
    if not any(lacking.values()):
        return []
    rows = (
        (a, b, [c for c in catalogue.cases if c in lacking[a] | lacking[b]]) for a, b in combinations(lacking, 2)
    )
    return [[a, b, cases] for a, b, cases in rows if cases]


def required_pairs(require: Any, names: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The pairs that a claim is required of: no other is asked about."""
    return [(names[better], names[worse]) for better, worse in read_required(listed_claims(require), names)]


def same_option(catalogue: CaseCatalogue, options: Mapping[str, Any]) -> dict[str, Any]:
    """How often two outputs are the same, of the pairs that these options have asked about."""
    times = catalogue.same_outputs(options.get("require") or ())
    return {"same_outputs": times} if times else {}


def case_options(catalogue: CaseCatalogue) -> dict[str, Any]:
    """What the ranker is told about the cases: ids, weights, groups, and what is missing."""
    cases = list(catalogue.cases.values())
    options: dict[str, Any] = {"cases": [case.id for case in cases], "absent": absent_cases(catalogue)}
    if catalogue.tables:
        options["sides"] = "recorded"
    if any(case.weight is not None for case in cases):
        options["case_weights"] = {case.id: 1.0 if case.weight is None else case.weight for case in cases}
    if any(case.group is not None for case in cases):
        options["groups"] = {case.id: case.group or "" for case in cases}
    return options


# ----------------------------------------------------------------------------
# Systems and cases as a study keeps them for its judges: in its settings, fixed with its first event.
#
# settings["cases"] = {"inputs": {case: input}, "outputs": {system: {case: output}} or None}
KEPT_CASES: Final = "cases"  # the key among a study's settings, and among its ranker's options
NOTHING_KEPT: Final[Mapping[str, Any]] = {"inputs": {}, "outputs": None}  # the ranker alone was told of cases


def kept_cases(catalogue: CaseCatalogue) -> dict[str, Any]:
    """What a study keeps of its cases; raises if that is too much, or cannot be stored as JSON.

    >>> from juryrank.run.cases.catalogue import case_catalogue
    >>> kept_cases(case_catalogue({"new": {"q": "4"}, "old": {"q": "5"}}, [{"id": "q", "input": "2 + 2?"}]))
    {'inputs': {'q': '2 + 2?'}, 'outputs': {'new': {'q': '4'}, 'old': {'q': '5'}}}
    """
    inputs = {case.id: case.input for case in catalogue.cases.values()}
    outputs = catalogue.outputs
    if outputs is not None:  # what no case asks for stays out
        outputs = {
            name: {case: given[case] for case in inputs if case in given} for name, given in outputs.items()
        }
    return checked_size({"inputs": inputs, "outputs": outputs})


def with_systems(kept: Mapping[str, Any], joining: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What a study keeps once these systems have joined; raises unless each has an output for every case."""
    if kept["outputs"] is None:
        raise BadInput("the systems of this study have no outputs: give the new ones by name alone")
    for name, outputs in joining.items():
        lacking = [case for case in kept["inputs"] if case not in outputs]
        if lacking:
            raise BadInput(
                f"system {shown(name)} has no output for case {shown(lacking[0])}; a system that joins needs one "
                "for every case of the study"
            )
    new = {name: {case: outputs[case] for case in kept["inputs"]} for name, outputs in joining.items()}
    return checked_size({"inputs": kept["inputs"], "outputs": {**kept["outputs"], **new}})


def checked_size(kept: dict[str, Any]) -> dict[str, Any]:
    """The same, if it is not too large for an event."""
    size = _size(kept)
    if size > CASE_CHARACTERS:
        raise BadInput(
            f"the cases and outputs have {size / 1e6:,.0f} million characters; a study keeps at most "
            f"{CASE_CHARACTERS / 1e6:.0f} million: compare fewer cases, or rank them in one run with juryrank.rank"
        )
    return kept


def _size(thing: Any) -> int:
    if isinstance(thing, Mapping):
        return sum(map(_size, thing.values()))
    return len(thing) if isinstance(thing, str) else 8


def catalogue_kept(
    items: Sequence[str], cases: Sequence[str] | int | None, kept: Mapping[str, Any]
) -> CaseCatalogue:
    """The systems and cases of a study, for programs that judge."""
    names = [str(case) for case in range(1, cases + 1)] if isinstance(cases, int) else list(cases or ())
    inputs = kept["inputs"]
    return CaseCatalogue(items, [Case(name, inputs.get(name, name)) for name in names], kept["outputs"])


def same_outputs(kept: Mapping[str, Any] | None, require: Any = ()) -> int | None:
    """How often two of the systems give the same output for a case; None: there are no outputs.

    >>> same_outputs({"inputs": {"q": "2 + 2?"}, "outputs": {"new": {"q": "4"}, "old": {"q": "4"}}})
    1
    """
    if not kept or kept["outputs"] is None:
        return None
    return catalogue_kept(list(kept["outputs"]), list(kept["inputs"]), kept).same_outputs(require)


def shown_of(kept: Mapping[str, Any], question: Question) -> tuple[Any, Any, Any]:
    """What a judge is shown: both outputs (the systems themselves where they have none) and the case's input."""
    case, outputs = str(question.case), kept["outputs"]
    left, right = (item if outputs is None else outputs[item][case] for item in (question.left, question.right))
    return left, right, kept["inputs"].get(case, case)


def case_of_both(kept: Mapping[str, Any], left: str, right: str) -> str | None:
    """The first case that both systems have an output for; None: there is none."""
    outputs = kept["outputs"]
    both = (
        case for case in kept["inputs"] if outputs is None or (case in outputs[left] and case in outputs[right])
    )
    return next(both, None)


def is_identical(kept: Mapping[str, Any] | None, question: Question) -> bool:
    """Are the two outputs the same, so that there is nothing to ask?"""
    outputs = (kept or {}).get("outputs")
    if kept is None or outputs is None or question.case is None:
        return False
    if question.shown:
        first, *others = (outputs[str(name)][str(question.case)] for name in question.shown)
        return all(same(first, other) for other in others)
    left, right, _ = shown_of(kept, question)
    return same(left, right)
