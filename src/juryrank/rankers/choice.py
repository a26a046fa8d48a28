"""Who answers and what is wanted, in the user's words: one table makes a ranker and its options of them.

    about     judges                  goals, the default first                 ranker
    judges    on cases                best, order, top-k, a claim              jury
    judges    answering anew (fresh)  best, order, top-k, a claim              jury, fresh
    judges    asked a pair once       order, best, top-k, ranges, tiers        panel, counted
    people    asked a pair once       ranges, tiers, best, top-k               panel
    truth     right at least half     order, best, top-k                       certified
    any       without cases           guess                                    guess

Without `about`, people who may join mean people, and everybody else means exactly these judges; functions and
programs of which the caller says that they answer anew (`fresh=True`) are measurements, and mean the truth. The
command line, the REST interface, the form and `plan` speak these words; `ranker=` is for researchers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.jury.options import OVER
from juryrank.rankers.registry import ranker_class

JUDGES, PEOPLE, TRUTH = "judges", "people", "truth"  # what a promise is about
ABOUTS: Final = (JUDGES, PEOPLE, TRUTH)
BEST, ORDER, RANGES, TIERS, TOP, CLAIM, GUESS = "best", "order", "ranges", "tiers", "top-k", "claim", "guess"
CLAIMED: Final = "a claim such as 'new over old'"


class Offer(NamedTuple):
    """One line of the table: who answers how, what may be asked for, and which ranker proves it."""

    about: str
    judges: str  # in words that go after "of"
    goals: tuple[str, ...]  # the first is the default
    ranker: str
    options: Mapping[str, Any]
    promise: str
    exact: str = ""  # why `within` does not fit; empty where it does


_ON_CASES = (BEST, ORDER, TOP, CLAIM)
CASES_ROW = Offer(JUDGES, "judges on cases", _ON_CASES, "jury", {}, "what all of them say on all cases")
FRESH_ROW = Offer(JUDGES, "judges who answer anew", _ON_CASES, "jury", {"fresh": True}, "their answers on average")
COUNTED_ROW = Offer(
    JUDGES,
    "judges who are asked a pair once",
    (ORDER, BEST, TOP, RANGES, TIERS),
    "panel",
    {"about": "panel"},
    "the majority of exactly these, counted",
    "a majority is counted exactly",
)
PEOPLE_ROW = Offer(
    PEOPLE,
    "people",
    (RANGES, TIERS, BEST, TOP),
    "panel",
    {},
    "what most people like these would say",
    "about people a line is proven exactly or not at all",
)
TRUTH_ROW = Offer(
    TRUTH,
    "the truth",
    (ORDER, BEST, TOP),
    "certified",
    {},
    "the true order, if every answer is right at least half of the time",
    "the true order is exact",
)
TABLE: Final = (CASES_ROW, FRESH_ROW, COUNTED_ROW, PEOPLE_ROW, TRUTH_ROW)
IN_WORDS: Final = {  # what a kept ranking was about, where it is now another one
    "panel": "what the judges themselves prefer",
    "certified": "the true order",
    "jury": "what the judges say on average",
    "guess": "a best guess",
}


class WhoAnswers(NamedTuple):
    """What is known of those who answer, before anybody is asked."""

    people: bool = False  # they remember what they said, and others may join
    models: bool = False
    cases: bool = False
    fresh: bool | None = None  # does a judge who is asked again answer anew? None: not told
    too_few: str = ""  # why the people who are named cannot prove what most people would say


class Choice(NamedTuple):
    """A ranker's registry name, its options, whether judges are asked again, and the reason in words."""

    name: str
    options: dict[str, Any]
    fresh: bool
    reason: str = ""  # where `about` was not given


def choose(
    judging: WhoAnswers, *, about: str | None = None, goal: str | Sequence[str] | None = None, within: Any = None
) -> Choice:
    """The ranker that proves `goal` about these judges; what does not fit is refused, with the alternative.

    >>> choose(WhoAnswers()).options
    {'about': 'panel', 'objective': 'order'}
    >>> choose(WhoAnswers(people=True)).name, choose(WhoAnswers(cases=True), goal="new over old").options
    ('panel', {'require': ['new over old']})
    >>> choose(WhoAnswers(), about="truth", goal="top-3")
    Choice(name='certified', options={'objective': 'top-3', 'repeats': None}, fresh=True, reason='')
    """
    row, reason = _row(judging, about)
    fresh = bool(judging.fresh)
    if row is TRUTH_ROW:
        fresh = not judging.people if judging.fresh is None else judging.fresh
    wanted = goal_named(goal) if isinstance(goal, str | None) else CLAIM
    if wanted == GUESS:
        return _guess(judging, fresh, within)
    options = {**row.options, **_aim(row, wanted, goal), **_within(row, within)}
    if row is TRUTH_ROW:
        options["repeats"] = None if fresh else 1
    return Choice(row.ranker, options, fresh, reason)


