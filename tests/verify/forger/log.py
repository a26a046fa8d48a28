"""Alterations of a certificate's log. The forger recomputes the chain, and the settings too."""

import copy

from tests.verify.forger.leaves import at, leaves, other, put


def of_kind(forged, *kinds):
    return [event for event in forged["events"] if event["kind"] in kinds]


def insert(forged, k, kind, data, at=None):
    forged["events"].insert(k, {"seq": 0, "kind": kind, "data": data, "at": at, "hash": "0" * 64})


def place_of(forged, event):
    return next(k for k, one in enumerate(forged["events"]) if one is event)


def another_answer(rng, forged):
    for event in rng.sample(of_kind(forged, "told"), min(rng.choice([1, 1, 3, 10]), len(of_kind(forged, "told")))):
        event["data"]["answer"] = rng.choice(["left", "right", "tie", "skip"])


def all_for_one_side(rng, forged):
    """Everybody prefers the item that the forger does."""
    wanted = rng.choice(forged["settings"]["items"])
    shown = {event["data"]["q"]: event["data"] for event in of_kind(forged, "asked")}
    for event in of_kind(forged, "told"):
        pair = shown[event["data"]["q"]]
        if wanted in (pair["left"], pair["right"]):
            event["data"]["answer"] = "left" if pair["left"] == wanted else "right"


def another_order(rng, forged):
    """One item comes first in orders of several, wherever it was; or others are shown, or in another order."""
    shown = {event["data"]["q"]: event["data"] for event in of_kind(forged, "asked")}
    told = [event["data"] for event in of_kind(forged, "told") if event["data"].get("order")]
    if rng.random() < 0.3:
        data = rng.choice([data for data in shown.values() if data.get("shown")])
        rng.shuffle(data["shown"])
        del data["shown"][: rng.choice([0, 0, 1])]
        data["left"], data["right"] = data["shown"][0], data["shown"][-1]
        return
    wanted = rng.choice(forged["settings"]["items"])
    for data in rng.sample(told, rng.randint(1, len(told))):
        rest = [[item for item in tier if item != wanted] for tier in data["order"]]
        data["order"] = [[wanted], *filter(None, rest)]
        place = {item: at for at, tier in enumerate(data["order"]) for item in tier}
        ends = [place[shown[data["q"]][side]] for side in ("left", "right")]
        data["answer"] = "left" if ends[0] < ends[1] else "right" if ends[0] > ends[1] else "tie"


def without_an_event(rng, forged):
    del forged["events"][rng.randrange(1, len(forged["events"]))]


def without_the_last(rng, forged):
    del forged["events"][rng.randrange(1, len(forged["events"])) :]


def twice(rng, forged):
    k = rng.randrange(1, len(forged["events"]))
    forged["events"].insert(rng.randrange(1, len(forged["events"])), copy.deepcopy(forged["events"][k]))


def elsewhere(rng, forged):
    event = forged["events"].pop(rng.randrange(1, len(forged["events"])))
    forged["events"].insert(rng.randrange(1, len(forged["events"]) + 1), event)


def another_judge(rng, forged):
    rng.choice(of_kind(forged, "asked"))["data"]["judge"] = rng.choice([*forged["settings"]["judges"], "eve"])


def another_pair(rng, forged):
    data = rng.choice(of_kind(forged, "asked"))["data"]
    if rng.random() < 0.5:
        data["left"], data["right"] = data["right"], data["left"]
    else:
        data[rng.choice(["left", "right"])] = rng.choice([*forged["settings"]["items"], "z"])


def other_terms(rng, forged):
    """Bets, levels, lists, links, attempts, plans, priors: what was fixed when a question was asked."""
    event = rng.choice([event for event in of_kind(forged, "asked") if event["data"].get("terms")])
    terms = event["data"]["terms"]
    path = rng.choice(list(leaves(terms)))
    before = at(terms, path)
    choices = [other(before), None, True, 0, 1, 0.99, "prove", rng.choice(forged["settings"]["items"]), [], {}]
    if isinstance(before, int | float):
        choices += [before * 10, before / 10, -before]
    put(terms, path, rng.choice(choices))


def other_lists(rng, forged):
    """A list of an attempt, or the order in which its links are claimed, turned round."""
    events = [e for e in of_kind(forged, "asked") if "list" in (e["data"].get("terms") or {})]
    if events:
        terms = rng.choice(events)["data"]["terms"]
        held = terms[rng.choice([name for name in ("list", "surest") if name in terms])]
        held = held[rng.choice(["order", "claims"])] if isinstance(held, dict) else held  # a jury's
        rng.choice([held.reverse, lambda: rng.shuffle(held)])()


