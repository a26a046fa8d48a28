"""Reliability as in educational assessment, from a study's answers: separation, split halves, misfits."""

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
    """All of these are estimates, from every answer so far; where there are too few, the words say so."""
    try:
        found = fit(study, model="bt").reliability
    except JuryrankError as problem:
        return StudyReliability(words=(f"There are too few answers to say: {problem}.",))
    figures = (found.separation, found.clustered, found.split_half, found.alpha)
    return StudyReliability(*figures, tuple(map(str, found.misfits)), found.words)
