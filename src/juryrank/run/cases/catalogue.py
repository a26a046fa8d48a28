"""Systems and cases as the caller has them: what a judge is shown, and what its answer means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from juryrank.errors import BadAnswer, BadInput, shown
from juryrank.run.cases.case import Case, distinct_cases, read_cases
from juryrank.run.cases.outputs import Outputs, check_systems, read_outputs
from juryrank.run.items import Catalogue, same
from juryrank.types import Answer, Grade, NonVote, Question

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

    def output(self, name: Any, case: str | None) -> Any:
        """What a system gave for a case: the thing itself where systems have no outputs."""
        return self.shown(name) if self.outputs is None or case is None else self.outputs[name][case]

    def shown_for(self, question: Question) -> tuple[Any, ...]:
        left, right = self.output(question.left, question.case), self.output(question.right, question.case)
        return left, right, self.cases[str(question.case)].input

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
        if self.outputs is None:
            return False
        left, right, _ = self.shown_for(question)
        return left is right or same(left, right)

    def to_ask(self) -> Iterator[Question]:
        pairs, cases = list(combinations(self.names, 2)), list(self.cases)
        for shift in range(len(cases)):
            for place, (left, right) in enumerate(pairs):  # the next one is another pair on another case
                question = Question(0, "", left, right, case=cases[(place + shift) % len(cases)])
                if self._both_have(question) and not self.identical(question):
                    yield question

    def _both_have(self, question: Question) -> bool:
        outputs, case = self.outputs, str(question.case)
        return outputs is None or (case in outputs[str(question.left)] and case in outputs[str(question.right)])

    @cached_property
    def same_outputs(self) -> int:
        """How often two systems gave the same output for a case: a pair on a case that nobody is asked about."""
        if self.outputs is None:
            return 0
        given = [[out[case] for out in self.outputs.values() if case in out] for case in self.cases]
        return sum(map(_same_pairs, given))

    def answer(self, question: Question, said: Any) -> Answer:
        """A judge's answer: one of the two outputs, TIE, SKIP, or a Grade (positive for the left one)."""
        if isinstance(said, NonVote | Grade):
            return said
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
    if outputs is not None and isinstance(systems, str | Path):
        check_systems(outputs, least=2, where=systems)
    if cases is None and outputs is not None:
        found = distinct_cases(Case(name, name) for name in dict.fromkeys(c for o in outputs.values() for c in o))
    else:
        found = read_cases(cases)
    if outputs is None:
        return _plain(systems, found)
    _check_outputs(outputs, found, missing)
    return CaseCatalogue(list(outputs), found, outputs)


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
                "case out, or say missing='leave out' (--missing 'leave out') to compare a pair where both have it"
            )
        if not known & given.keys():
            raise BadInput(f"system {shown(name)} has no output for any case; do the case ids match?")


def absent_cases(catalogue: CaseCatalogue) -> list[list[Any]]:
    """(system, system, cases that one of them has no output for), for the ranker."""
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


def case_options(catalogue: CaseCatalogue) -> dict[str, Any]:
    """What the ranker is told about the cases: ids, weights, groups, and what is missing."""
    cases = list(catalogue.cases.values())
    options: dict[str, Any] = {"cases": [case.id for case in cases], "absent": absent_cases(catalogue)}
    if catalogue.same_outputs:
        options["same_outputs"] = catalogue.same_outputs
    if any(case.weight is not None for case in cases):
        options["case_weights"] = {case.id: 1.0 if case.weight is None else case.weight for case in cases}
    if any(case.group is not None for case in cases):
        options["groups"] = {case.id: case.group or "" for case in cases}
    return options