def borrowed_terms(rng, forged):
    """A question counts where another one did."""
    one, two = rng.choice(of_kind(forged, "asked")), rng.choice(of_kind(forged, "asked"))
    one["data"]["terms"] = copy.deepcopy(two["data"].get("terms"))


def expires(rng, forged):
    """An unwelcome answer becomes an expiry, or comes too late."""
    event = rng.choice(of_kind(forged, "told"))
    expiry = {"q": event["data"]["q"]}
    insert(forged, place_of(forged, event), "expired", expiry, event["at"])
    if rng.random() < 0.7:
        forged["events"].remove(event)


def lapses(rng, forged):
    insert(forged, rng.randrange(2, len(forged["events"]) + 1), "lapsed", {"sitting": rng.randint(1, 5)})


def taken_back(rng, forged):
    """An unwelcome answer is taken back and given anew."""
    for event in rng.sample(of_kind(forged, "told"), min(rng.choice([1, 1, 5, 20]), len(of_kind(forged, "told")))):
        k, q = place_of(forged, event), event["data"]["q"]
        judge = next(e["data"]["judge"] for e in of_kind(forged, "asked") if e["data"]["q"] == q)
        said = {"told": k + 1, "judge": judge, "answer": event["data"]["answer"]}
        who = {"post_hoc": rng.random() < 0.3, "by": rng.choice(["judge", "judge", "owner", "program"])}
        insert(forged, k + 1, "retracted", {"q": q, **said, **who}, event["at"])
        insert(forged, k + 2, "told", {**event["data"], "answer": rng.choice(["left", "right"])}, event["at"])


def joins(rng, forged):
    """Items and judges that are there already, or never were."""
    k = rng.randrange(1, len(forged["events"]) + 1)
    names = [*forged["settings"]["items"], "new"]
    if rng.random() < 0.6:
        insert(forged, k, "items_added", {"items": rng.choices(names, k=rng.choice([1, 2]))})
    else:
        judge = rng.choice([*forged["settings"]["judges"], "eve"])
        insert(forged, k, "judge_added", {"judge": judge, "price": 1.0})


def withdraws(rng, forged):
    """An item that spoils the picture is withdrawn, one that never was, or one pair is passed over."""
    if rng.random() < 0.5:
        rng.choice(of_kind(forged, "told"))["data"].update(answer="skip", source="withdrawn")
    else:
        names = [*forged["settings"]["items"], "new"]
        k = rng.randrange(1, len(forged["events"]) + 1)
        insert(forged, k, "items_withdrawn", {"items": rng.sample(names, rng.choice([1, 2]))})


def done_to_judges(rng, forged):
    kind = rng.choice(["judge_removed", "judge_paused", "judge_resumed"])
    data = {"judge": rng.choice([*forged["settings"]["judges"], "eve"])}
    if kind == "judge_removed":
        data["discard"] = rng.random() < 0.5
    insert(forged, rng.randrange(1, len(forged["events"]) + 1), kind, data)


def other_settings(rng, forged):
    data = forged["events"][0]["data"]
    how = rng.randrange(7)
    if how == 0:
        data["error"] = rng.choice([data["error"] / 2, data["error"] * 2, 0.999, 1e-9])
    elif how == 1:
        names = [
            "assume",
            "repeats",
            "objective",
            "k",
            "about",
            "relation",
            "joining",
            "sitting",
            "fresh",
            "trust_repeats",
            "beyond",
            "resolution",
            "sides",
            "refusals",
            "absent",
            "weights",
            "cases",
        ]
        values = [
            "steady",
            "winner",
            1,
            2,
            99,
            "order",
            "ranges",
            "best",
            "panel",
            "field-share",
            False,
            True,
            0.25,
            "both",
            "against",
            [[*data["items"][:2], ["q1", "q2"]]],
            dict.fromkeys(data["judges"], 2),
            3,
            None,
        ]
        data["options"] = {**(data.get("options") or {}), rng.choice(names): rng.choice(values)}
    elif how == 2:
        data[rng.choice(["items", "judges"])].append(rng.choice(["zz", data["items"][0]]))
    elif how == 3:
        data[rng.choice(["items", "judges"])].pop()
    elif how == 4:
        data["ranker"] = rng.choice(["certified", "panel", "iir", "nobody"])
    elif how == 5:
        data["seed"] = rng.choice([0, 1, 99, -1])
    else:
        name = rng.choice(["fresh", "prices", "lease", "sitting_lease", "sitting_idle", "edits", "budget"])
        values = {"fresh": True, "prices": dict.fromkeys(data["judges"], 3.0), "edits": ["nothing"], "budget": 3}
        data[name] = values.get(name, 1.0)


