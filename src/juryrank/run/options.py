"""What `rank` was called with, checked, and put in the words that the chosen ranker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from juryrank.core import chance
from juryrank.core.levels import FIRST_SHARE
from juryrank.defaults import BUDGET_PLAYS, LEAST_BUDGET_PLAYS
from juryrank.errors import BadInput
from juryrank.log.chain import COMMITMENT, SecretSeed
from juryrank.options import COMMITTED, ENTROPY, OWNER
from juryrank.rankers.choice import (
    GUESS,
    JUDGES,
    TRUTH_ROW,
    Choice,
    WhoAnswers,
    check_knows_cases,
    choose,
    named_options,
    refuse_mixed,
)
from juryrank.rankers.contract.limits import option_names
from juryrank.rankers.registry import make_ranker, ranker_class


def checked_judges(judges: Any) -> dict[str, Callable[..., Any]]:
    """Judges by name, each of them callable."""
    if not isinstance(judges, Mapping):
        kind = type(judges).__name__
        raise BadInput(f"judges is a {kind}; give a mapping from name to function, such as {{'ann': ann}}")
    check_callable(judges)
    if not judges:
        raise BadInput("there is no judge to ask; give at least one")
    found = {str(name): judge for name, judge in judges.items()}
    if len(found) != len(judges):
        raise BadInput("two judges have names that read the same as text; names must differ")
    return found


def check_callable(judges: Mapping[Any, Any]) -> None:
    """Refuse judges that cannot be called.

    >>> check_callable({"ann": min})
    """
    for name, judge in judges.items():
        if not callable(judge):
            raise BadInput(f"judge {name!r} is {judge!r}, which cannot be called; give a function (left, right)")


class Wanted(NamedTuple):
    """What is wanted of whom, in the user's words; or a ranker by its name."""

    about: str | None = None
    goal: str | Sequence[str] | None = None
    within: float | str | None = None
    ranker: str | None = None
    assume: str | None = None

    def choice(self, judging: WhoAnswers) -> Choice:
        """The ranker's name and options, and the reason where the choice was ours."""
        if self.ranker is None:
            found = choose(judging, about=self.about, goal=self.goal, within=self.within)
            if self.assume is not None and found.name != TRUTH_ROW.ranker:
                raise BadInput(f"assume={self.assume!r} is about who is right; say about='truth' with it")
            return found
        if judging.cases:
            check_knows_cases(self.ranker)
        ranker_class(self.ranker)  # refuses what it does not know, naming what there is
        return Choice(self.ranker, named_options(self.ranker, self.goal, self.within), bool(judging.fresh))

    def check(self, options: Mapping[str, Any]) -> None:
        """Refuse words that do not go together."""
        refuse_mixed(about=self.about, goal=self.goal, within=self.within, ranker=self.ranker, options=options)
        refuse_inside(options)

    @property
    def of_judges(self) -> bool:
        """Is it about exactly these judges, as the table has it?"""
        return self.ranker is None and self.about in (None, JUDGES) and self.goal != GUESS

    @property
    def leaves_goal(self) -> bool:
        """Is it ours to say what is worth asking for?"""
        return self.ranker is None and self.goal is None and self.within is None and self.assume is None


NOTHING_SAID = Wanted()


def ranker_options(name: str, options: dict[str, Any], *, fresh: bool, assume: str | None) -> dict[str, Any]:
    """The ranker's own options: freshness under the ranker's own name for it; unknown options are refused."""
    known = ranker_class(name).declared.names()
    if "fresh" in known:
        options.setdefault("fresh", fresh)
    elif "repeats" in known:
        options.setdefault("repeats", None if fresh else 1)
    if assume is not None:
        options["assume"] = assume
    for option in options:
        if option not in known:
            raise BadInput(f"the ranker {name!r} has no option {option!r}; it has: {', '.join(sorted(known))}")
    return options


# ----------------------------------------------------------------------------
# Decided here, and not by those who rank: whether items may join
SHARED = (
    "The present items get {share:g} of δ = {error:g}; the rest is held back for items that may join later. A "
    "ranking that is not kept holds nothing back."
)


def inside_options(name: str, *, kept: bool) -> dict[str, Any]:
    """Only a kept ranking can be joined.

    >>> inside_options("certified", kept=False), inside_options("guess", kept=True)
    ({'joining': False}, {})
    """
    return {"joining": kept} if "joining" in option_names(ranker_class(name)) else {}


def refuse_inside(options: Mapping[str, Any]) -> None:
    """Options that are nobody's to set.

    >>> refuse_inside({"joining": False})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    juryrank.errors.BadInput: joining is not an option: items may join a kept ranking, ...
    """
    if "joining" in options:
        raise BadInput(
            "joining is not an option: items may join a kept ranking, so it shares δ with those who join later, "
            "and one that is not kept (juryrank.rank, --no-keep) has all of it"
        )


