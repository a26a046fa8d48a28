"""Every phase of the certified ranker and every change of it. No other file assigns the phase.

                       INSERT      REPAIR      PROVE       CERTIFIED   ELIMINATE
    ITEMS_JOINED       INSERT      INSERT      INSERT      INSERT      -           there are items to place
    NOTHING_TO_RANK    CERTIFIED   CERTIFIED   CERTIFIED   CERTIFIED   CERTIFIED   fewer than two items
    ALL_PLACED         REPAIR      -           -           -           -           the whole list stands
    LIST_BELIEVED      -           PROVE       -           -           -           no doubt is worth a question
    LIST_GIVEN         PROVE       PROVE       PROVE       PROVE       -           somebody else fixed the list
    LIST_AWAITED       REPAIR      REPAIR      REPAIR      REPAIR      -           ... or will: nothing is searched
    LINK_DOUBTED       -           -           REPAIR      REPAIR      -           answers speak against a link
    ALL_PROVEN         -           -           CERTIFIED   -           CERTIFIED
    CANDIDATES_JOINED  ELIMINATE   -           -           ELIMINATE   ELIMINATE   the best item is looked for

The phase moves only with events (an answer, an expiry, a joining item), never by asking, so that a replayed log
takes the same path. In REPAIR, PROVE and ELIMINATE the ranker may also give up after an answer (`cursor.gave_up`;
see `giving_up.py`): then nothing more is asked, and the phase stays. A change that the table does not have raises
and changes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from juryrank.core.compiling import kernel

INSERT, REPAIR, PROVE, CERTIFIED, ELIMINATE = range(5)
PHASES: Final = ("insert", "repair", "prove", "certified", "eliminate")
COUNT: Final = len(PHASES)
ORDER, SET, ELIMINATION = range(3)  # cursor.objective: links of a list, of a set, or none: see `eliminate.py`

(
    ITEMS_JOINED,
    NOTHING_TO_RANK,
    ALL_PLACED,
    LIST_BELIEVED,
    LIST_GIVEN,
    LIST_AWAITED,
    LINK_DOUBTED,
    ALL_PROVEN,
    CANDIDATES_JOINED,
) = range(9)
NEVER: Final = -1

# One row per event, one column per phase: the table above
TRANSITIONS: Final = (
    INSERT, INSERT, INSERT, INSERT, NEVER,
    CERTIFIED, CERTIFIED, CERTIFIED, CERTIFIED, CERTIFIED,
    REPAIR, NEVER, NEVER, NEVER, NEVER,
    NEVER, PROVE, NEVER, NEVER, NEVER,
    PROVE, PROVE, PROVE, PROVE, NEVER,
    REPAIR, REPAIR, REPAIR, REPAIR, NEVER,
    NEVER, NEVER, REPAIR, REPAIR, NEVER,
    NEVER, NEVER, CERTIFIED, NEVER, CERTIFIED,
    ELIMINATE, NEVER, NEVER, ELIMINATE, ELIMINATE,
)  # fmt: skip


@kernel(inline=False)
def change_phase(cursor: Any, event: int) -> None:
    """The one place where the phase changes."""
    following = TRANSITIONS[event * COUNT + cursor.phase]
    if following == NEVER:
        raise ValueError("the certified ranker has no such change of phase: see the table in phases.py")
    cursor.phase = following
