"""What a jury was made for: cases, weights, resolution, objective; read from the first event."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

from juryrank.verify.record import Record
from juryrank.verify.terms import is_number, is_whole


# ----------------------------------------------------------------------------
# The seed of the draws: in the open, or committed by its hash in the first event and opened by a later one
def seed_of(record: Record) -> int:
    """The seed; raises ValueError where it is not what was committed, or questions follow its opening."""
    commitment = record.options.get("seed_commitment")
    if (commitment is not None) != (record.options.get("seed_from") == "committed"):
        raise ValueError("it is not clear whether the seed was committed")
    if commitment is None:
        seed = record.settings.get("seed", 0)
        if not is_whole(seed):
            raise ValueError("the seed is not a whole number")
        return int(seed)
    opened = [event for event in record.events if event["kind"] == "seed_opened"]
    if len(opened) != 1:
        raise ValueError("the seed was committed, and is not opened once")
    seed, salt = opened[0]["data"]["seed"], opened[0]["data"]["salt"]
    if hashlib.sha256(f"juryrank seed 1\n{seed}\n{salt}".encode()).hexdigest() != commitment:
        raise ValueError("the seed that was opened is not the one that was committed")
    if any(q.seq > opened[0]["seq"] for q in record.asked):
        raise ValueError("questions were asked after the seed was opened")
    return int(seed)


# ----------------------------------------------------------------------------
# What a jury was made for: cases, weights, resolution, objective; read from the first event
FALLING = (0.1, 0.05, 0.02, 0.0)
WHOLE = 1 << 20  # the heaviest case as a whole number
MOST_CASES = 1_000_000  # as the ranker takes
MOST_TOGETHER = 8  # systems in one question
CHEAPEST = 0.01  # of the dearest price
MOST_READINGS = 100  # of a required claim: no name holds the word "over" so often
OPTIONS = {
    "cases", "objective", "k", "resolution", "weights", "case_weights", "groups", "refusals", "sides", "fresh",
    "absent", "require", "seed_from", "joining", "seed_commitment",
    "same_outputs", "start_from", "forecast", "at_once",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class JuryOptions:
    """The options of a jury, as the checker reads them."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    cases: tuple[str | None, ...]
    shares: tuple[float, ...]  # of the judges
    case_weights: tuple[int, ...]
    rates: tuple[float, ...]
    absent: Mapping[frozenset[str], frozenset[str]]
    objective: str  # "top", "order" or "require"
    k: int
    required: tuple[tuple[str, str], ...]
    resolutions: tuple[float, ...]
    against: bool  # refusals count against a claim
    both: bool
    single: bool
    recorded: bool
    fresh: bool
    key: str  # of the draws: the seed, and the hash of what is on record before them
    seed_from: str
    error: float
    prices: tuple[float, ...]
    own_weights: tuple[float, ...]
    weighed: bool  # judges were given weights
    cases_weighed: bool  # cases were
    joining: bool  # judges and items may join, and judges leave: each time the table is another one
    first_items: int  # that were there at the start
    forecast: str | None  # the root of all forecasts
    forecast_by: str
    left: frozenset[int] = frozenset()  # judges who are out of the table
    together: bool = False  # each question shows all systems that have an output for its case

    def shown_in(self, case: int) -> list[str]:
        """The systems with an output for a case, in the study's order."""
        name = self.cases[case]
        pairs = [pair for pair in combinations(self.items, 2) if name not in self.absent.get(frozenset(pair), ())]
        there = {item for pair in pairs for item in pair}
        return [item for item in self.items if item in there]

    @property
    def alone(self) -> frozenset[str]:
        """Cases that fewer than two systems have an output for."""
        gone = frozenset[str]().union(*self.absent.values())
        listed = [at for at, name in enumerate(self.cases) if name in gone]
        return frozenset(str(self.cases[at]) for at in listed if not self.shown_in(at))

    def check_together(self) -> None:
        """Raise ValueError where a question cannot show all systems."""
        if not self.together:
            return
        if (
            len(self.items) > MOST_TOGETHER
            or self.cases == (None,)
            or self.sides != 2
            or self.fresh
            or self.forecast
        ):
            raise ValueError("all systems at once: there are too many, or an option does not go with it")
        gone = frozenset[str]().union(*self.absent.values())
        for case, name in enumerate(self.cases):
            if name in gone and any(
                name in self.absent.get(frozenset(pair), ()) for pair in combinations(self.shown_in(case), 2)
            ):
                raise ValueError(f"case {name!r} is left out between two systems that have an output for it")

    @property
    def sides(self) -> int:
        return 1 if self.both or self.single else 2

    @property
    def active(self) -> int:
        return len(self.judges) - len(self.left)

    def weight(self, u: int) -> float:
        """A judge's weight as it was given; 0 for those who left."""
        return 0.0 if u in self.left else self.own_weights[u] if self.weighed else 1.0

    def with_judge(self, judge: str, price: float) -> JuryOptions:
        """The table with one judge more."""
        self._may_change()
        if self.weighed:
            raise ValueError("a judge joined without a weight, where the others have one")
        return self._again(judges=(*self.judges, judge), prices=(*self.prices, price))

    def with_items(self, items: Sequence[str]) -> JuryOptions:
        """The table with some items more."""
        self._may_change()
        more = replace(self, items=(*self.items, *items))
        more.check_together()
        return more

    def drawn_anew(self, entropy: Any) -> JuryOptions:
        """Draws after something joined hang on what nobody knew before, unless somebody else chose the seed."""
        if (entropy is not None) != (self.seed_from == "entropy"):
            raise ValueError("what joins later needs draws of its own, where nobody chose the seed")
        if entropy is None:
            return self
        return replace(self, key=hashed(["juryrank later", self.key, entropy]).hex())

    def without(self, left: frozenset[int]) -> JuryOptions:
        """The table of those judges who have not left."""
        return self._again(left=left)

    def _may_change(self) -> None:
        if not self.joining:
            raise ValueError("items or judges joined, although the promise is about the first ones")

    def _again(self, **changes: Any) -> JuryOptions:
        changed = replace(self, **changes)
        weights = [changed.weight(u) for u in range(len(changed.judges))]
        return replace(changed, shares=_shares(weights), rates=_rates(changed.prices))


