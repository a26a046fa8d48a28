"""Ctrl-C while judges are answering: an answer under way will be paid for, so it is waited for and kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import Bill
from juryrank.run.event_loops import end_all
from juryrank.run.gold import GoldQuestion
from juryrank.types import Question

logger = logging.getLogger("juryrank")


@dataclass(eq=False, slots=True)
class CallUnderWay:
    """A question that was sent to its judge, and what it costs."""

    task: asyncio.Task[Any]
    question: Question | GoldQuestion
    bill: Bill
    over: bool = False  # its outcome is here, and is being taken in


async def last_answers(
    calls: Iterable[CallUnderWay], judges: Mapping[str, Callable[..., Any]], *, heard: Collection[str] = ()
) -> list[CallUnderWay]:
    """Wait for the answers that are coming, and end the other calls; nothing new is sent. Another Ctrl-C ends it.

    Nobody waits for a judge that has not answered yet, nor for one whose answers are not kept. A model knows
    whether it has answered; `heard` are the other judges that have, where their answers are kept.
    """
    for judge in judges.values():
        if isinstance(judge, ModelJudge):
            judge.client.stopping = True
    calls = list(calls)
    coming = [call for call in calls if _is_coming(call, judges, heard)]
    await end_all([call.task for call in calls if call not in coming])
    if not coming:
        return []
    logger.warning(
        "stopping: waiting for %d answer%s under way, which will be paid for (Ctrl-C again: leave at once)",
        len(coming),
        "" if len(coming) == 1 else "s",
    )
    with suppress(asyncio.CancelledError):
        await asyncio.wait([call.task for call in coming])
    return coming


def _is_coming(call: CallUnderWay, judges: Mapping[str, Callable[..., Any]], heard: Collection[str]) -> bool:
    name = str(call.question.judge)
    judge = judges[name]
    known = judge.client.heard if isinstance(judge, ModelJudge) else name in heard
    return call.over or call.task.done() or (known and call.bill.under_way > 0)
