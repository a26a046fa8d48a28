"""The options of a study: what its owner chose for the ranker, with the first event. One row per name.

Each checker keeps a list, and ranges, of its own, and refuses an option that it does not know. This table is what
docs/log.md shows; a test holds the two against each other.
"""

from __future__ import annotations

from typing import Any, Final

from juryrank.log.fields import COUNT, FLAG, HASH, LIMIT, MAPPING, NAME, Row, Value
from juryrank.log.table.sources import OWNER, Unheld
from juryrank.log.table.terms import CERTIFIED, JURY, PANEL, PAPER

HELD = ("options",)
ASKING: Final = Unheld("it says what is asked first and when to stop, and no promise rests on that")
DESCRIBED: Final = Unheld("the report names groups of cases; no promise does")


def _or_null(value: Value) -> Value:
    return Value(f"{value.words}, or null", lambda held: held is None or value.fits(held))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


COUNT_OR_NOT = _or_null(COUNT)
WEIGHTS = _or_null(Value("an object of numbers above 0", MAPPING.fits))
CASES = Value(
    "a number of cases up to 1,000,000, a list of names, or null",
    lambda value: value is None or _is_list(value) or COUNT.fits(value),
)
RESOLUTION = Value(
    "a number from 0 to 0.25, or falling",
    lambda value: value == "falling" or (isinstance(value, int | float) and 0 <= value <= 0.25),
)
ALPHA = _or_null(
    Value("a number above 0 and below 0.5", lambda value: isinstance(value, float) and 0 < value < 0.5)
)
ABSENT = Value("a list of two items and the cases left out between them", _is_list)
START = _or_null(Value("strengths: an object with [log-odds, width] per item; not_seed: a hash", MAPPING.fits))
CLAIMS = Value("a list of claims", lambda value: isinstance(value, str) or _is_list(value))

OPTIONS: Final = (
    Row("objective", (*CERTIFIED, *PANEL, *JURY), NAME, "what is to be proven", OWNER, HELD),
    Row("k", (*CERTIFIED, *PANEL, *JURY), COUNT_OR_NOT, "how many items are wanted at the top", OWNER, HELD),
    Row("joining", (*CERTIFIED, *PANEL, *JURY), FLAG, "may items (jury: and judges) join?", OWNER, HELD),
    Row("assume", CERTIFIED, _or_null(NAME), "what is taken for granted", OWNER, HELD),
    Row("repeats", CERTIFIED, COUNT_OR_NOT, "how often a judge is asked a pair", OWNER, ("options", "repeats")),
    Row("trust_repeats", CERTIFIED, FLAG, "judges who never change an answer are believed", OWNER, HELD),
    Row("patience", CERTIFIED, COUNT_OR_NOT, "when to give a pair up", OWNER, ASKING),
    Row("claims_first", CERTIFIED, FLAG, "what is asked first", OWNER, ASKING),
    Row("insert", CERTIFIED, NAME, "how the search places items", OWNER, ASKING),
    Row("about", PANEL, NAME, "population, or these judges", OWNER, HELD),
    Row("relation", PANEL, NAME, "head-to-head, or scores", OWNER, HELD),
    Row("sitting", PANEL, COUNT, "questions per person", OWNER, ("options", "plans")),
    Row("beyond", PANEL, LIMIT, "further questions of a person, for estimates", OWNER, ("options", "plans")),
    Row("spread", PANEL, FLAG, "every item is heard of early", OWNER, ASKING),
    Row("cases", JURY, CASES, "the cases", OWNER, ("options", "draws")),
    Row("resolution", JURY, RESOLUTION, "ε, or several that fall", OWNER, HELD),
    Row("weights", JURY, WEIGHTS, "of the judges", OWNER, ("options", "draws")),
    Row("case_weights", JURY, WEIGHTS, "of the cases", OWNER, ("options", "draws")),
    Row("groups", JURY, _or_null(MAPPING), "of cases, by name", OWNER, DESCRIBED),
    Row("refusals", JURY, NAME, "left out, or against", OWNER, HELD),
    Row("sides", JURY, NAME, "random, both, single or recorded", OWNER, ("options", "draws")),
    Row("fresh", JURY, FLAG, "judges answer anew each time", OWNER, HELD),
    Row("absent", JURY, ABSENT, "cases without an output", OWNER, ("options", "draws")),
    Row("same_outputs", JURY, LIMIT, "how often two outputs are the same", OWNER, HELD),
    Row("require", JURY, CLAIMS, "the claims that are to be proven", OWNER, HELD),
    Row("start_from", JURY, START, "strengths that the search starts from", OWNER, ("options", "draws")),
    Row("seed_from", JURY, NAME, "entropy, owner or committed", OWNER, HELD),
    Row("seed_commitment", JURY, HASH, "the hash of the seed", OWNER, HELD),
    Row("constants", PAPER, NAME, "paper, or released", OWNER, HELD),
    Row("fresh", PAPER, FLAG, "judges answer anew each time", OWNER, HELD),
    Row("best", ("oracle",), _or_null(NAME), "the best judge", OWNER, HELD),
    Row("selection", ("two-stage", "subset-two-stage"), NAME, "successive, or median", OWNER, HELD),
    Row("alpha", ("two-stage", "subset-two-stage"), ALPHA, "accuracies that are told apart", OWNER, HELD),
    Row("subset", ("subset-two-stage",), COUNT_OR_NOT, "judges among whom one is selected", OWNER, HELD),
)  # fmt: skip
