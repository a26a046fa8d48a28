"""What is claimed of the true order: by links, by elimination, or by the paper's rankers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from juryrank.quoting import in_sentence, in_sentences
from juryrank.statements.promise import Name, Promise

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
