"""`--show-prompt` or `--dry-run`: one whole prompt of each model, what asking would cost; nothing is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from juryrank.defaults import WIDTH
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.run.items import Catalogue
    from juryrank.types import Question


def show_prompts(
    judges: Mapping[str, Callable[..., Any]], catalogue: Catalogue, *, require: Sequence[Any] = ()
) -> None:
    """Print what each model would be shown of the first question that needs a call, and what that costs."""
    from juryrank.judges.models import wire
    from juryrank.judges.models.money import price_of_question
    from juryrank.judges.models.prompts import first_message, system_of
    from juryrank.report.words.formats import wrap
    from juryrank.run.models import Models

    models = Models(judges).judges
    if not models:
        raise BadInput("--dry-run shows what models are asked, and none of these judges is one")
    to_ask = _to_ask(catalogue, require)
    question = next(iter(to_ask), None)
    if question is None:
        raise BadInput("there is nothing to ask: no two of these differ on a case that both have an output for")
    about = most = 0.0
    for name, judge in models.items():
        shown = catalogue.lettered_for(question)
        message = first_message(judge.settings, *shown)
        text, tokens = message["content"], sum(wire.most_tokens(judge.settings, [message]))
        usual, bound = price_of_question(judge.settings, *shown)
        about, most = about + usual, most + bound
        cost = f"at most {bound:.4g}" if judge.settings.price else "no price known"
        typer.echo(
            f"--- {name}: at most {tokens:,} tokens per question, {cost}\n{system_of([message])}\n\n{text}\n"
        )
    priced = all(judge.settings.price for judge in models.values())
    for line in wrap(_estimate(catalogue, len(to_ask), len(models), (about, most) if priced else None), WIDTH):
        typer.echo(line)


def _to_ask(catalogue: Catalogue, require: Sequence[Any]) -> list[Question]:
    """All that models could be asked; of required claims, nothing about other pairs."""
    from juryrank.run.cases.catalogue import required_pairs

    pairs = {frozenset(pair) for pair in required_pairs(require, catalogue.names)}
    return [q for q in catalogue.to_ask() if not pairs or {q.left, q.right} in pairs]


def _estimate(catalogue: Catalogue, questions: int, models: int, per_round: tuple[float, float] | None) -> str:
    """What asking everything would cost, estimated from the length of the first question."""
    from juryrank.statements.numbers import number_of

    cases = len(getattr(catalogue, "cases", ()))
    rounds = questions * (2 if cases else 1)  # on cases every pair is shown on both sides
    money = (
        "" if per_round is None else f", about {rounds * per_round[0]:.2g} (at most {rounds * per_round[1]:.2g})"
    )
    whole = number_of(rounds * models, "question") + money
    if cases:
        return (
            f"Estimate: the whole evaluation is {whole}, if all outputs are as long as these. A ranking takes a "
            "part of it: see juryrank plan."
        )
    return (
        f"Estimate: every pair once, of every model, is {whole}, if all items are as long as these. It is no more "
        "than that where models repeat themselves; where each answer is drawn anew it depends on how close the "
        "items are, so set --money or --budget."
    )
