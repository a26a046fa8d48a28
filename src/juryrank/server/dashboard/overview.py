"""A study as its dashboard shows it: plain values that templates, charts and streams all read."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import time
from typing import Any, TypeVar

from juryrank.log import Conduct
from juryrank.log.gold import gold_words
from juryrank.report.material import with_items_named
from juryrank.report.picture.paint import paint_svg
from juryrank.report.picture.picture import chart, picture
from juryrank.report.picture.scene import Scene
from juryrank.report.tallies import NEVER_COUNT, ModelRow, model_rows
from juryrank.report.view import BEFORE, CHAINS_TITLE, OpenPair, View, view_of
from juryrank.report.words.alarms import alarm_words, conduct_words, left_out_words
from juryrank.report.words.estimates import EstimateView, ForecastWords
from juryrank.report.words.formats import clean, isolated, named
from juryrank.report.words.headlines import cut_of
from juryrank.server.dashboard.answer import leader_of, next_words, notes_of, plain_text, proven_words, slide_of
from juryrank.server.dashboard.judge_rows import (
    DashboardCharts,
    ago,
    charts_of,
    checks_words,
    contested_items,
    judge_row,
    moment,
)
from juryrank.server.dashboard.reading import AnswerMoments, LogSoFar
from juryrank.server.dashboard.tiles import (
    Tile,
    agreement_table,
    answered_by,
    fixed_words,
    models_words,
    tiles_of,
)
from juryrank.server.studies.reliability import estimated_reliability
from juryrank.server.studies.setup import setup_in
from juryrank.statements.numbers import number_of
from juryrank.storage import Person
from juryrank.study import JudgeRow, Study, StudyProgress
from juryrank.study.people import sides_by_lot
from juryrank.types import Ranking

Made = TypeVar("Made")
OPEN_SHOWN = 9  # open pairs listed; the report has all
STATES = {"running": ("running", "live"), "done": ("finished", "good"), "spent": ("budget spent", "warn")}


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything about one study at one moment."""

    study: Study
    progress: StudyProgress
    basis: StudyProgress  # as it was when the result was read
    ranking: Ranking
    people: Mapping[str, Person]
    notes: Mapping[str, Mapping[str, Any]]
    answers: AnswerMoments
    view: View
    alarms: tuple[str, ...] = ()
    conduct: Mapping[str, Conduct] = field(default_factory=dict)  # by id: the public page names nobody
    models: tuple[ModelRow, ...] = ()
    agreement: Mapping[str, Any] | None = None
    contested: tuple[str, ...] = ()  # items about which judges disagree more than chance explains
    labels: Mapping[str, str] = field(default_factory=dict)  # item -> what it is called here instead of its name
    acts: tuple[object, ...] = ()  # what owners had done until then
    made: dict[str, Any] = field(default_factory=dict)  # drawings, made once for the same estimates

    @classmethod
    def of(
        cls,
        study: Study,
        reading: LogSoFar,
        notes: Mapping[str, Mapping[str, Any]],
        labels: Mapping[str, str] | None = None,
    ) -> Overview:
        """Read a study; `reading` continues from where it stopped. `labels`: what to call items whose names are
        not to be seen."""
        progress, ranking, people = study.progress(), study.ranking(names=labels, besides=False), study.people()
        names = {judge: person.name for judge, person in people.items()}
        answers, log = reading.follow(study)
        material = log.material(ranking, name=study.name, names=names)
        material = with_items_named(material, material.ranking, labels) if labels else material
        view, alarms, models = view_of(ranking, title=""), alarm_words(material), tuple(model_rows(material))
        table = agreement_table(material) if models else None
        conduct = {judge: replace(one) for judge, one in log.conduct.judges.items()}
        seen = (view, tuple(alarms), conduct, models, table, contested_items(material))
        acts = _acts(study, progress)
        return cls(study, progress, progress, ranking, people, notes, answers, *seen, labels or {}, acts)

    def meanwhile(self, notes: Mapping[str, Mapping[str, Any]]) -> Overview | None:
        """The same result beside what can be counted at once: answers, judges, states.

        None: more than answers came, such as an edit after which the result promises less than it did.
        """
        progress = self.study.progress()
        if _acts(self.study, progress) != self.acts:
            return None
        return replace(self, progress=progress, people=self.study.people(), notes=notes)

    def still_true(self, notes: Mapping[str, Mapping[str, Any]]) -> bool:
        """Has nothing happened since? Three small queries instead of reading the whole study."""
        return (
            self.study.log.seq == self.progress.seq and self.study.people() == self.people and notes == self.notes
        )

    # ------------------------------------------------------------------ the head
    @property
    def id(self) -> int:
        return self.study.id

    @property
    def name(self) -> str:
        return self.study.name

    @property
    def closed(self) -> bool:
        return self.study.closed

    @property
    def state(self) -> str:
        return "closed" if self.closed else STATES.get(self.progress.state, (self.progress.state, ""))[0]

    @property
    def badge(self) -> str:
        return "" if self.closed else STATES.get(self.progress.state, ("", ""))[1]

    @property
    def summary(self) -> str:
        p = self.progress.progress
        sizes = {"item": p.items, "judge": p.judges, "answer": self.progress.answers}
        return ", ".join(number_of(number, one) for one, number in sizes.items())

    # ------------------------------------------------------------------ the result
    @property
    def as_of(self) -> str:
        """As of which answer the result stands, where newer ones are not in it yet."""
        alike = _heard(self.basis) == _heard(self.progress)
        return "" if alike else f"As of {number_of(self.basis.answers, 'answer')}."

    @property
    def seq(self) -> int:
        """The last event that the result rests on."""
        return self.basis.seq

    @property
    def tiles(self) -> list[Tile]:
        found = estimated_reliability(self.ranking.estimates) if self.begun else None
        return tiles_of(self.progress, self.ranking, self.view, reliability=found, people=self.judges_are)

    @property
    def judges_are(self) -> str:
        """People like these, or exactly these judges?"""
        return "people" if self.view.people and not self.ranking.details.these_judges else "judges"

    @property
    def leads(self) -> str:
        """The answer in one line, for a card."""
        leader = leader_of(self.view.estimates) if self.begun else None
        by = answered_by(self.progress, self.judges_are)
        if leader is not None:
            return f"{isolated(leader.item)} leads, {by.removeprefix('by ')}"
        if not self.progress.answers:
            return "No answers yet"
        return f"{isolated(clean(self.ranking.order[0]))} is first, {by.removeprefix('by ')}"

    @property
    def last_at(self) -> str:
        """The moment of the last answer, as stored; empty: none came yet."""
        return max((row.last_at or "" for row in self.progress.judges), default="")

    @property
    def last_answer(self) -> str:
        return f"last answer {ago(self.last_at, now=time())}" if self.last_at else ""

    @property
    def face(self) -> str:
        """The picture of the item that leads, as a hash; empty where items are not pictures."""
        thumbs, leader = self.thumbs, leader_of(self.view.estimates)
        return thumbs.get(leader.item if leader else "", "") or next(iter(thumbs.values()), "")

    @property
    def text(self) -> str:
        """The result to paste elsewhere."""
        return plain_text(self.name, self.ranking, self.view, self._basis)

    @property
    def slide(self) -> Scene:
        """The result as a picture to show elsewhere."""
        titled = view_of(self.ranking, title=self.name)
        return picture(slide_of(self.name, self.ranking, titled, self._basis))

    @property
    def _basis(self) -> str:
        basis = f"{number_of(self.progress.answers, 'answer')} {answered_by(self.progress, self.judges_are)}."
        return f"{basis} {self.as_of}".rstrip()

    @property
    def headline(self) -> str:
        words = self.view.title
        return words[:1].upper() + words[1:]

    @property
    def promise(self) -> str:
        return self._once("promise", self._promise)

    def _promise(self) -> str:
        shown = self.promises and not self.ranking.post_hoc
        besides = conduct_words(self.conduct, self.ranking.ranker, named=False) if shown else []
        return " ".join([self.ranking.statement or "Nothing yet.", *besides])

    def draw(self) -> None:
        """Make the drawings now, so that no page has to."""
        _ = self.picture, self.charts, self.promise

    @property
    def begun(self) -> bool:
        """Is there anything to show? Before the first answer an order would only be that of the list."""
        return bool(self.progress.answers or self.ranking.proven)

    @property
    def notes_shown(self) -> list[str]:
        """Remarks, the most important first."""
        if not self.begun:
            return []
        names = {judge: person.name for judge, person in self.people.items()}
        return notes_of(self.ranking, self.alarms, late=self.progress.late, names=names)

    @property
    def next(self) -> list[str]:
        """What to do next, in a sentence or two."""
        return next_words(self.ranking, self.view) if self.begun and not self.closed else []

    @property
    def picture(self) -> str:
        """The chart of promised ranks alone: the rest of the picture's content is on the page as text."""
        return self._once("picture", lambda: paint_svg(chart(self.view), theme="page"))

    @property
    def estimates(self) -> EstimateView | None:
        """Who is ahead, as far as the answers go."""
        return self.view.estimates

    @property
    def promises(self) -> bool:
        """Is anything proven?"""
        return self.view.promises

    @property
    def proven(self) -> tuple[str, str]:
        """What is certain, and how; or why nothing is."""
        return proven_words(self.ranking, self.view)

    @property
    def order(self) -> list[dict[str, Any]]:
        settled = [row["settled_above_next"] for row in self.ranking.rows()]
        pairs = itertools.zip_longest(self.ranking.order, self.ranking.order[1:])
        circles = self.ranking.details.circles  # no order among themselves
        turning = [any(a in circle and b in circle for circle in circles) for a, b in pairs]
        return [
            {
                "rank": row.guess,
                "item": row.item,
                "range": row.rank,
                "withdrawn": row.withdrawn,
                "settled": None if turns else (row.guess in self.view.lines or None) if holds is None else holds,
            }
            for row, holds, turns in zip(self.view.rows, settled, turning, strict=True)
        ]

    @property
    def thumbs(self) -> dict[str, str]:
        """Small pictures of items, as hashes, by the names that the result shows."""
        gone = self.ranking.details.withdrawn
        setup = setup_in(self.study.settings)
        called = {item: self.labels.get(item, item) for item in setup.contents}
        return {named(called[item], gone): one.thumb for item, one in setup.contents.items() if one.thumb}

    @property
    def open_pairs(self) -> list[dict[str, str]]:
        return [
            {
                "pair": f"{isolated(pair.first)} / {isolated(pair.second)}",
                "preferred": f"{pair.preferred} of {pair.answers}",
                "needed": pair.needed,
            }
            for pair in self._pairs_asked[:OPEN_SHOWN]
        ]

    @property
    def _pairs_asked(self) -> list[OpenPair]:
        """In a panel, only open pairs that somebody has answered: "0 of 0" tells nobody anything."""
        return [pair for pair in self.view.open_pairs if pair.answers or not self.view.people]

    @property
    def open_more(self) -> int:
        return len(self.view.open_pairs) - len(self.open_pairs)

    @property
    def forecast(self) -> list[ForecastWords]:
        """What more answers would settle."""
        return list(self.view.forecasts) if self.begun else []

    @property
    def chains(self) -> list[str]:
        return [BEFORE.join(map(isolated, chain)) for chain in self.view.chains]

    @property
    def chains_title(self) -> str:
        return CHAINS_TITLE

    @property
    def groups(self) -> list[list[str]]:
        cuts = [0, *self.view.lines, len(self.view.rows)]
        items = [row.item for row in self.view.rows]
        return [items[a:b] for a, b in itertools.pairwise(cuts)] if self.view.lines else []

    @property
    def cut(self) -> str:
        return cut_of(self.ranking, people=self.view.people)

    # ------------------------------------------------------------------ judges
    @property
    def accuracy_words(self) -> str:
        return "Agrees with the result" if self.view.opinions else "Accuracy"

    @property
    def judges_count(self) -> str:
        return number_of(sum(not row.removed for row in self.progress.judges), "judge")

    @property
    def judges(self) -> list[dict[str, Any]]:
        now = time()
        by_lot = sides_by_lot(self.study.created)
        return [self._judge(row, place, now, by_lot) for place, row in enumerate(self.progress.judges, 1)]

    def _judge(self, row: JudgeRow, place: int, now: float, by_lot: bool) -> dict[str, Any]:
        judge = str(row.report.name)
        seconds, note = self.answers.median_time(judge), self.notes.get(judge, {})
        shown = judge_row(
            row, person=self.people.get(judge), median_time=seconds, note=note, now=now,
            place=place, by_lot=by_lot,
        )  # fmt: skip
        if judge in self._model_names:  # nobody expects a program to take its time
            shown = {**shown, "flags": []}
        return {**shown, "left_out": left_out_words(self.conduct.get(judge, Conduct()))}

    @property
    def _model_names(self) -> set[str]:
        return {row.name for row in self.models}

    @property
    def counts_models(self) -> bool:
        return self.study.log.counts_models

    @property
    def gold(self) -> list[str]:
        """How judges did on gold pairs: beside the promise, and no part of it."""
        names = {judge: person.name for judge, person in self.people.items()}
        return [f"{clean(names.get(judge, judge))}: {gold_words(row)}" for judge, row in self.view.gold.items()]

    @property
    def models_words(self) -> str:
        """What becomes of the answers of models that are attached."""
        return models_words(self.study.created["ranker"], counted=self.counts_models)

    @property
    def models_beside(self) -> bool:
        """Does a model's opinion stand beside the people's?"""
        return any(row.beside for row in self.models)

    @property
    def never_count(self) -> str:
        return NEVER_COUNT

    @property
    def any_checks(self) -> bool:
        """Has anybody answered an attention check?"""
        return any(checks_words(note) for note in self.notes.values())

    @property
    def any_left_out(self) -> bool:
        """Has anybody skipped a question, let one expire, or changed an answer?"""
        return any(map(left_out_words, self.conduct.values()))

    # ------------------------------------------------------------------ settings and charts
    @property
    def settings(self) -> list[tuple[str, str]]:
        return [
            *fixed_words(self.study.created),
            ("Items", f"{len(self.study.items):,}"),
            ("Made", moment(self.study.created_at)),
        ]

    @property
    def charts(self) -> DashboardCharts | None:
        return self._once("charts", lambda: charts_of(self.answers.at, self.progress.judges, self.people))

    def _once(self, what: str, make: Callable[[], Made]) -> Made:
        if what not in self.made:
            self.made[what] = make()
        found: Made = self.made[what]
        return found


def _heard(progress: StudyProgress) -> tuple[int, int]:
    """Answers, and how often one was taken back: given again, there are as many as before."""
    return progress.answers, sum(row.undone for row in progress.judges)


def _acts(study: Study, progress: StudyProgress) -> tuple[object, ...]:
    """What changes a result otherwise than by answers: edits, items that joined or left."""
    return progress.post_hoc, progress.progress.items, tuple(study.log.withdrawn)
