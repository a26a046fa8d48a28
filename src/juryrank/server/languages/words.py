"""What judges are told when something goes wrong, in their language."""

from __future__ import annotations

from collections.abc import Mapping

from juryrank.errors import BadInput
from juryrank.server.languages.speaking import mark, tr


class ErrorForJudge(BadInput):
    """An error whose words are meant for the judge at the page, already in their language."""


# By the short code of a problem (web/problems): what a judge needs to know of it.
PROBLEMS: Mapping[str, str] = {
    "deleted": mark("This study was deleted. Thank you for coming."),
    "storage": mark(
        "The database of this server does not answer at the moment. What was confirmed is saved; try "
        "again in a minute."
    ),
    "unknown": mark(
        "This link does not work: it is mistyped, has ended, was replaced by a newer one, or its study is gone. "
        "Ask whoever sent it for a new one."
    ),
    "question": mark("That question is not asked any more. Here is where you are now."),
    "answered_already": mark("You had answered this one already; your first answer stands."),
    "closed": mark("This study is closed. No more answers are needed."),
    "late": mark("That answer came after its time: it is kept, but does not count."),
    "cannot_join": mark("This study is full. Thank you for coming."),
    "wrong_judge": mark("That question is not yours. Reload the page."),
    "forbidden": mark(
        "Open the link again and press Start. If you did, your browser keeps no cookies: allow them for this site."
    ),
    "method": mark("This address does not take that kind of request."),
    "too_many": mark("That was very fast. Wait a second."),
    "too_large": mark("That is too large."),
    "mistake": mark("The server made a mistake. Nothing that was confirmed is lost: try again."),
}
OTHERWISE = mark("That did not work. Reload the page and try again.")
HEADINGS: Mapping[int, str] = {
    403: mark("Not allowed"),
    404: mark("Not found"),
    405: mark("Not like this"),
    413: mark("Too large"),
    422: mark("Something is missing"),
    429: mark("A moment, please"),
    503: mark("The database does not answer"),
}
HEADING = mark("That did not work")


def problem_words(code: str) -> str:
    """A problem as a judge is told about it.

    >>> problem_words("closed")
    'This study is closed. No more answers are needed.'
    """
    return tr(PROBLEMS.get(code, OTHERWISE))


def problem_heading(status: int) -> str:
    return tr(HEADINGS.get(status, HEADING))
