"""Does a mutant pass, and may it?"""

import json

from juryrank.errors import JuryrankError
from juryrank.log import Event, fold
from juryrank.rankers.contract.ranker import Ranker
from juryrank.verify import read_certificate, verify
from juryrank.verify.compare import difference
from tests.verify.forger.theorem import bears_out
from tests.verify.logs import drawn_up

GIVEN_UP = ("items joined", "answers spoke against a link of the list")


def verdict(forged):
    """The report on a mutant as anybody would get it from a file; None: it is no certificate at all."""
    try:
        return verify(read_certificate(json.dumps(forged)))
    except JuryrankError:
        return None


def changes_the_result(forged, true):
    """Is anything claimed or counted otherwise than before?"""
    return bool(difference(forged["result"], true["result"]))


def redrawn(forged):
    """The clever forger: an altered log with the result that our own program makes of it; None: it makes none."""
    try:
        made = drawn_up(forged["events"], order=forged["estimates"]["order"])
        proven = made["result"].get("order")
        return drawn_up(forged["events"], order=proven) if proven else made
    except (JuryrankError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return None


def claims_something(report):
    """Is anything promised: the whole, that a claim is false, or one rank less than all for one item?"""
    ranges = report.result.get("ranges") or []
    narrower = any(worst - best + 1 < len(ranges) for _, best, worst in ranges)
    return report.true and (report.proven or report.refuted or narrower)


def ranker_agrees(forged, report):
    """Would the ranker itself, following these events, promise as much? Or does its theorem, counted in fractions?

    The program that asked and the program that checks are two; a log on which they disagree is a hole in one.
    What `certified` claims must follow from the theorem in any case.
    """
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in forged["events"]]
    try:
        state = fold(events)
        state.ranker = Ranker.restore(
            state.ranker.snapshot()
        )  # what it remembers of a forged past, looked up anew
        ranking = state.ranking()
    except Exception:
        return False
    if report.ranker == "certified" and not bears_out(forged, report):
        return False
    return _ended_sooner(ranking, report) or _counts_later_votes(ranking) or _promises_as_much(ranking, report)


def _promises_as_much(ranking, report):
    if report.refuted and not (ranking.refuted and _refuted(ranking) == _refuted(report)):
        return False
    if report.result["order"] is not None:
        return ranking.certified and list(ranking.order) == report.result["order"]
    if getattr(ranking.details, "assume", "") == "steady":
        # each answer counts for every link, and a ranker looks at a link when it is asked about
        return ranking.proven or not report.proven
    held = dict(zip(ranking.order, ranking.ranges, strict=True))
    wider = all(best <= held[item][0] and held[item][1] <= worst for item, best, worst in report.result["ranges"])
    return wider and (ranking.proven or not report.proven)


def _refuted(found):
    """Which claims are refuted, by a ranking or by a report."""
    details = found.result["details"]["refuted"] if hasattr(found, "result") else found.details.jury["refuted"]
    return [tuple(row[:2]) if isinstance(row, list) else (row["better"], row["worse"]) for row in details]


def _counts_later_votes(ranking):
    """Was every link proven, and is it not certified, under steady, as links rest on repeats?

    Then a vote that was out may make up for them: the ranker's count ends where the proof is complete, the
    checker's goes on. By the theorem the proof was valid before: all links of a wrong list ever reach 1/δ_m with
    probability at most δ_m. To ask whether it stands without some votes, whenever, only takes certificates away.
    """
    links = len(ranking.order) - 1
    return getattr(ranking.details, "assume", "") == "steady" and ranking.details.proven_links == links


def _ended_sooner(ranking, report):
    """Would the ranker have ended an attempt that the log goes on with? Then it knows less than the log proves.

    By the theorem that is valid: list, level and bets were fixed before the answers, and Ville's bound δ_m is on
    the evidence *ever* reaching 1/δ_m. When a ranker gives up, or items join, moves none of it; a later attempt
    has a level of its own. That somebody chose the questions by hand is for --rerun to find.
    """
    if not getattr(ranking.details, "attempts", ()) or "attempts" not in report.result["details"]:
        return False
    own, counted = ranking.details.attempts, report.result["details"]["attempts"]
    over = bool(own) and own[-1]["outcome"] in GIVEN_UP  # answers that were out then still come
    return over or [one["questions"] for one in own] != [one["questions"] for one in counted]
