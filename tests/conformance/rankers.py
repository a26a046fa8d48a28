"""Helpers of the tests that every registered ranker must pass: they build and play any ranker."""

import random

from juryrank.rankers import make_ranker, ranker_class
from juryrank.rankers.contract.limits import option_names

ITEMS = [f"item-{k}" for k in range(6)]
JUDGES = ["ann", "bob", "cem", "dee"]


def build(name, items=ITEMS, judges=JUDGES, **options):
    """A ranker by name with the least it must be told."""
    judges = list(judges)
    given = {"error": 0.2, "seed": 5, **needed_options(name, judges), **options}
    return make_ranker(name, items, judges=judges, **given)


def needed_options(name, judges=JUDGES):
    """The least that a ranker must be told to sit this examination, by the options it has."""
    known, needed = option_names(ranker_class(name)), {}
    if judges and "best" in known:
        needed["best"] = judges[0]
    if "cases" in known:  # a table too large to be asked whole, so that chance cannot exhaust it
        needed |= {"cases": [f"case-{k}" for k in range(100)], "objective": "order", "resolution": 0}
    return needed


def better(question):
    """The truth of these worlds: the smaller name is better."""
    return min(question.left, question.right)


def worse(question):
    return max(question.left, question.right)


def noisy(seed, accuracy=0.85):
    """A judge for all questions: right with this chance, by question number (so that replays agree)."""

    def answer(question):
        right = random.Random(f"{seed}/{question.id}").random() < accuracy
        return better(question) if right else worse(question)

    return answer


def play(ranker, answer, most=4000):
    """Ask and tell until there is nothing to ask; the questions asked."""
    asked = []
    while len(asked) < most and (question := ask_anyone(ranker)) is not None:
        asked.append(question)
        ranker.tell(question, answer(question))
    return asked


def play_until_lanes(ranker, most=2000):
    """Ask and tell until a question has a lane, so that answers count in the order asked; it is left open."""
    for _ in range(most):
        question = ask_anyone(ranker)
        if ranker.outstanding.has_lane(question.id):
            return
        ranker.tell(question, better(question))
    raise AssertionError("no question of this ranker has a lane")


def ask_anyone(ranker):
    """The ranker's own choice of judge, or whoever has something to answer."""
    question = ranker.ask()
    for judge in ranker.judge_names if question is None else ():
        question = ranker.ask(judge)
        if question is not None:
            return question
    return question
