"""What one question will cost a model, before it is asked: about so much, and never more than so much."""

from __future__ import annotations

from typing import Any, Final

from juryrank.judges.models import wire
from juryrank.judges.models.prompts import SYSTEM, first_message
from juryrank.judges.models.settings import ModelSettings

BYTES = 4  # of a token of English, about; other scripts take more tokens
SPOKEN: Final = {True: 60, False: 10}  # tokens of an answer, about: with a reason, and without


def price_of_question(settings: ModelSettings, *shown: Any) -> tuple[float, float]:
    """About, and at most; `shown`: left, right and the case. 0 without a price.

    >>> from juryrank.judges.models.settings import Price
    >>> priced = ModelSettings(name="m", api="openai", model="m", price=Price(input=1.0, output=1.0))
    >>> about, most = price_of_question(priced, "tea", "coffee", None)
    >>> 0 < about < most < 0.01
    True
    """
    if settings.price is None:
        return 0.0, 0.0
    message = first_message(settings, *shown)
    size = len(SYSTEM.encode()) + len(message["content"].encode(errors="replace"))
    usual = (size // BYTES, SPOKEN[settings.reason])
    calls = 2 if settings.sides == "both" else 1
    about, most = (
        calls * settings.price.of(input=said, output=answered)
        for said, answered in (usual, wire.most_tokens(settings, [message]))
    )
    return about, most