def goal_named(goal: str | None) -> str | None:
    """The word of the table for a goal as people write it.

    >>> goal_named("Top 3"), goal_named("new over old"), goal_named("order")
    ('top-k', 'claim', 'order')
    """
    if goal is None:
        return None
    word = goal.strip().lower()
    if re.fullmatch(r"top[- ]?\d+", word):
        return TOP
    if word in (BEST, ORDER, RANGES, TIERS, GUESS):
        return word
    if OVER in goal.strip():
        return CLAIM
    raise UnknownName(
        f"there is no goal {goal!r}; there are: order, best, top-3 (any number), ranges, tiers, guess, and on "
        f"cases {CLAIMED}"
    )


def _row(judging: WhoAnswers, about: str | None) -> tuple[Offer, str]:
    """The line of the table, and the reason for it where it was not named."""
    if about is None:
        return _default(judging)
    if about not in ABOUTS:
        raise UnknownName(f"there is no about={about!r}; a result is about: {', '.join(ABOUTS)}")
    if judging.cases and about != JUDGES:
        raise BadInput(
            f"about={about!r} does not go with cases: what is proven on cases is what exactly these judges say on "
            "all of them. Leave about out, or say about='judges'"
        )
    if about == PEOPLE and judging.fresh:
        raise BadInput(
            "about='people' asks each person a pair once, so fresh=True does not fit. For judges who answer anew: "
            "about='judges', or about='truth' if they are right more often than not"
        )
    return (_of_judges(judging) if about == JUDGES else PEOPLE_ROW if about == PEOPLE else TRUTH_ROW), ""


def _of_judges(judging: WhoAnswers) -> Offer:
    return CASES_ROW if judging.cases else FRESH_ROW if judging.fresh else COUNTED_ROW


def _default(judging: WhoAnswers) -> tuple[Offer, str]:
    row = _of_judges(judging)
    if row is CASES_ROW:
        return row, _CASES_REASON
    if row is FRESH_ROW:
        return (row, _MODELS_REASON) if judging.models else (TRUTH_ROW, _FRESH_REASON)
    if judging.people and not judging.too_few:
        return PEOPLE_ROW, _PEOPLE_REASON
    if judging.people:
        return row, _NAMED_REASON.format(judging.too_few)
    return row, _REPEATING_REASON if judging.models else _CALLABLE_REASON


def _aim(row: Offer, wanted: str | None, goal: str | Sequence[str] | None) -> dict[str, Any]:
    """The goal as the ranker's options say it."""
    if wanted is None:
        return {"objective": row.goals[0]}
    if wanted not in row.goals:
        raise BadInput(f"{_asked(wanted, goal)} cannot be proven of {row.judges}: {_instead(row, wanted)}")
    if wanted == CLAIM:
        return {"require": [goal] if isinstance(goal, str) else list(goal or ())}
    return {"objective": f"top-{_number(str(goal))}" if wanted == TOP else wanted}


def _asked(wanted: str, goal: str | Sequence[str] | None) -> str:
    return f"the claim {goal!r}" if wanted == CLAIM else f"goal={goal!r}"


def _instead(row: Offer, wanted: str) -> str:
    """Why a goal does not fit, and what does."""
    if row is PEOPLE_ROW and wanted == ORDER:
        return (
            "neighbours are often too close for most people to differ on. Use goal='ranges', which is an order "
            "where the ranges leave one, or about='judges' for the majority of exactly those who answer"
        )
    if wanted == CLAIM:
        return (
            f"a claim is for systems on cases (cases=...). Use goal={row.goals[0]!r}, which orders the two as well"
        )
    if wanted in (RANGES, TIERS) and row is FRESH_ROW:
        return (
            "use goal='order' or 'best', or leave fresh out: each is then asked a pair once, and all are counted"
        )
    return f"use {goals_in_words(row)}"


def goals_in_words(row: Offer) -> str:
    """The goals of a line, the default first.

    >>> goals_in_words(TRUTH_ROW)
    'order, best or top-3'
    """
    *most, last = [{TOP: "top-3", CLAIM: CLAIMED}.get(goal, goal) for goal in row.goals]
    return f"{', '.join(most)} or {last}"


def _within(row: Offer, within: Any) -> dict[str, Any]:
    if within is None:
        return {}
    if row.exact:
        raise BadInput(
            f"within={within!r} is for judges on cases, and for about='judges' with fresh=True; {row.exact}, so "
            "leave it out"
        )
    return {"resolution": within}


def _number(goal: str) -> int:
    found = re.search(r"\d+", goal)
    assert found is not None
    return int(found[0])


def _guess(judging: WhoAnswers, fresh: bool, within: Any) -> Choice:
    if judging.cases:
        raise BadInput(
            "goal='guess' is for items without cases; on cases every result has its estimates, whatever is "
            "proven: say goal='best' and a budget"
        )
    if within is not None:
        raise BadInput(f"goal='guess' proves nothing, so within={within!r} means nothing; leave one of them out")
    return Choice(GUESS, {"repeats": None if fresh else 1}, fresh)