def read_setup(record: Record) -> JuryOptions:
    """The setup; raises ValueError for options that the ranker does not have."""
    options = record.options
    judges = tuple(record.judges)[: record.founders]
    items = dict.fromkeys(list(record.items)[: record.first_items])
    strange = sorted(options.keys() - OPTIONS)
    if strange or type(options.get("fresh", False)) is not bool:
        raise ValueError(f"there is no option {strange[0]!r}" if strange else "fresh is neither true nor false")
    if options.get("seed_from", "owner") not in ("owner", "entropy", "committed"):
        raise ValueError("where the seed comes from is not said")
    if type(options.get("joining", False)) is not bool:
        raise ValueError("joining is neither true nor false")
    if not is_whole(options.get("same_outputs", 0)) or options.get("same_outputs", 0) < 0:
        raise ValueError("how often two outputs are the same is not a number of times")
    cases = _cases(options.get("cases"))
    names = [case if case is not None else "" for case in cases]
    objective, k = _objective(options.get("objective", "best"), options.get("k"), len(items))
    wanted = options.get("require", ())
    required = tuple(_claim(row, items) for row in ([wanted] if isinstance(wanted, str) else wanted or ()))
    sides = options.get("sides", "random")
    if sides not in ("random", "both", "single", "recorded") or options.get("refusals", "left out") not in (
        "left out",
        "against",
    ):
        raise ValueError("sides or refusals has a value that the ranker does not know")
    if options.get("at_once", "pairs") not in ("pairs", "all"):
        raise ValueError("at_once has a value that the ranker does not know")
    seed = seed_of(record)
    start = _start(options.get("start_from"), items, seed)
    weights = _weights(options.get("weights"), judges)
    given = record.settings.get("prices")
    prices = (1.0,) * len(judges) if given is None else tuple(float(given[judge]) for judge in judges)
    resolutions = _resolutions(options.get("resolution"), gate=bool(required))
    own, of_cases = options.get("weights") is not None, _weights(options.get("case_weights"), names)
    root = [
        list(items),
        list(judges),
        options.get("cases"),
        weights if own else None,
        of_cases if options.get("case_weights") is not None else None,
        list(prices),
        options.get("absent") or [],
        start,
    ]
    forecast, forecast_by = _forecast(options.get("forecast"))
    if forecast is not None:
        root.append(forecast)
        if bool(options.get("fresh", False)) and cases == (None,):
            raise ValueError("there are forecasts, and no cases that they are about")
    found = JuryOptions(
        items=tuple(items),
        judges=judges,
        cases=cases,
        shares=_shares(weights),
        case_weights=_whole(of_cases),
        rates=_rates(prices),
        absent=_absent(options.get("absent") or (), record),
        objective="require" if required else objective,
        k=k,
        required=required,
        resolutions=resolutions,
        against=options.get("refusals") == "against",
        both=sides == "both",
        single=sides in ("single", "recorded"),
        recorded=sides == "recorded",
        fresh=bool(options.get("fresh", False)),
        key=f"{seed} {hashed(['juryrank root', *root]).hex()}",
        seed_from=str(options.get("seed_from", "owner")),
        error=record.error,
        prices=prices,
        own_weights=tuple(weights),
        weighed=own,
        cases_weighed=options.get("case_weights") is not None,
        joining=options.get("joining", False),
        first_items=len(items),
        forecast=forecast,
        forecast_by=forecast_by,
        together=options.get("at_once") == "all",
    )
    found.check_together()
    return found


def hashed(parts: Sequence[object]) -> bytes:
    """The hash of some values, written down in the one way that there is."""
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


