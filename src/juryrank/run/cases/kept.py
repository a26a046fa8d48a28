"""Systems and cases as a study keeps them for its judges: in its settings, fixed with its first event.

settings["cases"] = {"inputs": {case: input}, "outputs": {system: {case: output}} or None}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from juryrank.errors import BadInput, shown
from juryrank.run.cases.case import Case
from juryrank.run.cases.catalogue import CaseCatalogue
from juryrank.run.items import same
from juryrank.types import Question

KEPT_CASES: Final = "cases"  # the key among a study's settings, and among its ranker's options
NOTHING_KEPT: Final[Mapping[str, Any]] = {"inputs": {}, "outputs": None}  # the ranker alone was told of cases
MOST_KEPT = 64_000_000  # characters of inputs and outputs: they stand in the study's first event


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
    if size > MOST_KEPT:
        raise BadInput(
            f"the cases and outputs have {size / 1e6:,.0f} million characters; a study keeps at most "
            f"{MOST_KEPT / 1e6:.0f} million: compare fewer cases, or rank them in one run with juryrank.rank"
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
    if not kept or kept["outputs"] is None or question.case is None:
        return False
    left, right, _ = shown_of(kept, question)
    return same(left, right)
