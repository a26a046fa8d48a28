"""A panel's people, for tests: they come one by one and answer."""

from __future__ import annotations

ITEMS = ["a", "b", "c", "d", "e"]


def better(question):
    return min(question.left, question.right)


def sit(panel, name, answer=better, most=None):
    """One person comes and answers; the questions they got."""
    if name not in panel.judge_names:
        panel.add_judge(name)
    asked = []
    while (most is None or len(asked) < most) and (question := panel.ask(name)) is not None:
        asked.append(question)
        panel.tell(question, answer(question))
    return asked


def crowd(panel, people, answer=better):
    for person in range(people):
        sit(panel, f"p{person}", answer)
    return panel
