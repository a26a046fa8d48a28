"""Adversarial documents made from the table of fields: what may a field be, and what if somebody chose it late?

Each takes a random source and a document, alters it, and returns nothing; `KINDS` says what it is good for.

edge         the smallest and largest values of a field, and those just outside
cancelling   numbers of which sums and differences lose everything
late         labels, times and places chosen when the answers are known, so that unwelcome ones fall out
heavy        counts and lists out of proportion to the file
"""

import copy
import sys
from datetime import datetime, timedelta

from juryrank.log.fields import BODIES
from juryrank.log.terms import TERMS
from juryrank.rankers import ranker_class
from tests.verify.forger.log import insert, of_kind, place_of

NUMBERS = (0, 1, -1, 0.0, 5e-324, 2.3e-308, 1e-300, 1e-17, 1e-6, 0.5, 1 - 1e-16, 1 + 3e-16, 1e6, 2**53, 2**53 + 1,
           1e15, 1e16, 10**17, 1e300, -5e-324, 0.25, 2, 30)  # fmt: skip
TEXTS = (
    "", " ", "x" * 20_000, "\u200b", "best", "steady", "order", "prove", "import", "identical outputs", "own-work",
    "withdrawn", "2000-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+00:00",
)  # fmt: skip


def field_of(rng, forged):
    """A random place that the table knows: the object that holds it, and its name. It may not be there yet."""
    ranker = forged["settings"]["ranker"]
    where = rng.random()
    created = forged["events"][0]["data"]
    if where < 0.15:
        created["options"] = dict(created.get("options") or {})
        return created["options"], rng.choice(sorted(ranker_class(ranker).declared.names()) or ["k"])
    if where < 0.25:
        return created, rng.choice(list(BODIES["created"].values))
    asked = of_kind(forged, "asked")
    if where < 0.7 and asked:
        terms = rng.choice(asked)["data"]["terms"]
        known = list(terms) or [row.name for row in TERMS if ranker in row.rankers]
        every = [row.name for row in TERMS if ranker in row.rankers] or ["bet"]
        return terms, rng.choice(known if rng.random() < 0.7 else every)
    event = rng.choice(forged["events"][1:] or forged["events"])
    if rng.random() < 0.1:
        return event, "at"
    return event["data"], rng.choice(list(BODIES[event["kind"]].values) or ["mood"])


def extreme(rng, held, names):
    """Another value at the edge of what may stand there."""
    if isinstance(held, bool):
        return rng.choice([not held, None, 1])
    if isinstance(held, int | float):
        near = [held + 1, held - 1, held * (1 + 2.3e-16), held * (1 - 1.2e-16), -held, held / 3, held * 1e6]
        return rng.choice([*NUMBERS, *near])
    if isinstance(held, str):
        return rng.choice([*TEXTS, *names, f"{held}\u200b", held.upper()])
    if isinstance(held, list):
        return extreme_list(rng, list(held), names)
    if isinstance(held, dict) and held and rng.random() < 0.8:
        name = rng.choice(list(held))
        return {**held, name: extreme(rng, held[name], names)}
    return rng.choice(
        [None, {}, [], True, False, rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(names), names]
    )


def extreme_list(rng, held, names):
    how = rng.randrange(7)
    if how == 0:
        return []
    if how == 1:
        return held[::-1]
    if how == 2:
        return rng.sample(held, len(held))
    if how == 3:
        return held + held[:1]
    if how == 4:
        return held[:-1]
    if how == 5:
        return (held or [0]) * 500
    if held:
        k = rng.randrange(len(held))
        held[k] = extreme(rng, copy.deepcopy(held[k]), names)
    return held


def names_of(forged):
    created = forged["settings"]
    return [*created["items"], *created["judges"]]


def edge(rng, forged):
    holder, name = field_of(rng, forged)
    holder[name] = extreme(rng, copy.deepcopy(holder.get(name)), names_of(forged))


def edge_everywhere(rng, forged):
    """The same extreme value for a term of every question."""
    holder, name = field_of(rng, forged)
    value = extreme(rng, copy.deepcopy(holder.get(name)), names_of(forged))
    for event in of_kind(forged, "asked"):
        if name in event["data"]["terms"]:
            event["data"]["terms"][name] = copy.deepcopy(value)
    holder[name] = value


