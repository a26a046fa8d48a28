"""Reliability as schools measure it, from the answers of a study: separation, split halves, judges who misfit."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.errors import JuryrankError
from juryrank.study import Study
from juryrank.votes.fitting.entry import fit


@dataclass(frozen=True, slots=True)
class StudyReliability:
    """`words`: one line per figure, with what is usual. `misfits`: ids of judges, the worst first."""

    separation: float | None = None
    clustered: float | None = None
    split_half: float | None = None
    alpha: float | None = None
    misfits: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def study_reliability(study: Study) -> StudyReliability:
    """Estimates all of them, from every answer so far; where there are too few, the words say so."""
    try:
        found = fit(study, model="bt").reliability
    except JuryrankError as problem:
        return StudyReliability(words=(f"There are too few answers to say: {problem}.",))
    figures = (found.separation, found.clustered, found.split_half, found.alpha)
    return StudyReliability(*figures, tuple(map(str, found.misfits)), found.words)
