"""What a certified ranking says when it has given up: on which pair, after which answers, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from juryrank.quoting import in_sentence
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.giving_up import EVEN, margin_of
from juryrank.rankers.certified.core.state import pair_at
from juryrank.rankers.certified.state import in_all

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

EVENLY, TURNING = "evenly split", "back and forth"
MANY = 500  # answers about one pair that are worth a word while asking goes on


def stuck_at(state: CertifiedState) -> dict[str, Any]:
    """The pair that made the ranking give up, with all answers about it, for the result's `details`."""
    c = state.machine.cursor
    low, high = int(c.stuck_low), int(c.stuck_high)
    won, lost = in_all(state.answers_about(low, high))
    even = c.gave_up == EVEN
    return {
        "first": state.items[low],
        "second": state.items[high],
        "first_preferred": won,
        "answers": won + lost,
        "why": EVENLY if even else TURNING,
        **({} if even else {"turns": int(c.turns)}),  # of an even pair nobody counts them
        "patience": int(state.machine.cursor.even_limit),
    }


def takes_most(state: CertifiedState) -> bool:
    """Does one pair take most of all questions, and many?"""
    s = state.machine
    k = int(s.unsure.winner[1])
    if state.questions < MANY or s.cursor.phase not in (phases.REPAIR, phases.PROVE) or k + 1 >= len(state.items):
        return False
    answers = sum(in_all(state.answers_about(*pair_at(s, k))))
    return answers >= max(MANY, state.questions / 2)


def given_up_words(stuck: dict[str, Any], questions: int) -> str:
    """Why, and what to do.

    >>> stuck = {"first": "a", "second": "b", "first_preferred": 9_990, "answers": 20_000, "why": EVENLY}
    >>> given_up_words({**stuck, "patience": 20_000}, 20_312)[:74]
    'Gave up after 20,312 questions: a and b cannot be told apart. 9,990 of 20,'
    """
    first, second = in_sentence(stuck["first"]), in_sentence(stuck["second"])
    said = f"{stuck['first_preferred']:,} of {stuck['answers']:,} answers prefer {first}"
    start = f"Gave up after {questions:,} questions:"
    if stuck["why"] == TURNING:
        return (
            f"{start} the answers about {first} and {second} turn round again and again, and "
            f"have ended {stuck['turns']} attempts in a row ({said}). Fresh answers do not do that: perhaps "
            "judges repeat themselves and contradict each other. Ask each pair once (repeats=1), or find others."
        )
    share, more = 0.5 + margin_of(stuck["patience"]) / 2, 10 * stuck["patience"]
    return (
        f"{start} {first} and {second} cannot be told apart. {said}, so judges are unlikely "
        f"to be right about them more than {share:.1%} of the time. Treat them as equal and leave one out, find "
        f"judges who see a difference, or allow more patience (patience={more})."
    )