def cancelling(rng, forged):
    """Bets that are almost everything, priors on one point, shapes and prices of very different size."""
    how = rng.randrange(6)
    for event in of_kind(forged, "asked"):
        terms = event["data"]["terms"]
        if "bet" in terms and how in (0, 1):
            terms["bet"] = rng.choice([1 - 1.2e-16, 0.9999999, 5e-324, 0.98])
        if "prior" in terms and how in (0, 2):
            place = rng.randrange(30)
            terms["prior"] = [float(k == place) for k in range(30)]
        if "prior" in terms and how in (1, 3):
            terms["prior"] = [0.0] * 30
            terms["beta"] = [1.0, *rng.choice([(1e6, 1e-6), (1e-6, 1e6), (1e6, 1e6), (1e-6, 1e-6), (1e6, 2e5)])]
        if isinstance(terms.get("list"), dict):
            terms["list"]["square"] = rng.choice([0, 1, 5e-324, terms["list"]["square"]])
            for row in terms["list"]["claims"]:
                row[2:] = rng.choice([[1e6, 0.0], [-1e6, 1e6], [0.0, 5e-324], [1.0, 1e-17], row[2:]])
    created = forged["events"][0]["data"]
    if how == 4:
        created["prices"] = {judge: rng.choice([0, 5e-324, 1e15, 1.0]) for judge in created["judges"]}
    if how == 5 and created["ranker"] == "jury":
        created["options"]["weights"] = {judge: rng.choice([5e-324, 1e15, 1.0]) for judge in created["judges"]}


# ---------------------------------------------------------------------- chosen when the answers are known
def unwelcome(rng, forged):
    """Answers against the order shown, with their questions; sometimes those for it."""
    place = {item: k for k, item in enumerate(forged["estimates"]["order"])}
    shown = {event["data"]["q"]: event for event in of_kind(forged, "asked")}
    found, against = [], rng.random() < 0.85
    for told in of_kind(forged, "told"):
        asked = shown.get(told["data"]["q"])
        if asked is None or told["data"]["answer"] not in ("left", "right"):
            continue
        left, right = asked["data"]["left"], asked["data"]["right"]
        good = "left" if place.get(left, 0) < place.get(right, 0) else "right"
        if (told["data"]["answer"] != good) == against:
            found.append((asked, told))
    return found


def contrary(rng, forged):
    """First a few answers turn against the list: what a forger has to get rid of."""
    for event in of_kind(forged, "told"):
        if rng.random() < 0.3 and event["data"]["answer"] in ("left", "right"):
            event["data"]["answer"] = "left" if event["data"]["answer"] == "right" else "right"


def late_labels(rng, forged):
    """Unwelcome answers are filed where they do not count."""
    how = rng.randrange(8)
    for asked, told in unwelcome(rng, forged):
        terms = asked["data"]["terms"]
        if how == 0 and "attempt" in terms:
            terms["attempt"] = rng.choice([0, 1, terms["attempt"] + 1, 2**53])
        elif how == 1 and "phase" in terms:
            terms["phase"] = rng.choice(["repair", "insert", "cross-examine"])
        elif how == 2:
            asked["data"]["terms"] = {}
        elif how == 3 and "place" in terms:
            terms["beyond"] = True
        elif how == 4:
            told["data"].update(answer="skip", source=rng.choice(["own-work", "withdrawn", "failed"]))
        elif how == 5:
            told["data"].update(answer="tie", source="identical outputs")
        elif how == 6 and "item" in terms:
            terms["item"] = asked["data"]["left" if terms["item"] == asked["data"]["right"] else "right"]
        elif how == 7 and "bet" in terms:
            terms["bet"] = 0.0


def late_bets(rng, forged):
    """Whoever knows the answer bets on it."""
    against = {asked["data"]["q"] for asked, _ in unwelcome(rng, forged)}
    for event in of_kind(forged, "asked"):
        if "bet" in event["data"]["terms"]:
            event["data"]["terms"]["bet"] = 0.0 if event["data"]["q"] in against else 0.99


def late_times(rng, forged):
    """Deadlines and clocks by which unwelcome answers came too late, or never."""
    how = rng.randrange(4)
    for asked, told in unwelcome(rng, forged):
        at = moved(told["at"] or "2026-01-01T00:00:00+00:00", rng.choice([-1000, -1.5, 0, 1.5]))
        asked["data"]["deadline"] = at
        k = place_of(forged, told)
        if how == 0:
            told["kind"], told["data"] = "expired", {"q": told["data"]["q"]}
        elif how == 1:
            insert(forged, k, "expired", {"q": told["data"]["q"]}, told["at"])
        elif how == 2:
            del forged["events"][k]
        else:
            asked["at"] = told["at"] = moved(at, rng.choice([-5, 5]))


