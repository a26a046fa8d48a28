"""Every phase of the certified ranker and every change of it. No other file assigns the phase.

                       INSERT      REPAIR      PROVE       CERTIFIED
    ITEMS_JOINED       INSERT      INSERT      INSERT      INSERT       there is somebody to place
    NOTHING_TO_RANK    CERTIFIED   CERTIFIED   CERTIFIED   CERTIFIED    fewer than two items
    ALL_PLACED         REPAIR      -           -           -            the whole list stands
    LIST_BELIEVED      -           PROVE       -           -            the search found no doubt worth a question
    LIST_GIVEN         PROVE       PROVE       PROVE       PROVE        somebody else fixed the list
    LIST_AWAITED       REPAIR      REPAIR      REPAIR      REPAIR       ... or will: nothing is searched for
    LINK_DOUBTED       -           -           REPAIR      REPAIR       answers speak against a link of the list
    ALL_PROVEN         -           -           CERTIFIED   -

The phase moves only with events (an answer, an expiry, a joining item), never by asking, so that a replayed log
takes the same path. In REPAIR and PROVE an answer may also be the last that is asked for: then it has given up
(`cursor.gave_up`; see `giving_up.py`), and the phase stays. A change that the table does not have raises and
changes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from juryrank.core.gears import kernel

INSERT, REPAIR, PROVE, CERTIFIED = range(4)
PHASES: Final = ("insert", "repair", "prove", "certified")
COUNT: Final = len(PHASES)

(
    ITEMS_JOINED,
    NOTHING_TO_RANK,
    ALL_PLACED,
    LIST_BELIEVED,
    LIST_GIVEN,
    LIST_AWAITED,
    LINK_DOUBTED,
    ALL_PROVEN,
) = range(8)
NEVER: Final = -1

# One row per event, one column per phase: the table above
TRANSITIONS: Final = (
    INSERT, INSERT, INSERT, INSERT,
    CERTIFIED, CERTIFIED, CERTIFIED, CERTIFIED,
    REPAIR, NEVER, NEVER, NEVER,
    NEVER, PROVE, NEVER, NEVER,
    PROVE, PROVE, PROVE, PROVE,
    REPAIR, REPAIR, REPAIR, REPAIR,
    NEVER, NEVER, REPAIR, REPAIR,
    NEVER, NEVER, CERTIFIED, NEVER,
)  # fmt: skip


@kernel(inline=False)
def change_phase(cursor: Any, event: int) -> None:
    """The one place where the phase changes."""
    following = TRANSITIONS[event * COUNT + cursor.phase]
    if following == NEVER:
        raise ValueError("the certified ranker has no such change of phase: see the table in phases.py")
    cursor.phase = following
