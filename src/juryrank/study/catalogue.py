"""The studies of a storage: create, open, list, delete; a new key for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from juryrank.core.chance import fresh_seed
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_LEASE, DEFAULT_SITTING_LEASE, DEFAULT_STORAGE
from juryrank.errors import BadInput, StudyExists
from juryrank.log import Fold, settings
from juryrank.log.bodies import KeyChanged
from juryrank.log.chain import SecretSeed
from juryrank.rankers.choice import WhoAnswers, check_knows_cases, too_few_people
from juryrank.rankers.registry import ranker_class
from juryrank.run.cases import CaseCatalogue, case_catalogue
from juryrank.run.cases.catalogue import KEPT_CASES, case_options, kept_cases, same_option
from juryrank.run.forecast import ONLY_ON_CASES as NO_FORECAST
from juryrank.run.forecast import before_options
from juryrank.run.options import Wanted, ranker_options, seed_options
from juryrank.run.start import ONLY_ON_CASES
from juryrank.storage import Person, Storage, StudyRow, open_storage
from juryrank.storage.values import dump, usable_text
from juryrank.study.ledger import check_lease
from juryrank.study.members import check_names, checked_person, pseudonym
from juryrank.study.signing import key_file, new_key, replace_key, signing_key
from juryrank.study.state import keep_forecasts, keep_seed
from juryrank.study.study import Study


def create_study(
    items: Any,
    *,
    name: str,
    judges: Iterable[str | Person] = (),
    cases: Any = None,
    missing: str = "refuse",
    about: str | None = None,
    goal: str | Sequence[str] | None = None,
    within: float | str | None = None,
    error: float = DEFAULT_ERROR,
    storage: str | Storage = DEFAULT_STORAGE,
    load_if_exists: bool = False,
    fresh: bool | None = None,
    assume: str | None = None,
    seed: int | None = None,
    commit_seed: bool = False,
    budget: int | None = None,
    money: float | None = None,
    prices: Mapping[str, float] | None = None,
    lease: float | None = DEFAULT_LEASE,
    sitting_lease: float = DEFAULT_SITTING_LEASE,
    sitting_idle: float | None = None,
    ranker: str | None = None,
    start_from: Any = None,
    forecast: Any = None,
    options: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Study:
    """A new study; `about`, `goal`, `within`, `error`, `assume` and `ranker` as in `juryrank.rank`.

    Without `about` it is about people. A few named judges, too few to prove what most people would say, are
    counted: it is then about exactly these judges, as with `fresh=True` and on cases.

    Unless `fresh`, nobody is asked the same pair twice: a judge who repeats an answer gives no new evidence.

    `cases`: compare the items on these, as in `juryrank.rank`; items are then systems with an output per case.
    Cases and outputs are kept in the study's first event.

    `commit_seed` (on cases): the first event holds the hash of the seed alone. Nobody can read the next draws from
    the log, and the certificate opens the seed once the study is done or closed; nothing is asked afterwards.

    `start_from` and `forecast` (on cases): as in `juryrank.rank`. Forecasts are kept with the study.

    A judge is an id (text), or a Person, who appears in the log under a pseudonym only. `options` go to the
    ranker; `settings` is free JSON for those who show the questions (wording, item contents, consent text).

    >>> from juryrank.storage import MemoryStorage
    >>> study = create_study(["a", "b", "c"], name="letters", judges=["ann", "bob"], ranker="iir",
    ...                      storage=MemoryStorage(), seed=1)
    >>> question = study.ask()
    >>> study.tell(question.id, question.left).late
    False
    """
    usable_text(name, what="name")
    check_lease(lease)
    check_lease(sitting_lease)
    check_lease(sitting_idle)
    ids, people = _judges(judges)
    wanted = Wanted(about, goal, within, ranker, assume)
    wanted.check(options or {})
    systems = _systems(items, cases, missing=missing, ranker=ranker)
    if systems is not None:
        before = before_options({"start_from": start_from, "forecast": forecast}, systems, ids)
        items, options = systems.names, {**case_options(systems), **before, "joining": True, **(options or {})}
        settings = {**(settings or {}), KEPT_CASES: kept_cases(systems)}
    elif start_from is not None or forecast is not None:
        raise BadInput(NO_FORECAST if start_from is None else ONLY_ON_CASES)
    named = [usable_text(item, what="item") for item in items]
    check_names(named, what="item")
    check_names(ids, what="judge")
    few = too_few_people(goal, options or {}, items=len(named), judges=len(ids), error=error)
    judging = WhoAnswers(people=True, cases=systems is not None, fresh=fresh, too_few=few)
    ranker, chosen, again, reason = wanted.choice(judging)
    options = {**chosen, **(options or {})}
    if systems is not None:
        options |= same_option(systems, options)
    secret = _secret(seed) if commit_seed else None
    created = _created(
        named,
        judges=ids,
        ranker=ranker,
        error=error,
        seed=0 if secret is not None else fresh_seed() if seed is None else seed,
        budget=budget,
        money=money,
        prices=None if prices is None else dict(prices),
        lease=lease,
        sitting_lease=sitting_lease,
        **({} if sitting_idle is None else {"sitting_idle": sitting_idle}),
        options=ranker_options(
            ranker,
            {**ranker_class(ranker).study_options, **seed_options(ranker, seed, secret=secret), **(options or {})},
            fresh=again,
            assume=assume,
        ),
        settings=dict(settings or {}),
        fresh=again,
        reason=reason or None,
    )
    dump(created)
    Fold.start(created, secret=secret)  # refuses what the ranker would refuse, before anything is written
    place = open_storage(storage)
    try:
        row = place.create(name, created, people=people)
        if secret is not None:
            keep_seed(place, row.id, secret)
        keep_forecasts(place, row.id, created)
        return Study(place, row)
    except StudyExists:
        if load_if_exists:
            return Study(place, place.find(name))
        raise


def open_study(name: str, *, storage: str | Storage = DEFAULT_STORAGE, check: bool = True) -> Study:
    """The study of this name; raises LogAltered where its log was changed since it was written.

    `check=False`: look at the log only when it is used, so that a damaged one can still be exported.

    >>> from juryrank.storage import MemoryStorage
    >>> place = MemoryStorage()
    >>> made = create_study(["a", "b"], name="letters", storage=place)
    >>> open_study("letters", storage=place).items
    ['a', 'b']
    """
    place = open_storage(storage, create=False)
    study = Study(place, place.find(usable_text(name, what="name")))
    if check:
        study.log.check()
    return study


def list_studies(*, storage: str | Storage = DEFAULT_STORAGE) -> list[StudyRow]:
    """All studies, oldest first.

    >>> from juryrank.storage import MemoryStorage
    >>> place = MemoryStorage()
    >>> made = create_study(["a", "b"], name="letters", storage=place)
    >>> [row.name for row in list_studies(storage=place)]
    ['letters']
    """
    return open_storage(storage, create=False).studies()


def delete_study(name: str, *, storage: str | Storage = DEFAULT_STORAGE) -> None:
    """Delete a study with its log, its people and everything else. This cannot be undone.

    >>> from juryrank.storage import MemoryStorage
    >>> place = MemoryStorage()
    >>> made = create_study(["a", "b"], name="letters", storage=place)
    >>> delete_study("letters", storage=place)
    >>> list_studies(storage=place)
    []
    """
    place = open_storage(storage, create=False)
    place.delete(place.find(usable_text(name, what="name")).id)


def rename_study(study: Study, name: str) -> None:
    """Call it otherwise; raises StudyExists where another study has the name."""
    study.storage.rename(study.id, usable_text(name, what="name"))
    study.name = name


def _secret(seed: int | None) -> SecretSeed:
    if seed is not None:
        raise BadInput("a committed seed is fresh, and nobody's choice: leave `seed` out")
    return SecretSeed.fresh()


def _systems(items: Any, cases: Any, *, missing: str, ranker: str | None) -> CaseCatalogue | None:
    """Systems on cases, if cases are given or the items are outputs that bring their own; None: plain items."""
    if cases is None and not isinstance(items, Mapping | Path):
        return None
    if ranker is not None:
        check_knows_cases(ranker)
    return case_catalogue(items, cases, missing=missing)


_created = settings  # `create_study` has a parameter of that name


def _judges(judges: Iterable[str | Person]) -> tuple[list[str], dict[str, Person]]:
    ids: list[str] = []
    people: dict[str, Person] = {}
    for judge in judges:
        if isinstance(judge, Person):
            ids.append(pseudonym())
            people[ids[-1]] = checked_person(judge)
        else:
            ids.append(usable_text(judge, what="judge"))
    if len(set(ids)) != len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise BadInput(f"judge {twice!r} is listed twice; each judge must be given once")
    return ids, people


# ----------------------------------------------------------------------------
# A new key for the installation: signed by the old one, and written into every study's log


def change_key(storage: str | Storage) -> tuple[str, str, int]:
    """Replace the key; returns (old, new, how many logs say so). The old file is kept beside the new one."""
    place = open_storage(storage, create=False)
    file, old = key_file(place), signing_key(place)
    if file is None or old is None:
        raise BadInput("this installation signs nothing yet: set JURYRANK_KEY to a file for its key")
    new = new_key()
    said = KeyChanged(old=old.public, new=new.public, signature=old.names(new))
    rows = place.studies()
    for row in rows:
        Study(place, row).log.note_key(said)
    replace_key(file, old, new)  # last: an event about a key that never came is harmless, the opposite is not
    return old.public, new.public, len(rows)