def odd_events(rng, forged):
    """What happens to a study besides questions and answers, at any place."""
    k = rng.randrange(1, len(forged["events"]) + 1)
    kind, data = rng.choice([
        ("restored", {"events": k, "head": forged["events"][k - 1]["hash"]}),
        ("restored", {"events": 1, "head": forged["events"][0]["hash"]}),
        ("key_changed", {"old": "0" * 64, "new": "1" * 64, "signature": "2" * 128}),
        ("edited", {"settings": {"question": "Which is worse?", "cases": {"inputs": {}, "outputs": None}}}),
        ("seed_opened", {"seed": 1, "salt": "0" * 64}),
        ("closed", {}), ("reopened", {}),
        ("created", copy.deepcopy(forged["events"][0]["data"])),
        ("probed", {"judge": forged["settings"]["judges"][0], "found": {"right": 1}}),
    ])  # fmt: skip
    insert(forged, k, kind, data, forged["events"][k - 1]["at"])


def imported(rng, forged):
    """Answers that another program collected, or that nobody gave."""
    for event in rng.sample(of_kind(forged, "asked"), rng.choice([1, len(of_kind(forged, "asked"))])):
        event["data"]["source"] = "import"
    if rng.random() < 0.5:
        rng.choice(of_kind(forged, "told"))["data"].update(answer="tie", source="identical outputs")


def other_times(rng, forged):
    event = rng.choice(forged["events"])
    moment = rng.choice(["2020-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00", None, "today"])
    if event["kind"] == "asked" and rng.random() < 0.5:
        event["data"][rng.choice(["deadline", "sitting_deadline"])] = moment
    else:
        event["at"] = moment


def sittings_of_another_size(rng, forged):
    """Answers of those who went on count for promises, or answers within the promised number do not."""
    places = [event["data"]["terms"] for event in of_kind(forged, "asked") if "place" in event["data"]["terms"]]
    for terms in rng.sample(places, min(rng.choice([1, 1, 10, 99]), len(places))):
        if "plan" in terms:
            terms["counts"] = rng.choice([1, len(terms["plan"]), terms.get("counts", 2) + 1])
        elif terms.pop("beyond", None) is None:
            terms["beyond"] = True


def silent_for_longer(rng, forged):
    """A sitting may be idle for another time than was fixed at its start."""
    starts = [event["data"] for event in of_kind(forged, "asked") if "sitting_idle" in event["data"]]
    for data in starts if rng.random() < 0.5 else starts[:1]:
        data["sitting_idle"] = rng.choice([1.0, 60.0, 1e9])
    if "sitting_idle" in forged["events"][0]["data"]:
        forged["events"][0]["data"]["sitting_idle"] = rng.choice([1.0, 60.0, 1e9])


def gold_as_evidence(rng, forged):
    """A gold answer becomes an answer that counts, with the terms of another question."""
    event = rng.choice(of_kind(forged, "aside"))
    model = copy.deepcopy(rng.choice(of_kind(forged, "asked"))["data"])
    number = max(e["data"]["q"] for e in of_kind(forged, "asked")) + 1
    k = place_of(forged, event)
    asked = {**model, "q": number, "judge": event["data"]["judge"]}
    insert(forged, len(forged["events"]), "asked", asked, event["at"])
    insert(forged, len(forged["events"]), "told", {"q": number, "answer": event["data"]["answer"]}, event["at"])
    if rng.random() < 0.7:
        del forged["events"][k]


def other_gold(rng, forged):
    """Gold answers become right, go to another judge, or vanish."""
    for event in rng.sample(of_kind(forged, "aside"), rng.choice([1, len(of_kind(forged, "aside"))])):
        how = rng.randrange(3)
        if how == 0:
            event["data"]["answer"] = event["data"].get("better", "left")
        elif how == 1:
            event["data"]["judge"] = rng.choice([*forged["settings"]["judges"], "eve"])
        else:
            forged["events"].remove(event)


ALTERATIONS = (
    another_answer, all_for_one_side, without_an_event, without_the_last, twice, elsewhere, another_judge,
    another_pair, other_terms, other_terms, other_lists, borrowed_terms, expires, lapses, taken_back, joins,
    withdraws,
    done_to_judges, other_settings, other_times, sittings_of_another_size, silent_for_longer, gold_as_evidence,
    other_gold, odd_events, imported, another_order,
)  # fmt: skip