def _start(given: Any, items: Mapping[str, None], seed: int) -> list[list[Any]] | None:
    """Strengths that the search starts from. They are no evidence: all that counts is that they were on record."""
    if given is None:
        return None
    strengths = given.get("strengths") if isinstance(given, dict) else None
    if not isinstance(strengths, dict) or not given.keys() <= {"strengths", "not_seed"}:
        raise ValueError("what the search starts from is not strengths")
    if given.get("not_seed") == hashlib.sha256(f"juryrank start {seed}".encode()).hexdigest():
        raise ValueError("the search starts from a result on the same cells with the same seed")
    found = []
    for name, row in strengths.items():
        pair = isinstance(row, list) and len(row) == 2 and all(map(is_number, row))
        if name not in items or not pair or abs(row[0]) > 20 or not 0.01 <= row[1] <= 20:
            raise ValueError(f"the strength of {name!r} that the search starts from is none")
        found.append([name, float(row[0]), float(row[1])])
    if len(found) < 2:
        raise ValueError("the search starts from fewer than two strengths")
    return sorted(found)


def _forecast(given: Any) -> tuple[str | None, str]:
    """The root of the forecasts, and whose they are."""
    if given is None:
        return None, ""
    if not isinstance(given, dict) or given.keys() != {"root", "by"} or not isinstance(given["by"], str):
        raise ValueError("forecasts are not on record by their hash and by whom")
    if not isinstance(given["root"], str) or not re.fullmatch("[0-9a-f]{64}", given["root"]) or not given["by"]:
        raise ValueError("the root of the forecasts is no hash")
    return given["root"], given["by"]


def _cases(given: Any) -> tuple[str | None, ...]:
    if given is None:
        return (None,)
    if is_whole(given, least=1) and given <= MOST_CASES:
        return tuple(str(case) for case in range(1, given + 1))
    listed = isinstance(given, list) and given and all(isinstance(case, str) for case in given)
    if listed and len(set(given)) == len(given):
        return tuple(given)
    raise ValueError("the cases are not a list of different names")


def _objective(text: Any, k: Any, items: int) -> tuple[str, int]:
    word = str(text).strip().lower()
    if word == "order":
        return "order", 0
    numbered = re.fullmatch(r"top[- ]?([0-9]{1,9})", word)
    found = 1 if word == "best" else int(numbered[1]) if numbered else k if word == "top-k" else None
    if (
        not is_whole(found, least=1)
        or (k is not None and not (is_whole(k) and k == found))
        or found >= max(items, 2)
    ):
        raise ValueError(f"there is no objective {word!r} for {items} items")
    return "top", found


def _claim(row: Any, items: Mapping[str, None]) -> tuple[str, str]:
    """The two items of a required claim. A name may hold the word "over", as long as one reading alone fits."""
    if isinstance(row, str):
        places = [found.start() for found in islice(re.finditer("(?= over )", row), MOST_READINGS)]
        readings = [(row[:at].strip(), row[at + len(" over ") :].strip()) for at in places]
    else:
        readings = [tuple(row)]
    fitting = [read for read in readings if len(read) == 2 and all(name in items for name in read)]
    if len(fitting) != 1 or fitting[0][0] == fitting[0][1]:
        raise ValueError("a required claim is not about two items")
    return fitting[0]


def _resolutions(given: Any, *, gate: bool) -> tuple[float, ...]:
    """Unless the study says: exactly for a gate, which something coarser would let worse systems pass."""
    if given is None:
        return (0.0,) if gate else FALLING
    if given == "falling":
        return FALLING
    if is_number(given) and 0 <= given <= 0.25:
        return (float(given),)
    raise ValueError("the resolution is neither a number from 0 to 0.25 nor 'falling'")


def _weights(given: Any, names: Sequence[str]) -> list[float]:
    if given is None:
        return [1.0] * len(names)
    if not isinstance(given, dict) or set(given) != set(names):
        raise ValueError("the weights are not one for each")
    found = [given[name] for name in names]
    if not all(is_number(weight) and weight > 0 for weight in found):
        raise ValueError("a weight is not more than 0")
    return [float(weight) for weight in found]


def _shares(weights: Sequence[float]) -> tuple[float, ...]:
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _whole(weights: Sequence[float]) -> tuple[int, ...]:
    top = max(weights)
    if min(weights) == top:
        return (1,) * len(weights)
    found = tuple(round(WHOLE * weight / top) for weight in weights)
    if min(found) < 1:
        raise ValueError("a case weighs next to nothing")
    return found


def _rates(given: Sequence[float]) -> tuple[float, ...]:
    top = max(given)
    if top <= 0 or min(given) == top:
        return (1.0,) * len(given)
    paid = [max(price, CHEAPEST * top) for price in given]
    return tuple(math.sqrt(min(paid) / price) for price in paid)


def _absent(rows: Any, record: Record) -> dict[frozenset[str], frozenset[str]]:
    found = {}
    for first, second, cases in rows:
        if first not in record.items or second not in record.items:
            raise ValueError("absent cases are of something that is not an item")
        found[frozenset((first, second))] = frozenset(cases)
    return found
