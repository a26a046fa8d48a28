"""Small files that would take a checker long, or much memory, if it let them: each a whole certificate as text."""

import itertools
import json
import resource
import sys
import time

from tests.verify.logs import make_log

BOMBS = {}
ALL = 0.99  # an error at which one answer proves a link


def bomb(make):
    """Register a function that gives the steps and settings of a log."""
    BOMBS[make.__name__] = make
    return make


def text_of(name):
    """The file: its events are chained, its result claims nothing."""
    steps, created = BOMBS[name]()
    log = [
        {name: getattr(event, name) for name in ("seq", "kind", "data", "at", "hash")}
        for event in make_log(*steps, **created)
    ]
    document = {
        "format": "juryrank-certificate/1", "version": "0", "settings": log[0]["data"], "head": log[-1]["hash"],
        "result": {}, "estimates": {"order": all_items(log)}, "events": log,
    }  # fmt: skip
    return json.dumps(document)


def all_items(log):
    joined = [event["data"]["items"] for event in log if event["kind"] in ("created", "items_added")]
    return list(itertools.chain.from_iterable(joined))


def names(letter, number):
    return [f"{letter}{k}" for k in range(number)]


def asked(q, judge, left, right, terms=None, **more):
    return ("asked", {"q": q, "judge": judge, "left": left, "right": right, "terms": terms or {}, "deadline": None,
                      **more})  # fmt: skip


def answered(questions, answer="left"):
    for q, question in enumerate(questions, start=1):
        yield asked(q, *question)
        yield ("told", {"q": q, "answer": answer})


def study(steps, *, items, judges, ranker, error=0.1, **options):
    return list(steps), {"items": items, "judges": judges, "ranker": ranker, "error": error, "options": options}


# ---------------------------------------------------------------------- jury
@bomb
def a_million_cases_of_400_judges():
    terms = {"place": 0, "chances": [1 / 400] * 400}
    pairs = itertools.combinations(names("i", 3), 2)
    return study(answered(("j0", *pair, terms) for pair in pairs), items=names("i", 3), judges=names("j", 400),
                 ranker="jury", cases=1_000_000)  # fmt: skip