def shared_error(name: str, options: Mapping[str, Any], error: float) -> str:
    """That a kept ranking shares δ with items that may join, in words; nothing where it does not.

    >>> shared_error("panel", {}, 0.05)[:38]
    'The present items get 0.04 of δ = 0.05'
    """
    counted = options.get("about") == "panel"
    by_links = name == "certified" and options.get("objective", "order") == "order"  # items join at no cost
    cases = ranker_class(name).knows_cases  # a new table is another attempt, at its own level
    if "joining" not in option_names(ranker_class(name)) or counted or by_links or cases:
        return ""
    return SHARED.format(share=FIRST_SHARE * error, error=error)


def seed_options(name: str, seed: int | None, *, secret: SecretSeed | None = None) -> dict[str, Any]:
    """Who chose the seed, for rankers that say so; `secret`: it is committed by its hash.

    >>> seed_options("jury", None), seed_options("iir", 1)
    ({'seed_from': 'entropy'}, {})
    """
    known = "seed_from" in option_names(ranker_class(name))
    if secret is not None:
        if not known:
            raise BadInput(f"the ranker {name!r} commits no seed; this is for systems on cases")
        return {"seed_from": COMMITTED, COMMITMENT: secret.commitment}
    return {"seed_from": ENTROPY if seed is None else OWNER} if known else {}


def positive(value: Any, what: str) -> Any:
    """The value, if it is None or more than 0."""
    if value is not None and not value > 0:
        raise BadInput(f"{what} is {value!r}; it must be more than 0")
    return value


# ----------------------------------------------------------------------------
# Is a proof within reach of a budget? Where it hardly ever is, a best guess is worth more
#
# The ranker is played in advance, against judges as good as one may hope for: right nine times in ten. Where none
# of twenty such plays proves anything within the budget, the chance is taken to be below 5 % (long plays are
# fewer, and differ less from each other). Judges who never err play first, once: where they prove nothing, nobody
# else plays.
PLENTY = 60  # questions per item: such judges prove any order with fewer
PLAYED_ITEMS = 300  # with more, nobody waits for the answer
HOPED_FOR = 0.9  # how often a good judge is right
MOST_ASKED = 8_000  # questions in all plays together: a second or two
PLAY_STREAM = 31  # of chance
GUESS_REASON = (
    "A best guess, without any promise: {questions} hardly {verb} {what} ({tried}), so each goes where it tells "
    "most. To prove something all the same: a larger budget, or goal='{goal}'."
)
ORDER, ANYTHING = "the order of {items} items", "anything about {items} items"
NEVER = "a trial play with judges who never err did not"
HARDLY = "none of {plays} trial plays with judges who are right nine times in ten did"


def out_of_reach(
    name: str, options: Mapping[str, Any], *, items: int, judges: Sequence[str], error: float, budget: int | None
) -> str:
    """Why the ranker for short budgets is the better choice, in words; nothing where a proof may be had.

    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=1000)
    ''
    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=20)[:41]
    'A best guess, without any promise: 20 que'
    """
    if budget is None or not 2 < items <= PLAYED_ITEMS or not 0 < budget < PLENTY * items or not judges:
        return ""

    def proves(accuracy: float, play: int) -> bool:
        ranker = make_ranker(name, range(items), judges=judges, error=error, budget=budget, seed=play, **options)
        return _proves(ranker, accuracy, play)

    plays = max(LEAST_BUDGET_PLAYS, min(BUDGET_PLAYS, MOST_ASKED // budget))
    if not proves(1.0, 0):
        tried = NEVER
    elif not any(proves(HOPED_FOR, play) for play in range(plays)):
        tried = HARDLY.format(plays=plays)
    else:
        return ""
    return GUESS_REASON.format(
        questions="1 question" if budget == 1 else f"{budget:,} questions",
        verb="proves" if budget == 1 else "prove",
        what=(ORDER if ranker_class(name).true_order else ANYTHING).format(items=items),
        tried=tried,
        goal=options.get("objective", "order"),
    )


def _proves(ranker: Any, accuracy: float, play: int) -> bool:
    """Does it prove what was asked for within its budget? For people's opinions: does it prove anything at all?"""
    while (question := ranker.ask()) is not None:
        better, worse = sorted((question.left, question.right))
        right = chance.uniform(play, PLAY_STREAM, question.id) < accuracy
        ranker.tell(question, better if right else worse)
    found = ranker.ranking
    return bool(found.proven or (not ranker_class(ranker.name).true_order and any(x.settled for x in found.links)))
