"""What a result column says, in its various spellings: an item's name, a side, a number, a tie."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from juryrank.votes.columns import words
from juryrank.votes.vote import Outcome

LEFT_WORDS = frozenset(
    words(
        "left l a modela itema optiona answera responsea first x 1st leftitem assistanta candidatea playera",
        "item1 option1 model1 leftwins awins a>b a>>b >",
    )
)
RIGHT_WORDS = frozenset(
    words(
        "right r b modelb itemb optionb answerb responseb second y 2nd rightitem assistantb candidateb playerb",
        "item2 option2 model2 rightwins bwins b>a b>>a a<b a<<b <",
    )
)
TIE_WORDS = frozenset(
    words(
        "tie ties tied draw drawn equal equals same both neither bothbad bothgood tie(bothbad) tie(bothgood)",
        "tiebothbad tiebothgood = == a=b nopreference nodifference indifferent even similar aboutthesame none",
    )
)
SKIP_WORDS = frozenset(
    words(
        "skip skipped unsure dontknow don'tknow idontknow cannotsay can'tsay unknown pass invalid flagged ignore"
    )
)
NO_ANSWER = frozenset(("", *words("- null nan na n/a")))  # how tables leave a cell empty


class Numbers(enum.Enum):
    """What numbers in a result column mean; read off the numbers that occur."""

    SCORE = "1 = left, 0 = right, 0.5 = tie"
    SIDE = "1 = left, 2 = right, 0 = tie"
    SIGN = "1 = left, -1 = right, 0 = tie"


def numbers_meaning(values: Iterable[str]) -> Numbers | None:
    """The convention of a column, or None where it does not hold numbers.

    >>> numbers_meaning(["1", "0", "0.5"]), numbers_meaning(["1", "2"]), numbers_meaning(["ann"])
    (<Numbers.SCORE: '1 = left, 0 = right, 0.5 = tie'>, <Numbers.SIDE: '1 = left, 2 = right, 0 = tie'>, None)
    """
    seen = {number for value in values if (number := number_in(value)) is not None}
    if not seen or not seen <= {-1.0, 0.0, 0.5, 1.0, 2.0}:
        return None
    if 2.0 in seen:
        return Numbers.SIDE if seen <= {0.0, 1.0, 2.0} else None
    if -1.0 in seen:
        return Numbers.SIGN if seen <= {-1.0, 0.0, 1.0} else None
    return Numbers.SCORE


_BY_NUMBER = {
    Numbers.SCORE: {1.0: Outcome.LEFT, 0.0: Outcome.RIGHT, 0.5: Outcome.TIE},
    Numbers.SIDE: {1.0: Outcome.LEFT, 2.0: Outcome.RIGHT, 0.0: Outcome.TIE},
    Numbers.SIGN: {1.0: Outcome.LEFT, -1.0: Outcome.RIGHT, 0.0: Outcome.TIE},
}


def outcome_of(value: str, *, numbers: Numbers | None = None) -> Outcome | None:
    """What a result says that does not name an item; None: it cannot be understood.

    >>> outcome_of("tie (bothbad)").value, outcome_of("model_b").value, outcome_of("Merlot")
    ('tie', 'right', None)
    >>> outcome_of("").value  # nobody said that the two are alike
    'skip'
    """
    word = "".join(value.casefold().split()).replace("_", "").replace("-", "")
    if word in NO_ANSWER:
        return Outcome.SKIP
    if word in TIE_WORDS:
        return Outcome.TIE
    number = number_in(value)
    if number is not None and numbers is not None:
        return _BY_NUMBER[numbers].get(number)
    if word in SKIP_WORDS:
        return Outcome.SKIP
    return Outcome.LEFT if word in LEFT_WORDS else Outcome.RIGHT if word in RIGHT_WORDS else None


def number_in(value: str) -> float | None:
    """The finite number that a text is; None where it is none ("nan" is an empty cell).

    >>> number_in("0.5"), number_in("3 s"), number_in("nan")
    (0.5, None, None)
    """
    try:
        number = float(value)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None
