"""Who may take an answer back without editing the study: its own judge, in time, unless the judge is a program."""

from __future__ import annotations

from juryrank.errors import BadInput
from juryrank.log import Author
from juryrank.study.ledger.leases import LastAnswer
from juryrank.study.state import StudyState


def checked_author(by: Author | str) -> Author:
    """The author of an undo; raises for programs, which have no undo.

    >>> checked_author("judge").value
    'judge'
    """
    try:
        author = Author(by)
    except ValueError:
        raise BadInput(f"an undo by {by!r} is not possible; it is by the judge or by the owner") from None
    if author is Author.PROGRAM:
        raise BadInput(
            "a program cannot take an answer back: the first one it gave counts, as another would be a second "
            'draw. Over REST a person who changed their mind says so: {"person": true}'
        )
    return author


def reason_against(state: StudyState, last: LastAnswer, *, by: Author, now: float) -> str:
    """Why taking this answer back would be an edit after the fact; empty: it is the judge's own free undo."""
    if by is not Author.JUDGE:
        return "only the judge, by their own link or token, may take an answer back without editing the study"
    if state.ledger.created.get("fresh"):
        return "the judges of this study answer anew each time they are asked, so the first answer counts"
    if last.lease.deadline is not None and now >= last.lease.deadline:
        return f"the deadline of question {last.lease.q} has passed, so its answer stands"
    return ""