# ----------------------------------------------------------------------------
# What the table needs to know, and what researchers must not mix with it
def named_options(ranker: str, goal: str | Sequence[str] | None, within: Any) -> dict[str, Any]:
    """The options of a ranker that was named: `goal` and `within` in its own words.

    >>> named_options("certified", "best", None)
    {'objective': 'best'}
    """
    wanted = goal_named(goal) if isinstance(goal, str | None) else CLAIM
    if wanted == GUESS:
        raise BadInput(f"goal='guess' chooses the ranker 'guess'; leave ranker={ranker!r} out")
    claims: dict[str, Any] = (
        {} if wanted != CLAIM else {"require": [goal] if isinstance(goal, str) else list(goal or ())}
    )
    aim: dict[str, Any] = claims or ({} if wanted is None else {"objective": goal})
    return {**aim, **({} if within is None else {"resolution": within})}


def refuse_mixed(
    *, about: str | None, goal: Any, within: Any, ranker: str | None, options: Mapping[str, Any]
) -> None:
    """Words of the table and a ranker's own words do not go together.

    >>> refuse_mixed(about="truth", goal="best", within=None, ranker=None, options={"patience": 100})
    """
    if about is not None and ranker is not None:
        raise BadInput(
            f"about={about!r} and ranker={ranker!r} do not go together: `about` chooses the ranker. Leave one out "
            f"(the ranker's own options go into options={{...}})"
        )
    if ranker is None and "about" in options:
        raise BadInput("about is an option of the ranker 'panel', and no ranker is named; say about=... instead")
    twice = [("objective", "goal", goal), ("require", "goal", goal), ("resolution", "within", within)]
    for option, word, value in twice:
        if option in options and value is not None:
            raise BadInput(f"{word}={value!r} and the option {option} say the same thing; leave one of them out")


def too_few_named(ranker: str, *, items: int, judges: int, error: float, options: Mapping[str, Any]) -> str:
    """What a proof takes that these named judges do not have, even of one mind; empty where they could do.

    >>> too_few_named("panel", items=4, judges=3, error=0.05, options={})
    'that takes at least 10 judges who all say the same about a pair; here are 3'
    """
    if not judges or items < 2 or not 0 < error < 1 or options.get("about") == "panel":
        return ""
    fewest = ranker_class(ranker).fewest_answers(items=items, error=error, options=options)
    if fewest is None or judges >= fewest.answers:
        return ""
    here = "is 1" if judges == 1 else f"are {judges}"
    return f"that takes at least {fewest.answers} judges who all say the same about {fewest.what}; here {here}"


def too_few_people(goal: Any, options: Mapping[str, Any], *, items: int, judges: int, error: float) -> str:
    """The same about people in general; nothing where an option says that these are people.

    >>> too_few_people("best", {}, items=2, judges=1, error=0.05)
    'that takes at least 7 judges who all say the same about a line; here is 1'
    """
    if "relation" in options:
        return ""
    aim = {"objective": goal} if isinstance(goal, str) and goal_named(goal) in (TOP, *PEOPLE_ROW.goals) else {}
    return too_few_named(PEOPLE_ROW.ranker, items=items, judges=judges, error=error, options=aim)


def check_enough(
    about: str | None, choice: Choice, *, items: int, judges: int, error: float, joining: bool
) -> None:
    """Refuse what nobody could prove with these judges, where no others join."""
    if about is None or choice.name == GUESS:
        return
    options = {**choice.options, "joining": joining}
    few = too_few_named(choice.name, items=items, judges=judges, error=error, options=options)
    if few:
        raise BadInput(
            f"about={about!r} could never be proven here: {few}. Use about='judges' for the majority of exactly "
            "these, goal='guess' for a best guess, or a study that more may join (juryrank study create)"
        )


def check_knows_cases(ranker: str) -> None:
    """Refuse a ranker that compares items only, where systems are compared on cases.

    >>> check_knows_cases("jury")
    """
    if not ranker_class(ranker).knows_cases:
        raise BadInput(f"the ranker {ranker!r} knows no cases; leave ranker out, or use {CASES_ROW.ranker!r}")


_CASES_REASON: Final = (
    "About what these judges say on all cases, asked or not. Nothing is assumed about their accuracy."
)
_PEOPLE_REASON: Final = (
    "About what most people like these would say: each answers a pair once. Rank ranges are proven, and an order "
    "where the ranges leave one. For the true order: about='truth'."
)
_NAMED_REASON: Final = (
    "About exactly these judges: their majority, counted; nobody joins later. About people in general nothing "
    "could be proven: {}. If more will join: about='people'."
)
_FRESH_REASON: Final = (
    "About the truth, because you said fresh=True: each answer is drawn anew, and taken to be right at least half "
    "of the time. For what these judges answer on average, right or wrong: about='judges'."
)
_MODELS_REASON: Final = (
    "About what these models prefer on average, whether they are right or not. A model may be wrong about a pair "
    "for ever, so the true order is promised only if you say about='truth'."
)
_REPEATING_REASON: Final = (
    "About exactly these judges: these models seem to repeat themselves, so each is asked a pair once, and their "
    "majority is counted. It says nothing about who is right."
)
_CALLABLE_REASON: Final = (
    "About exactly these judges: they may repeat themselves, so each is asked a pair once, and their majority is "
    "counted. If each answer is drawn anew: fresh=True."
)
