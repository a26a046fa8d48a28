"""What is promised: of the true order (by links, by elimination, by the paper's rankers), and of a majority."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from juryrank.quoting import in_sentence, in_sentences
from juryrank.statements.numbers import level_words, sure_of

Name: TypeAlias = object  # of an item or a judge: a text in a log, anything at the door


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise(ABC):
    """What is claimed, about whom, at which error, under which assumption.

    >>> from juryrank.statements.promises import PaperPromise
    >>> PaperPromise(error=0.05, finished=False, fresh=True).to_json()
    {'error': 0.05, 'finished': False, 'fresh': True}
    """

    error: float

    @property
    @abstractmethod
    def words(self) -> str:
        """The promise in exact words; or that nothing is promised."""

    @property
    def surely(self) -> str:
        """The beginning of a sentence that holds with probability 1 - δ."""
        return f"With probability at least {sure_of(self.error)}"

    def to_json(self) -> dict[str, Any]:
        """Plain values, as a certificate holds them."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


ASSUMED = {
    "better-than-chance": "if every answer is, given all before it, right at least half of the time",
    "steady": "if every judge is right equally often on every pair and at every moment, at least half of the time",
}
TRUSTED = (
    " That judges who were asked a pair again answered it afresh is the word of whoever made the study "
    "(trust_repeats)."
)
VOID = (
    "Not proven: gold pairs show that a judge is wrong more often than right, and what was found rests on its "
    "answers too."
)
CONTRADICTORY = (
    "The claims of several attempts contradict each other, so at least one of them is wrong: no promise."
)
NAMED = 3  # judges in a sentence


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a complete proof is not claimed: what was seen, at which items, of which judges, how often.

    >>> Withheld("cycle", items=("a", "b"), counts=(7, 10)).words
    'b was preferred to a in 7 of 10 answers, against this order'
    """

    kind: str  # "repeats", "awaited", or the watch that speaks: "same again", "uneven", "cycle"
    items: tuple[Name, ...] = ()
    judges: tuple[Name, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """The end of a sentence, without a full stop."""
        if self.kind == "repeats" and len(self.items) == 1:
            return f"{in_sentence(self.items[0])} is so only by repeats of judges who never changed an answer"
        if self.kind == "repeats":
            link, who = in_sentences(self.items, " over "), in_sentences(self.judges[:NAMED])
            return f"{link} rests on repeats of {who}, who never changed an answer"
        if self.kind == "same again":
            same, changed, mistakes, firsts = self.counts
            return (
                f"Judge {in_sentence(self.judges[0])}, asked pairs again, gave the same answer {same} times and "
                f"another {changed} times, but contradicts this order in {mistakes} of {firsts} first answers: "
                "repeated answers look remembered, not fresh"
            )
        if self.kind == "uneven":
            better, worse = self.items
            return f"{better} over {worse} is answered unlike these judges' other answers: not steady"
        if self.kind == "cycle":
            (better, worse), (against, answers) = self.items, self.counts
            return f"{worse} was preferred to {better} in {against} of {answers} answers, against this order"
        return "an answer of the cross-examination is still awaited"


AWAITED = Withheld("awaited")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksPromise(Promise):
    """An order, or the k best, link by link.

    `proven`: the k best items, or the whole order. `resting`: judges on whose repeats it rests, where too few
    pairs could tell fresh looks from memory.

    >>> LinksPromise(error=0.05, assume="steady", k=1, proven=("a",)).words[:47]
    'With probability at least 95 % a is the best it'
    >>> LinksPromise(error=0.05, assume="steady").words
    'Not certified: the order so far is a best guess, without a promise.'
    """

    assume: str
    k: int | None = None  # None: the whole order
    proven: tuple[Name, ...] | None = None
    claims: int = 0  # links that are claimed, where not everything is proven
    contradictory: bool = False
    withheld: Withheld | None = None
    trusted: bool = False
    resting: tuple[Name, ...] = ()

    @property
    def words(self) -> str:
        assumed, beside = ASSUMED[self.assume], _trusted(self.trusted) + _resting(self.resting)
        if self.proven is not None:
            return f"{self.surely} {_what(self.proven, self.k)}, {assumed}.{beside}"
        if self.contradictory:
            return CONTRADICTORY
        why = self.withheld
        lead = f"Not certified, although every link was proven: {why.words}. " if why else ""
        if not self.claims:
            return lead.rstrip() or "Not certified: the order so far is a best guess, without a promise."
        hold = "the 1 claimed link holds" if self.claims == 1 else f"all {self.claims} claimed links hold"
        return (
            f"{lead or 'Not certified as a whole. '}{self.surely} {hold}, and with them every item's range of "
            f"ranks, {assumed}.{beside}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPromise(Promise):
    """The best item, by ruling out all others. `void`: gold pairs refuted a judge on whom it rests.

    >>> BestPromise(error=0.05, assume="steady", items=9, ruled_out=2).words[:66]
    'Not proven yet. With probability at least 95 % the best item is on'
    """

    assume: str
    items: int
    ruled_out: int
    best: Name | None = None
    withheld: Withheld | None = None
    trusted: bool = False
    resting: tuple[Name, ...] = ()
    void: bool = False

    @property
    def words(self) -> str:
        if self.void:
            return VOID
        trusted = _trusted(self.trusted)
        if self.best is not None:
            beside = trusted + _resting(self.resting)
            return f"{self.surely} {_what((self.best,), 1)}, {ASSUMED[self.assume]}.{beside}"
        if self.withheld is not None:
            return f"Not proven, although all items but one are ruled out: {self.withheld.words}."
        if not self.ruled_out:
            return "Not proven: the order so far is a best guess, without a promise."
        return (
            f"Not proven yet. {self.surely} the best item is one of {self.items - self.ruled_out}: "
            f"{self.ruled_out} of {self.items} items are ruled out, {ASSUMED[self.assume]}.{trusted}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPromise(Promise):
    """The whole order, once the paper's ranker has finished; `fresh`: judges answer anew each time.

    >>> PaperPromise(error=0.05, finished=True, fresh=False).words[:13]
    'Not certified'
    """

    finished: bool
    fresh: bool

    @property
    def words(self) -> str:
        if not self.finished:
            return "Not certified: the order so far, without a promise."
        if not self.fresh:
            return (
                "Not certified: judges who do not answer afresh were asked the same pair again, which proves "
                "nothing."
            )
        return (
            f"{self.surely} this is the whole true order, if every judge is right more often than not, equally "
            "often on every pair, and answers afresh each time."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessPromise(Promise):
    """A ranker without a checker promises nothing.

    >>> GuessPromise(error=0.05).words
    'No promise: this is a best guess.'
    """

    @property
    def words(self) -> str:
        return "No promise: this is a best guess."


def _what(proven: Sequence[Name], k: int | None) -> str:
    """What a complete proof says."""
    if k is None:
        return "this is the whole true order"
    if k == 1:
        return f"{in_sentence(proven[0])} is the best item"
    return f"the {k} best items are {in_sentences(proven[:k])}"


def _trusted(trusted: bool) -> str:
    return TRUSTED if trusted else ""


def _resting(judges: Sequence[Name]) -> str:
    if not judges:
        return ""
    who = ", ".join(in_sentence(name) for name in judges[:NAMED]) + (" and others" if len(judges) > NAMED else "")
    return (
        f" It rests on repeated answers of {who}, who never changed one: so few pairs cannot show whether these "
        "were fresh looks or memory."
    )


# ----------------------------------------------------------------------------
# What is claimed of a majority: of people like those who came, or of exactly these judges.
NOTHING = "Nothing is proven yet: the order so far is a best guess, without a promise."
NOT_THE_TRUTH = "This is about what most people would say, not about the truth."
COUNTED = "It is counted, not estimated, and says nothing about other judges or the truth."
OWN_NEITHER = "; two items are compared among people who own neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePromise(Promise):
    """What most people would say. `promised`: is anything? `own`: some people passed over work of their own.

    `scores`: about shares of wins against a random other item, not pair by pair.

    >>> PeoplePromise(error=0.05, goal="ranges", promised=True).words[:45]
    'With probability at least 95 % all rank range'
    """

    goal: str  # ranges, tiers, best, top-3
    promised: bool
    scores: bool = False
    own: bool = False

    @property
    def words(self) -> str:
        if not self.promised:
            return NOTHING
        ranges = self.goal == "ranges"
        if self.scores:
            shown = "ranges of the ranks" if ranges else "lines between the ranks"
            return (
                f"{self.surely} all {shown} of scores hold at once and at every moment. An item's score is the "
                "share of comparisons with a random other item that a random person decides in its favour, "
                f"undecided ones counting half{OWN_NEITHER if self.own else ''}. {NOT_THE_TRUTH}"
            )
        if ranges:
            return (
                f"{self.surely} all rank ranges hold at once and at every moment. An item's rank is one plus the "
                "number of items that a majority prefers to it, for some way of breaking the population's exact "
                f"ties. {NOT_THE_TRUTH}"
            )
        k = 1 if self.goal == "best" else self.goal.removeprefix("top-")
        line = "a line" if self.goal == "tiers" else f"the line after rank {k}"
        return (
            f"{self.surely}, at every moment, each item above {line} is preferred by at least half of the people "
            f"to each item below it, pair by pair. {NOT_THE_TRUTH}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPromise(Promise):
    """The majority of exactly these judges. `level`: how many of so many pairs tie, where no pair is settled.

    >>> CountedPromise(error=0.05, goal="best", judges=3, promised=True, level=(3, 3)).words[:75]
    'This is the majority of exactly these 3 judges: all 3 pairs are exact ties,'
    """

    goal: str  # order, best, top-3, ranges, tiers
    judges: int
    promised: bool
    level: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        if not self.promised:
            return NOTHING
        alone, order = self.judges == 1, self.goal == "order"
        says = (
            "what exactly this one judge says" if alone else f"the majority of exactly these {self.judges} judges"
        )
        if self.level is not None:
            return f"This is {says}: {level_words(*self.level)}. {COUNTED}"
        which = "for settled neighbours in the order" if order else "for a settled pair"
        prefer = (
            "the judge prefers the first"
            if alone
            else "more than half of the judges who choose between the two prefer the first, whatever the others "
            "would still say"
        )
        whose = "judge's" if alone else "majority's"
        follow = f"Other pairs follow from these only if the {whose} preferences, ties included,"
        chain = f" {follow} do not go in a circle."
        return f"This is {says}: {which}, {prefer}. {COUNTED}{chain if order else ''}"
