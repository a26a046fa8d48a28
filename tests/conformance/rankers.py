"""The examination that every registered ranker sits: helpers that build and play any ranker."""

import random

from juryrank.rankers import make_ranker

ITEMS = [f"item-{k}" for k in range(6)]
JUDGES = ["ann", "bob", "cem", "dee"]


def needs(name, judges=JUDGES):
    """The least that a ranker must be told to sit this examination."""
    if name == "oracle" and list(judges):
        return {"best": next(iter(judges))}
    if name == "jury":  # a table too large to be asked whole, so that chance cannot exhaust it
        return {"cases": [f"case-{k}" for k in range(100)], "objective": "order", "resolution": 0}
    return {}


def build(name, items=ITEMS, judges=JUDGES, **options):
    """A ranker by name with the least it must be told."""
    judges = list(judges)
    return make_ranker(name, items, judges=judges, **{"error": 0.2, "seed": 5, **needs(name, judges), **options})


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


def ask_anyone(ranker):
    """The ranker's own choice of judge, or whoever has something to answer."""
    question = ranker.ask()
    for judge in ranker.judge_names if question is None else ():
        question = ranker.ask(judge)
        if question is not None:
            return question
    return question