@bomb
def a_million_cases_of_one_judge():
    """Every draw is honest: all draws of a pair are its first one."""
    from juryrank.verify.jury.cells import hashed

    items = names("i", 25)
    questions = []
    for one, two in itertools.combinations(items, 2):
        digest = hashed(["juryrank draw", 0, one, two, 0])
        cell = int.from_bytes(digest[8:24], "big") * 2_000_000 >> 128
        shown = (one, two) if cell % 2 == 0 else (two, one)
        questions.append((len(questions) + 1, "j0", *shown, {"place": 0, "chances": [1.0]}))
        questions[-1] = asked(*questions[-1], case=str(cell // 2 + 1))
    return study(questions, items=items, judges=["j0"], ranker="jury", cases=1_000_000)


@bomb
def a_gate_among_20000_items():
    """Proven by the only two cells that there are."""
    items, steps = names("i", 20_000), []
    for place, (left, right) in enumerate([("i1", "i0"), ("i0", "i1")]):
        terms = {"place": place, "chances": [1.0]}
        steps += [asked(place + 1, "j0", left, right, terms), ("told", {"q": place + 1, "answer": "tie"})]
    return study(steps, items=items, judges=["j0"], ranker="jury", require=[items[:2]], resolution=0.25)


def one_draw(items, required):
    terms = {"place": 0, "chances": [1.0]}
    return study(answered([("j0", items[0], items[1], terms)]), items=items, judges=["j0"], ranker="jury",
                 fresh=True, sides="both", require=required, resolution=0.0)  # fmt: skip


@bomb
def a_name_that_can_be_read_in_many_ways():
    items = ["a", "over " * 60_000 + "b"]
    return one_draw(items, [f"a over {items[1]}"])


@bomb
def all_pairs_are_required():
    items = names("i", 300)
    return one_draw(items, list(itertools.combinations(items, 2)))


@bomb
def a_list_in_every_question_of_a_jury():
    """Every question fixes another list, and every list is recounted over all questions about its pairs."""
    items = names("i", 7)
    orders = itertools.islice(itertools.permutations(items), 900)
    steps = []
    for place, order in enumerate(orders):
        claims = [[*pair, 0.0, 1.0] for pair in itertools.pairwise(order)]
        fixed = {"rule": 1, "number": place + 1, "goal": 0.0, "order": order, "claims": claims, "square": 1.0}
        terms = {"place": place, "chances": [1.0], "list": fixed}
        steps += [asked(place + 1, "j0", "i0", "i1", terms), ("told", {"q": place + 1, "answer": "left"})]
    return study(steps, items=items, judges=["j0"], ranker="jury", fresh=True, sides="both", error=ALL,
                 objective="order", resolution=0.0)  # fmt: skip


def outputs_on_record(inputs, outputs):
    steps, created = study([], items=["a", "b"], judges=["j0"], ranker="jury", cases=1, same_outputs=1)
    return steps, created | {"settings": {"cases": {"inputs": inputs, "outputs": outputs}}}


@bomb
def one_case_of_many_outputs_again_and_again():
    return outputs_on_record(["1"] * 3000, {str(k): {"1": 0} for k in range(20_000)})


@bomb
def cases_of_systems_without_outputs():
    return outputs_on_record({str(k): "" for k in range(20_000)}, {f"s{k}": {} for k in range(20_000)})


@bomb
def lists_as_outputs_each_with_each():
    return outputs_on_record({"1": ""}, {str(k): {"1": [0] * 100} for k in range(3000)})


@bomb
def the_best_of_3000_for_a_jury():
    return study([], items=names("i", 3000), judges=["j0"], ranker="jury", cases=2, objective="best")


@bomb
def judges_of_a_jury_come_and_go():
    joins = [("judge_added", {"judge": f"k{n}", "price": 1.0}) for n in range(3000)]
    leaves = [("judge_removed", {"judge": f"k{n}"}) for n in range(3000)]
    return study([*joins, *leaves], items=["a", "b"], judges=["j0"], ranker="jury", cases=9, joining=True)


@bomb
def half_of_20000_items_wanted_by_a_jury():
    return study([], items=names("i", 20_000), judges=["j0"], ranker="jury", cases=2, objective="top-10000")


@bomb
def a_claim_that_can_be_read_in_many_ways():
    return study(
        [], items=["a", "b"], judges=["j0"], ranker="jury", cases=2, require=["a" + " over" * 50_000 + " b"]
    )


# ---------------------------------------------------------------------- many judges, asides, edits
@bomb
def subset_of_100000_judges():
    judges = names("j", 100_000)
    return study(answered([("j0", "a", "b", {"stage": "pair", "duel": 1})]), items=["a", "b"], judges=judges,
                 ranker="subset-two-stage", error=0.4)  # fmt: skip


@bomb
def median_of_20000_judges():
    judges = names("j", 20_000)
    terms = {"stage": "pair", "duel": 1}
    steps = answered((judges[k], "a", "b", terms) for k in range(700))
    more = []
    for k in range(700):
        more += [asked(1000 + k, judges[k], "a", "b", {"stage": "select", "duel": 0}),
                 ("told", {"q": 1000 + k, "answer": "left"})]  # fmt: skip
    return study(
        [*steps, *more], items=["a", "b"], judges=judges, ranker="two-stage", error=ALL, selection="median"
    )


@bomb
def gold_pairs_20000():
    gold = {"judge": "ann", "purpose": "gold", "better": "left"}
    steps = [
        ("aside", {**gold, "n": n, "left": f"g{n}", "right": "h", "answer": ("right", "left")[n % 2]})
        for n in range(1, 20_001)
    ]
    return study(steps, items=["a", "b"], judges=["ann"], ranker="certified")


@bomb
def discards_of_one_judge():
    questions = answered(("ann", "a", "b") for _ in range(3000))
    discards = [("judge_removed", {"judge": "ann", "discard": True})] * 6000
    return study([*questions, *discards], items=["a", "b"], judges=["ann"], ranker="certified")


@bomb
def edits_of_long_contents():
    start = {"contents": {f"i{k}": "" for k in range(10_000)}}
    steps, created = study(answered([("ann", "a", "b")]), items=["a", "b"], judges=["ann"], ranker="certified")
    return [*steps, *[("edited", {"settings": {"question": "?"}})] * 4000], {**created, "settings": start}


# ---------------------------------------------------------------------- certified
def proof(attempt, link, bet=0.98, **first):
    return {"phase": "prove", "attempt": attempt, "link": link, "bet": bet, **first}


@bomb
def a_proof_in_every_question():
    def questions():
        for m in range(1, 3001):
            level = 0.8 * ALL if m == 1 else 0.2 * ALL / (m * (m - 1))
            yield "ann", "a", "b", proof(m, ["a", "b"], list=["a", "b"], surest=[0], level=level)

    return study(answered(questions()), items=["a", "b"], judges=["ann"], ranker="certified", error=ALL)


@bomb
def best_of_20000_items():
    return study(answered([("ann", "i0", "i1", {"phase": "best", "item": "i1", "bet": 0.5})]),
                 items=names("i", 20_000), judges=["ann"], ranker="certified", objective="best")  # fmt: skip


@bomb
def best_of_items_that_join_one_by_one():
    joins = [("items_added", {"items": [f"k{n}"]}) for n in range(1500)]
    terms = {"phase": "best", "item": "b", "bet": 0.5, "level": 0.01}
    return study([*joins, *answered([("ann", "a", "b", terms)] * 500)], items=["a", "b"], judges=["ann"],
                 ranker="certified", objective="best")  # fmt: skip


@bomb
def attempts_of_items_that_join_one_by_one():
    joins = [("items_added", {"items": [f"k{n}"]}) for n in range(2000)]
    terms = proof(1, ["a", "b"], list=["a"], surest=[0], level=0.01)
    return study([*joins, *answered([("ann", "a", "b", terms)] * 2000)], items=["a", "b"], judges=["ann"],
                 ranker="certified")  # fmt: skip


@bomb
def two_lists_of_1500_items():
    """Two attempts, turned round in the middle: chains that branch everywhere."""
    items = names("i", 1500)
    order = [*items[0::2], *items[1::2]]

    def questions():
        for m, one in enumerate((items, order), start=1):
            level = 0.8 * ALL if m == 1 else 0.1 * ALL
            first = {"list": one, "surest": list(range(len(items) - 1)), "level": level}
            for pair in itertools.pairwise(one):
                for _ in range(m * 4 - 3):
                    yield "ann", *pair, proof(m, list(pair), **first)
                    first = {}

    return study(
        answered(questions()), items=items, judges=["ann"], ranker="certified", error=ALL, trust_repeats=True
    )


@bomb
def steady_judges_and_a_long_list():
    items, judges = names("i", 4000), names("j", 1500)
    grid = [0.03] * 29 + [0.13]
    first = {"list": items, "surest": list(range(len(items) - 1)), "level": 0.8 * 0.1}

    def questions():
        for k, judge in enumerate(judges):
            terms = {"phase": "prove", "attempt": 1, "link": items[k : k + 2], "prior": grid}
            yield judge, *items[k : k + 2], {**terms, **(first if k == 0 else {})}

    return study(answered(questions()), items=items, judges=judges, ranker="certified", assume="steady")


# ---------------------------------------------------------------------- panel
@bomb
def items_20000_counted():
    return study([], items=names("i", 20_000), judges=["ann"], ranker="panel", about="panel")


@bomb
def lines_of_20000_items():
    return study([], items=names("i", 20_000), judges=["ann"], ranker="panel", about="panel", objective="tiers")


@bomb
def one_judge_counts_a_chain():
    items = names("i", 3000)
    questions = (("ann", *pair, {"vote": True}) for pair in itertools.pairwise(items))
    return study(answered(questions), items=items, judges=["ann"], ranker="panel", about="panel",
                 objective="order")  # fmt: skip


def sittings(items, number, **first):
    for k in range(number):
        yield f"j{k}", items[0], items[1], {"sitting": k + 1, "place": 0, "plan": [items[:2]], **first}


@bomb
def scores_of_20000_items():
    items = names("i", 20_000)
    return study(answered(sittings(items, 600)), items=items, judges=names("j", 600), ranker="panel",
                 relation="field-share", sitting=1)  # fmt: skip


@bomb
def a_long_plan_left_without_a_word():
    """One person, one answer: all other places are missing, and are counted against what it says."""
    items = names("i", 20_000)
    plan = [items[k : k + 2] for k in range(0, len(items), 2)]
    terms = {"sitting": 1, "place": 0, "plan": plan}
    steps = [asked(1, "j0", *plan[0], terms), ("told", {"q": 1, "answer": "left"}),
             ("lapsed", {"sitting": 1})]  # fmt: skip
    return study(steps, items=items, judges=["j0"], ranker="panel", objective="best", sitting=len(plan))


@bomb
def joins_among_sittings():
    items = names("i", 4)
    steps = list(answered(sittings(items, 1500)))
    joins = [("items_added", {"items": [f"k{n}"]}) for n in range(1500)]
    mixed = [step for couple in zip(joins, steps[::2], steps[1::2], strict=True) for step in couple]
    return study(mixed, items=items, judges=names("j", 1500), ranker="panel", sitting=1)


@bomb
def tallies_that_stay_near_the_level():
    """One pair, thousands of people, the evidence within a factor of two above what is needed."""
    from juryrank.core.lead_table import LeadTable

    judges, ahead, steps, table = names("j", 12_000), 0, [], LeadTable(0.5e-3)
    for k, judge in enumerate(judges):
        up = ahead + 1 < table.lead(k + 1)
        ahead += 1 if up else -1
        terms = {"sitting": k + 1, "place": 0, "plan": [["a", "b"]]}
        steps += [
            asked(k + 1, judge, "a", "b", terms),
            ("told", {"q": k + 1, "answer": "left" if up else "right"}),
        ]
    return study(steps, items=["a", "b"], judges=judges, ranker="panel", sitting=1, error=1e-3)


# ---------------------------------------------------------------------- the paper's
@bomb
def iir_of_many_items_and_judges():
    return study(answered([("j0", "i0", "i1", {"stage": "rank", "duel": 1})] * 800), items=names("i", 8000),
                 judges=names("j", 8000), ranker="ada-iir", error=ALL)  # fmt: skip


def main(wanted):
    """These bombs through `juryrank verify`: one line of JSON each."""
    from typer.testing import CliRunner

    from juryrank.cli import build_app

    app = build_app()
    for name in wanted:
        text = text_of(name)
        began = time.process_time()
        ran = CliRunner().invoke(app, ["verify", "-"], input=text)
        used = time.process_time() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        says = ran.stdout[ran.stdout.rfind("Verdict:") :][:400]
        row = {"name": name, "bytes": len(text), "code": ran.exit_code, "says": says, "seconds": used}
        print(json.dumps({**row, "peak": peak, "exception": repr(ran.exception)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
