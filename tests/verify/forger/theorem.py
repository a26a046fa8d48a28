"""What the theorem of docs/certified-proof.md says about a log, counted in fractions and from the raw events.

A list and its level are fixed with the first question of an attempt, a bet (or a judge's prior) with a question.
Then, if a link is wrong, its evidence is a nonnegative supermartingale from 1, in the order asked, up to the first
question that is still open; and the chance that it *ever* reaches 1/level is at most the level, whoever looks,
stops, gives up or goes on. So a claim is valid where every link up to it, in the order fixed with the list, has
once reached 1/level. Whatever is asked for besides (repeats, alarms) only takes claims away.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from tests.verify import exact


def bears_out(document, report):
    """Is everything that a report on the ranker `certified` claims valid by the theorem?"""
    settings, events = document["events"][0]["data"], document["events"]
    claims = {tuple(claim[:2]) for claim in report.result["claims"]}
    if "eliminated" in report.result["details"]:
        gone = {item for _, item in claims} | set(report.result["details"]["eliminated"])
        return gone <= _ruled_out(settings, events)
    attempts = _attempts(settings, events)
    if report.proven:
        last = attempts[max(attempts)]
        order = report.result["order"]
        if len(last.claimed()) < len(last.links) or (order is not None and order != last.order):
            return False
    return claims <= {link for attempt in attempts.values() for link in attempt.claimed()}


@dataclass
class Fixed:
    """One attempt: what its first question fixed, and the evidence of its links."""

    level: Fraction
    order: list
    surest: list
    links: list
    questions: list = field(default_factory=list)  # (terms, judge, winner or None), of those that ended, as asked
    waits: set = field(
        default_factory=set
    )  # links with a question open; None: under steady, where all are one queue

    def claimed(self):
        """The links before the first that never reached 1/level."""
        most = self._steady() if "prior" in self.questions[0][0] else self._bets()
        found = []
        for k in self.surest:
            if most[k] * self.level < 1:
                break
            found.append(self.links[k])
        return found

    def _bets(self):
        now, most = [Fraction(1)] * len(self.links), [Fraction(1)] * len(self.links)
        for terms, _, winner in self.questions:
            k = self.links.index(tuple(terms["link"]))
            if winner is not None:
                bet = Fraction(terms["bet"])
                now[k] *= 1 + bet if winner == self.links[k][0] else 1 - bet
                most[k] = max(most[k], now[k])
        return most

    def _steady(self):
        most, priors, votes = [Fraction(1)] * len(self.links), {}, []
        for terms, judge, winner in self.questions:
            if "prior" in terms:
                priors[judge] = terms["prior"], terms.get("beta", [0.0, 1.0, 1.0])
            if winner is not None:
                k = self.links.index(tuple(terms["link"]))
                votes.append((judge, k, winner == self.links[k][0]))
                most = [max(before, exact.steady(priors, votes, at)) for at, before in enumerate(most)]
        return most


def _attempts(settings, events):
    found = {}
    for data, ended, winner in _questions(events):
        terms = data["terms"]
        if terms.get("phase") != "prove":
            continue
        number = terms["attempt"]
        if number not in found:
            found[number] = _fixed(terms, _level(settings["error"], number))
        attempt, queue = found[number], None if "bet" not in terms else tuple(terms["link"])
        if not ended:
            attempt.waits.add(queue)
        if queue not in attempt.waits:
            attempt.questions.append((terms, data["judge"], winner))
    return {number: attempt for number, attempt in found.items() if attempt.questions}


def _fixed(terms, level):
    order, top = terms["list"], terms.get("top")
    links = list(pairwise(order))
    if top is not None:
        links = [(item, order[top - 1]) for item in order[: top - 1]]
        links += [(order[top - 1], item) for item in order[top:]]
    return Fixed(level, order, terms["surest"], links)


def _level(error, number):
    whole = Fraction(error)
    return Fraction(4, 5) * whole if number == 1 else Fraction(1, 5) * whole / (number * (number - 1))


def _ruled_out(settings, events):
    """Items whose evidence of not being the best has once been enough for all sets of items there were."""
    sets = 1 + sum(event["kind"] == "items_added" for event in events)
    joining = (settings.get("options") or {}).get("joining", True)
    level = _level(settings["error"], sets) if joining else Fraction(settings["error"])
    now, out, waits = defaultdict(lambda: Fraction(1)), set(), set()
    for data, ended, winner in _questions(events):
        terms = data["terms"]
        if terms.get("phase") != "best":
            continue
        item = terms["item"]
        waits |= set() if ended else {item}
        if item not in waits and winner is not None:
            bet = Fraction(terms["bet"])
            now[item] *= 1 - bet if winner == item else 1 + bet
            out |= {item} if now[item] * level >= 1 else set()
    return out


def _questions(events):
    """Every question as asked, whether it has ended, and the item preferred in time (None: none was)."""
    said, over = {}, set()
    for event in events:
        data = event["data"]
        if event["kind"] == "told" and data["q"] not in over:
            said[data["q"]] = data["answer"]
        elif event["kind"] == "expired":
            over.add(data["q"])
        elif event["kind"] == "retracted" and data["q"] not in over:
            said.pop(data["q"], None)
            over |= {data["q"]} if data["post_hoc"] else set()
    for event in events:
        if event["kind"] == "asked":
            data = event["data"]
            answer = said.get(data["q"])
            yield data, data["q"] in said or data["q"] in over, data.get(answer)