def moved(at, seconds):
    return (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat()


def late_places(rng, forged):
    """Places, attempts or sittings of questions change hands: the welcome ones first."""
    asked = of_kind(forged, "asked")
    name = rng.choice(["place", "attempt", "sitting", "link", "item", "chances", "duel", "bet", "list", "plan"])
    those = [event["data"]["terms"] for event in asked if name in event["data"]["terms"]]
    values = [terms[name] for terms in those]
    values = values[::-1] if rng.random() < 0.3 else rng.sample(values, len(values))
    for terms, value in zip(those, values, strict=True):
        terms[name] = value


def late_order(rng, forged):
    """Answers in another order: the welcome ones first, the others at the end, or never."""
    told = [event for _, event in unwelcome(rng, forged)]
    forged["events"] = [event for event in forged["events"] if not any(event is one for one in told)]
    if rng.random() < 0.6:
        forged["events"] += told


def late_undo(rng, forged):
    """Unwelcome answers are taken back by their judges, as it were, and given again."""
    for asked, told in unwelcome(rng, forged)[:20]:
        k, data = place_of(forged, told), told["data"]
        said = {"told": k + 1, "judge": asked["data"]["judge"], "answer": data["answer"], "q": data["q"]}
        insert(forged, k + 1, "retracted", {**said, "post_hoc": False, "by": "judge"}, told["at"])
        other = "left" if data["answer"] == "right" else "right"
        insert(forged, k + 2, "told", {**data, "answer": other}, told["at"])


def late_judges(rng, forged):
    """Whoever answered unwelcomely is set aside before they were asked, or owns what they saw."""
    against = [asked for asked, _ in unwelcome(rng, forged)]
    judges = {asked["data"]["judge"] for asked in against}
    kind = rng.choice(["judge_paused", "judge_removed", "own", "lapsed"])
    for asked in of_kind(forged, "asked") if kind in ("own", "lapsed") else ():
        terms = asked["data"]["terms"]
        if asked["data"]["judge"] in judges and "plan" in terms:
            if kind == "own":
                terms["own"] = [asked["data"]["left"]]
            else:
                insert(forged, len(forged["events"]), "lapsed", {"sitting": terms["sitting"]}, asked["at"])
    for judge in sorted(judges) if kind.startswith("judge") else ():
        insert(forged, rng.randrange(1, len(forged["events"]) + 1), kind, {"judge": judge})


# ---------------------------------------------------------------------- out of proportion
def heavy(rng, forged):
    created = forged["events"][0]["data"]
    options = created["options"] = dict(created.get("options") or {})
    how = rng.randrange(8)
    if how == 0:
        options["cases"] = rng.choice([1_000_000, 999_999, 10**17])
    elif how == 1:
        created["judges"] = created["judges"] + [f"more{k}" for k in range(3000)]
    elif how == 2:
        more = [f"more{k}" for k in range(1500)]
        created["items"] = created["items"] + more
        forged["estimates"]["order"] = forged["estimates"]["order"] + more
    elif how == 3:
        options[rng.choice(["sitting", "beyond", "k", "subset", "same_outputs", "repeats", "patience"])] = 2**53
    elif how == 4:
        step = rng.choice([("items_added", lambda k: {"items": [f"more{k}"]}),
                           ("judge_added", lambda k: {"judge": f"more{k}", "price": 1.0})])  # fmt: skip
        for k in range(400):
            insert(forged, rng.randrange(1, len(forged["events"])), step[0], step[1](k))
    elif how == 5:
        judge = rng.choice(created["judges"])
        for n in range(1, 600):
            gold = {"judge": judge, "n": n, "purpose": "gold", "left": f"g{n}", "right": "h", "better": "left"}
            insert(forged, len(forged["events"]), "aside", {**gold, "answer": rng.choice(["left", "right"])})
    elif how == 6:
        for _ in range(600):
            kind = rng.choice(["judge_paused", "judge_resumed", "edited", "closed", "reopened"])
            data = {"judge": rng.choice(created["judges"])} if kind.startswith("judge") else {}
            data = {"settings": {"question": "?"}} if kind == "edited" else data
            insert(forged, rng.randrange(1, len(forged["events"])), kind, data)
    else:
        created["settings"] = {"contents": dict.fromkeys(created["items"], "x" * 5000), "x": [[0]] * 5000}


KINDS = {
    "edge": (edge, edge, edge, edge_everywhere),
    "cancelling": (cancelling,),
    "late": (late_labels, late_bets, late_times, late_places, late_order, late_undo, late_judges),
    "heavy": (heavy,),
}


def adversarial(rng, forged):
    """Alter a document; the kinds of what was done, and their names."""
    done = []
    if rng.random() < 0.4:
        contrary(rng, forged)
        done.append(("late", "contrary"))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.choices(list(KINDS), weights=[5, 1, 4, 0.6])[0]
        alter = rng.choice(KINDS[kind])
        try:
            alter(rng, forged)
        except (IndexError, ValueError, KeyError, TypeError, OverflowError, AttributeError):
            continue  # an earlier alteration left nothing to alter
        done.append((kind, alter.__name__))
    return done


if __name__ == "__main__":  # python -m tests.verify.forger.fields FROM TO: try many, and count them
    from tests.verify.forger.forge import FieldTally

    tally = FieldTally().forge(range(int(sys.argv[1]), int(sys.argv[2])))
    print(dict(tally.seen), f"slowest: {tally.slowest}", *tally.passed, *tally.crashed, sep="\n")
