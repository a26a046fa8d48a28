"""Logs drawn up from nothing by somebody who knows what each field is allowed to be, and a count in fractions.

Mutants of honest files never have a prior of 1e16 or a bet that lands a hair below what is needed. These have:
extremes of bets, weights, shapes, levels and errors, values that cancel, and proofs that end as close to 1/level
as doubles can.
"""

import json
import math
from fractions import Fraction

from juryrank.verify.arithmetic.evidence import SHAPES
from juryrank.verify.arithmetic.levels import attempt_level
from tests.verify import exact
from tests.verify.forger.oracle import redrawn, verdict
from tests.verify.logs import asked, expired, make_log, told

ERRORS = (0.05, 0.1, 0.3, 0.5, 0.9, 1 - 2**-53, 1e-9)
BETS = (0.0, 5e-324, 1e-17, 2.0**-53, 0.02, 0.5, 0.98, 1 - 1e-16, math.nextafter(1, 0))
NO_BETS = (1.0, 1, -1e-300, -0.5, 1 + 2**-52, 1e308, True, "0.5", None, [0.5], 10**400)
SHAPES_TRIED = (*SHAPES, 1.0, 0.5, 70.0, 3e5)
NO_SHAPES = (0.0, -1.0, 5e-324, 9e-5, 1.1e6, 7.5e16, 1e300, 1e308, True, "1", None, 10**400)
ATTEMPTS = (1, 1, 1, 1, 1, 2, 7, 10**9, 10**9 + 1, 0, -1, 1.0, True, "1", 10**30)
ITEMS = ("a", "b", "c")
LINKS = (("a", "b"), ("b", "c"))


def forged(rng):
    """One document as a file holds it, with the result that the program itself draws up; None: it draws none."""
    kind = rng.choice(["bets", "steady", "best"])
    error, attempt = rng.choice(ERRORS), rng.choice(ATTEMPTS)
    level = Fraction(error) if type(attempt) is not int or attempt < 1 else attempt_level(error, attempt)
    if kind == "best":
        attempt, level = 1, attempt_level(error, 1)
    steps = _steps(rng, kind, attempt, level)
    options = {"trust_repeats": True, **({"objective": "best"} if kind == "best" else {})}
    options |= {"assume": "steady"} if kind == "steady" else {}
    log = make_log(*steps, items=ITEMS, judges=("p", "q"), ranker="certified", error=error, options=options)
    rows = [{name: getattr(event, name) for name in ("seq", "kind", "data", "at", "hash")} for event in log]
    document = redrawn({"events": rows, "estimates": {"order": list(ITEMS)}})
    return None if document is None else json.loads(json.dumps(document))


def _steps(rng, kind, attempt, level):
    steps, worth, seen = [], {}, set()
    agreeing, wild = rng.choice([0.5, 0.8, 1.0]), rng.random() < 0.15
    landing = not wild and rng.random() < 0.5
    for q in range(1, rng.choice([4, 12, 30]) + 1):
        link, judge = LINKS[q % 2], rng.choice("pq")
        agrees, said = rng.random() < agreeing, rng.random() > 0.05
        if kind == "best":
            link = ("a", rng.choice("bc"))
            terms = {"phase": "best", "item": link[1], "bet": _bet(rng, wild, landing, worth.get(link, 1), level)}
            terms |= {"epoch": 1, "level": float(level)} if q == 1 else {}
        else:
            terms = {"phase": "prove", "attempt": attempt, "link": list(link)}
            terms |= {"list": list(ITEMS), "level": _level(rng, level), "surest": [0, 1]} if q == 1 else {}
            if kind == "bets":
                terms["bet"] = _bet(rng, wild, landing, worth.get(link, 1), level)
            elif judge not in seen:
                terms |= _prior(rng, wild)
        seen.add(judge)
        steps.append(asked(q, judge, *link, terms=terms))
        steps.append(told(q, "left" if agrees else "right") if said else expired(q))
        bet = terms.get("bet")
        if said and type(bet) is float and 0 <= bet < 1:
            worth[link] = worth.get(link, Fraction(1)) * (1 + Fraction(bet) if agrees else 1 - Fraction(bet))
    return steps


def _bet(rng, wild, landing, worth, level):
    """A bet; where it can, one that lands within a few doubles of what is needed."""
    if wild and rng.random() < 0.2:
        return rng.choice(NO_BETS)
    short = 1 / (level * worth) - 1 if worth else 2
    if landing and 0 < short < 1:
        bet = float(short)
        for _ in range(rng.randrange(4)):
            bet = math.nextafter(bet, rng.choice([0.0, 1.0]))
        return min(bet, math.nextafter(1, 0))
    return rng.choice([rng.choice(BETS), rng.random(), rng.random()])


def _level(rng, level):
    return rng.choice([float(level), float(level) * (1 + 5e-10), float(level) * (1 + 1e-6)])


def _prior(rng, wild):
    share = rng.choice([0.0, 0.5, 1.0])
    raw = [rng.choice([0.0, 5e-324, rng.random()]) for _ in range(29)] + [1.0]
    weights = [(1 - share) * weight / sum(raw) * rng.choice([1.0, 1.0, 1 + 1e-9, 1 + 1e-16]) for weight in raw]
    shapes = [rng.choice(NO_SHAPES if wild and rng.random() < 0.5 else SHAPES_TRIED) for _ in range(2)]
    return {"prior": weights, "beta": [share, *shapes]}


# ---------------------------------------------------------------------- what fractions say
def claimed_beyond(document):
    """The claims of a document that passes which fractions do not bear out; None: it does not pass."""
    report = verdict(document)
    if report is None or not report.true:
        return None
    questions = _counted(document["events"])
    best = document["settings"]["options"].get("objective") == "best"
    out = {tuple(claim[:2]) for claim in report.result["claims"]}
    if best:
        out |= {("a", item) for item in report.result["details"]["eliminated"]}
    return [pair for pair in out if not _proven(pair, questions, document["settings"], best=best)]


def _counted(events):
    answers = {e["data"]["q"]: e["data"]["answer"] for e in events if e["kind"] == "told"}
    return [(e["data"], answers.get(e["data"]["q"])) for e in events if e["kind"] == "asked"]


def _proven(pair, questions, settings, *, best):
    first = questions[0][0]["terms"]
    level = attempt_level(settings["error"], 1 if best else first["attempt"])
    if not best and "prior" in first:
        return any(exact.steady(*_steady(questions[:n]), LINKS.index(pair)) * level >= 1
                   for n in range(1, len(questions) + 1))  # fmt: skip
    worth, most = Fraction(1), Fraction(0)
    for data, said in questions:
        about = data["terms"]["item"] == pair[1] if best else tuple(data["terms"]["link"]) == pair
        if about and said is not None:
            worth *= 1 + Fraction(data["terms"]["bet"]) * (1 if said == "left" else -1)
            most = max(most, worth)
    return most * level >= 1


def _steady(questions):
    priors, votes = {}, []
    for data, said in questions:
        if "prior" in data["terms"]:
            priors[data["judge"]] = data["terms"]["prior"], data["terms"]["beta"]
        if said is not None:
            votes.append((data["judge"], LINKS.index(tuple(data["terms"]["link"])), said == "left"))
    return priors, votes
