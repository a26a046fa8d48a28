"""A judge's side of a study: the next question, an answer, an undo; the same for pages and programs.

Every answer names its question, so that sending it twice changes nothing: double clicks, two tabs, the back
button and lost connections need no other handling. Attention checks are the pages' own questions: the
ranking never sees them, and judges cannot tell them from others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from juryrank.defaults import CHECK_EVERY, DEFAULT_SITTING_LEASE, MOST_HELD
from juryrank.errors import AnsweredTwice, StudyClosed, UnknownQuestion
from juryrank.log.bodies import OWN_WORK
from juryrank.log.chain import answer_anew
from juryrank.rankers import ranker_class
from juryrank.rankers.contract.roster import checked_side
from juryrank.run.cases.catalogue import case_of_both
from juryrank.server.access.vault import Vault
from juryrank.server.crowd.arrivals import Arrivals
from juryrank.server.languages.speaking import ErrorForJudge, ntr, tr
from juryrank.server.studies.cards import (
    ASK,
    Card,
    ShownQuestion,
    Side,
    done_card,
    ending,
    ready_card,
    side,
)
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.studies.setup import AttentionCheck, Setup, labels_of, question_names
from juryrank.server.web.render import case_html, minutes_to_read, words_shown
from juryrank.study import Seat, Study
from juryrank.study.people import AboutPeople
from juryrank.types import Question, Status, Wait

OWN_WORK_TRIES = 50  # pairs set aside in one go for a judge who may not see them


class Judging:
    """What judges may do, by study number and judge."""

    def __init__(self, open_studies: OpenStudies, vault: Vault, arrivals: Arrivals) -> None:
        self._desk = open_studies
        self._vault = vault
        self._arrivals = arrivals
        self._counted: dict[int, tuple[Setup, list[str], list[int]]] = {}
        self._sizes: dict[tuple[int, int], int | None] = {}  # of a study's sittings, by how many items there are

    # ------------------------------------------------------------------ what a judge sees
    def look(self, number: int, judge: str) -> Card:
        """What this judge sees now. Looking changes nothing: a chat program's preview may look as well."""
        study = self._desk.study(number)
        return self._arrivals.dressed(study, judge, self._look(study, judge))

    def _look(self, study: Study, judge: str) -> Card:
        number, setup = study.id, self._desk.setup(study.id)
        note = self._vault.judge_note(number, judge)
        if not self._begun(study, judge, setup, note):
            status = study.status(judge)
            if status.state in (Wait.DONE, Wait.DROPPED):
                return self._ending(study, judge, status, "", note)
            return Card("intro", heading=tr("Welcome"))
        own = frozenset(note.get("own", ()))
        shown = [one for one in study.open_questions(judge) if not own & _pair(one)]
        if shown and not study.judge(judge).seat().closed:
            return self._asked(study, judge, setup, self._unlike_the_last(study, judge, shown), "", note)
        status = study.status(judge)
        if (
            status.state is Wait.WAIT and study.log.has_overdue()
        ):  # the one they wait for is late: asking ends that
            status = Status(Wait.READY, ASK)
        return self._pausing(study, judge, note, status, "")

    def _begun(self, study: Study, judge: str, setup: Setup, note: dict[str, Any]) -> bool:
        """Has this judge pressed Start? Where the first page asks for nothing, having answered counts as that."""
        if note.get("begun"):
            return True
        seat = study.judge(judge).seat()
        return not setup.has_intro and bool(seat.open or seat.answered)

    @staticmethod
    def _unlike_the_last(study: Study, judge: str, shown: list[Question]) -> Question:
        last = study.judge(judge).seat().last
        before = {last.lease.left, last.lease.right} if last else set()
        return next((one for one in shown if _pair(one) != before), shown[0])

    # ------------------------------------------------------------------ what a judge does
    def card(self, number: int, judge: str, *, says: str = "", following: Question | None = None) -> Card:
        """The next question, asked if none is open; `following`: the one that came with the last receipt."""
        study = self._desk.study(number)
        card = self._card(study, judge, says, following)
        return card if card.state == "question" else self._arrivals.dressed(study, judge, card)

    def _card(self, study: Study, judge: str, says: str, following: Question | None) -> Card:
        number, setup = study.id, self._desk.setup(study.id)
        note = self._note(number, judge, setup)
        if setup.has_intro and not note.get("begun"):
            return Card("intro", heading=tr("Welcome"), says=says)
        if following is None and self._enough(study, judge, note):
            return self._pausing(study, judge, note, study.status(judge), says)
        question = self._next(study, judge, setup, frozenset(note.get("own", ())), following)
        if isinstance(question, Status):
            return self._ending(study, judge, question, says, note)
        return self._asked(study, judge, setup, question, says, note)

    def terms(self, number: int) -> str:
        """How many questions there are and how long one has, in words, before anybody starts."""
        setup, questions = self._desk.setup(number), self._sitting_size(number, len(self._compared(number)))
        times = self.reading_time(number)
        if questions is None or times is None:
            return tr("You are asked as long as your answers are needed; you can stop at any time.")
        reading, minutes, n = times[0], round(times[1]), with_checks(questions, setup)
        return " ".join(
            filter(
                None,
                (
                    ntr("{n} comparison", "{n} comparisons", n) + _reading_words(reading) + ".",
                    ntr(
                        "You can stop and come back: the time limit is {n} minute, from Start.",
                        "You can stop and come back: the time limit is {n} minutes, from Start.",
                        minutes,
                    ),
                    tr("Reading everything takes longer than that: you need not answer all.")
                    if reading > minutes
                    else "",
                ),
            )
        )

    def reading_time(self, number: int) -> tuple[int, float] | None:
        """Minutes that a person reads for their questions, and has for them; None: as long as they like."""
        items = self._compared(number)
        questions = self._sitting_size(number, len(items))
        if questions is None:
            return None
        words = self._words(number, items, self._desk.setup(number))
        limit = self._desk.study(number).created.get("sitting_lease", DEFAULT_SITTING_LEASE) / 60
        return minutes_to_read(words, questions=questions), limit

    def _compared(self, number: int) -> list[str]:
        study = self._desk.study(number)
        gone = set(study.log.withdrawn)
        return [item for item in study.items if item not in gone]

    def _words(self, number: int, items: list[str], setup: Setup) -> list[int]:
        """The words of each item, counted once for each list and each way to show it."""
        known = self._counted.get(number)
        if known is None or known[0] is not setup or known[1] != items:
            words = [words_shown(item, setup.contents.get(item)) for item in items]
            known = self._counted[number] = (setup, items, words)
        return known[2]

    def answer(
        self,
        number: int,
        judge: str,
        *,
        question: str,
        answer: str,
        response_time: float | None = None,
        comment: str = "",
    ) -> Card:
        """Record an answer; what this judge sees next, with what became of the answer."""
        study, setup = self._desk.study(number), self._desk.setup(number)
        asked = question_names(study, setup).read(judge, question)
        if answer == "tie" and not setup.ties:
            raise ErrorForJudge(tr("This study does not offer “too close to call”: choose one, or skip."))
        if isinstance(asked, str):
            before = self._answer_check(number, judge, setup, asked, answer)
            return self.card(number, judge, says=_check_words(before, answer))
        known: dict[str, Any] = {"response_time": response_time, "source": "page"}
        try:
            if self._enough(study, judge, None, answering=1):
                receipt, following = study.tell(asked, side=answer, judge=judge, **known), None
            else:
                receipt, following = study.tell_and_ask(
                    asked, side=answer, judge=judge, lease=setup.lease, **known
                )
        except AnsweredTwice:
            return self.card(
                number, judge, says=tr("You had answered this one already; your first answer stands.")
            )
        if setup.comment and comment.strip() and not receipt.repeated:
            AboutPeople(study.storage, number).comment(judge, asked, comment)
        says = tr("Saved.")
        if receipt.late:
            says = tr("That answer came after its time: it is kept, but does not count.")
        elif receipt.repeated:
            says = tr("This answer was saved already.")
        return self.card(number, judge, says=says, following=following)

    def go_on(self, number: int, judge: str) -> Card:
        """Offer as many questions again, to somebody who has answered enough and wants to go on."""
        study, note = self._desk.study(number), self._vault.judge_note(number, judge)
        if self._enough(study, judge, note):
            goal = study.judge(judge).seat().answered + (self._sitting_size(number, len(study.items)) or 0)
            self._vault.save_judge_note(number, judge, {**note, "goal": goal})
        return self.card(number, judge)

    # ------------------------------------------------------------------ how much is enough
    def _enough(self, study: Study, judge: str, note: dict[str, Any] | None, *, answering: int = 0) -> bool:
        """Has the judge been asked as many questions as were announced? Passing over own work does not count."""
        seat = study.judge(judge).seat()
        size, answered = self._sitting_size(study.id, seat.items), seat.answered
        if size is None or answered + answering < size:
            return False  # surely not: no need to read the note
        note = self._vault.judge_note(study.id, judge) if note is None or "begun" not in note else note
        return answered + answering >= int(note.get("goal", size))

    def _pausing(self, study: Study, judge: str, note: dict[str, Any], status: Status, says: str) -> Card:
        """The judge has no open question: another can be had, or they have done enough, or nothing is left."""
        seat, more = study.judge(judge).seat(), status.state is Wait.READY
        if self._enough(study, judge, note) and (more or status.state is Wait.DONE) and not seat.closed:
            return done_card(seen_by(seat, note), says, undo=self._undoable(study, judge, note), more=more)
        return ready_card(status, says) if more else self._ending(study, judge, status, says, note)

    def _ending(self, study: Study, judge: str, status: Status, says: str, note: dict[str, Any]) -> Card:
        undo, answered = self._undoable(study, judge, note), seen_by(study.judge(judge).seat(), note)
        return ending(study, judge, status, says, answered=answered, undo=undo)

    def undo(self, number: int, judge: str, *, question: str) -> str:
        """Take the last answer back; with `question`, only if it is still the answer to that one."""
        study = self._desk.study(number)
        seat, note = study.judge(judge).seat(fresh=True), self._vault.judge_note(number, judge)
        offered = self._undoable(study, judge, note)
        if not offered or question not in ("", offered):
            return tr("Nothing to take back: that answer was taken back already, or a newer one was given.")
        check = last_check(seat, note)
        if check:
            left = {name: one for name, one in note["checks"].items() if name != check}
            self._vault.save_judge_note(number, judge, {**note, "checks": left, "taken_back_after": seat.answered})
        elif seat.last is not None:
            AboutPeople(study.storage, number).comment(judge, seat.last.lease.q, "")
            study.undo(judge, by="judge")
        return tr("Taken back. Choose again.")

    def _undoable(self, study: Study, judge: str, note: Mapping[str, Any]) -> str:
        """The question whose answer this judge can take back, as pages call it; empty: none.

        Only the last answer can, once: who has taken the answer to a check back must answer it first. Judges who
        answer anew have no undo, of checks neither: it would be a second draw.
        """
        if answer_anew(study.created):
            return ""
        seat, names = study.judge(judge).seat(), question_names(study, self._desk.setup(study.id))
        check = last_check(seat, note)
        if check:
            return names.of_check(judge, check)
        if seat.last is None or note.get("taken_back_after") == seat.answered:
            return ""
        return names.of_question(judge, seat.last.lease.q)

    def check_first_page(self, number: int, *, consent: bool, own: list[str]) -> None:
        """Raise unless the first page was filled in as the study asks."""
        setup = self._desk.setup(number)
        if setup.consent and not consent:
            raise ErrorForJudge(tr("Please tick that you agree, or close this page: nothing is stored about you."))
        items = self._called(number) if own else {}
        unknown = [item for item in own if item not in items]
        if unknown:
            raise ErrorForJudge(tr("“{item}” is not an item of this study.", item=unknown[0][:80]))
        if own and len(items) - len(own) < 2:
            raise ErrorForJudge(
                tr("If nearly everything is your own, there is nothing to ask you. Thank you anyway.")
            )

    def begin(self, number: int, judge: str, *, consent: bool, own: list[str]) -> None:
        """Start was pressed: the first page is passed, and the first question is asked."""
        self.check_first_page(number, consent=consent, own=own)
        note = self._vault.judge_note(number, judge)
        items = self._called(number) if own else {}
        self._vault.save_judge_note(number, judge, {**note, "begun": True, "own": [items[one] for one in own]})
        self.card(number, judge)

    def _called(self, number: int) -> dict[str, str]:
        """The items that judges compare, by what judges may call them."""
        study, setup = self._desk.study(number), self._desk.setup(number)
        gone = set(study.log.withdrawn)
        return {label: item for item, label in labels_of(study, setup).items() if item not in gone}

    def sample(self, number: int, place: int) -> Card:
        """A question as judges see it, for their owner to look at; nothing is asked and nothing is saved."""
        study, setup = self._desk.study(number), self._desk.setup(number)
        items = [item for item in study.items if item not in study.log.withdrawn]
        kept = self._desk.cases(number)
        left, right = items[place % len(items)], items[(place + 1) % len(items)]
        case = None if kept is None else case_of_both(kept, left, right)
        sample = Question(place, "", left, right, case=case)
        shown = replace(self._shown(study, "", setup, sample), id=f"preview-{place}")
        says = tr("This is a preview: nothing is saved.")
        size = self._sitting_size(number, len(items))
        planned = None if size is None else with_checks(size, setup)
        return Card("question", shown, says=says, answered=place, planned=planned, ties=setup.ties)

    # ------------------------------------------------------------------ which question
    def _next(
        self, study: Study, judge: str, setup: Setup, own: frozenset[str], following: Question | None
    ) -> Question | Status:
        try:
            for _ in range(OWN_WORK_TRIES):
                question = following or study.ask(judge, lease=setup.lease, again=True, own=own)
                following = None
                if question is None:
                    return study.status(judge)
                if not own & {question.left, question.right}:
                    return self._another_pair(study, judge, setup, question, own)
                study.tell(question.id, side="skip", judge=judge, source=OWN_WORK)
        except StudyClosed:
            return Status(Wait.DONE, "closed")
        return Status(Wait.WAIT, "What could be asked now concerns your own work.")

    def _another_pair(
        self, study: Study, judge: str, setup: Setup, question: Question, own: frozenset[str]
    ) -> Question:
        """Not the same pair twice in a row when another question exists: the first one waits its turn."""
        if question.case is not None:
            return question  # another case is another question
        seat = study.judge(judge).seat()
        if seat.last is None or _pair(question) != {seat.last.lease.left, seat.last.lease.right}:
            return question
        others = [one for one in seat.open if _pair(one) != _pair(question)]
        if not others and len(seat.open) < MOST_HELD:
            more = study.ask(judge, lease=setup.lease)
            others = [more] if more is not None and _pair(more) != _pair(question) else []
        return next((one for one in others if not own & _pair(one)), question)

    # ------------------------------------------------------------------ attention checks
    def _check_due(self, study: Study, judge: str, setup: Setup, note: dict[str, Any]) -> ShownQuestion | None:
        given = note.get("checks", {})
        check = next((one for one in setup.checks if one.id not in given), None)
        if check is None or study.judge(judge).seat().answered < check_place(len(given)):
            return None
        left, right = (check.better, check.worse) if _better_left(check, judge) else (check.worse, check.better)
        name = question_names(study, setup).of_check(judge, check.id)
        return ShownQuestion(name, side(left, setup), side(right, setup))

    def _answer_check(self, number: int, judge: str, setup: Setup, question: str, answer: str) -> str:
        """Keep the first answer to a check; what was answered before, or nothing."""
        check = next((one for one in setup.checks if one.id == question), None)
        if check is None:
            raise UnknownQuestion("this question is no longer asked; here is where you are now")
        checked_side(answer)
        note = self._vault.judge_note(number, judge)
        given = dict(note.get("checks", {}))
        if question not in given:
            right = answer == ("left" if _better_left(check, judge) else "right")
            after = self._desk.study(number).judge(judge).seat().answered
            given[question] = {"answer": answer, "right": right, "after": after}
            self._vault.save_judge_note(number, judge, {**note, "checks": given, "taken_back_after": None})
            return ""
        return str(given[question]["answer"])

    # ------------------------------------------------------------------ cards
    def _note(self, number: int, judge: str, setup: Setup) -> dict[str, Any]:
        if setup.has_intro or setup.checks or self._sitting_size(number, 0) is not None:
            return self._vault.judge_note(number, judge)
        return {}

    def _asked(
        self, study: Study, judge: str, setup: Setup, question: Question, says: str, note: dict[str, Any]
    ) -> Card:
        """The question, or the check that is due before it: a check comes only where a question would."""
        shown = self._check_due(study, judge, setup, note) or self._shown(study, judge, setup, question)
        seat = study.judge(judge).seat()
        planned = self._planned(study, note, items=seat.items, answered=seat.answered)
        return Card(
            "question",
            shown,
            says=says,
            answered=seen_by(seat, note),
            planned=None if planned is None else with_checks(planned, setup),
            undo=self._undoable(study, judge, note),
            ties=setup.ties,
        )

    def _shown(self, study: Study, judge: str, setup: Setup, question: Question) -> ShownQuestion:
        """Both items; on cases both outputs and the input, without the systems' names."""
        name = question_names(study, setup).of_question(judge, question.id)
        if self._desk.cases(study.id) is None or question.case is None:
            return ShownQuestion(name, side(question.left, setup), side(question.right, setup))
        left, right, case = (
            case_html(thing, kind=setup.case_kind) for thing in self._desk.shown_case(study.id, question)
        )
        return ShownQuestion(name, Side("", left), Side("", right), case)

    def _planned(self, study: Study, note: dict[str, Any], *, items: int, answered: int) -> int | None:
        """How many questions are announced, where the ranker plans sittings; never fewer than are asked."""
        planned = self._sitting_size(study.id, max(2, items - len(note.get("own", ()))))
        return None if planned is None else int(note.get("goal", max(planned, answered + 1)))

    def _sitting_size(self, number: int, items: int) -> int | None:
        """None: the ranker plans no sittings."""
        if (number, items) not in self._sizes:
            kind = ranker_class(self._desk.study(number).created["ranker"])
            self._sizes[number, items] = kind.planned_sitting(self._desk.options(number), items=items)
        return self._sizes[number, items]


def _reading_words(minutes: int) -> str:
    """How long reading takes, where it takes a minute or more."""
    return ntr(", about {n} minute of reading", ", about {n} minutes of reading", minutes) if minutes else ""


def _check_words(before: str, answer: str) -> str:
    """What any other question says, too: answered now, once more, or otherwise."""
    if not before:
        return tr("Saved.")
    if before == answer:
        return tr("This answer was saved already.")
    return tr("You had answered this one already; your first answer stands.")


def check_place(given: int) -> int:
    """The number of answers after which the next attention check comes.

    >>> [check_place(given) for given in range(3)]
    [3, 14, 21]
    """
    return CHECK_EVERY * (given + 1) // (1 if given else 2)


def with_checks(questions: int, setup: Setup) -> int:
    """How many questions a judge sees who answers so many of the ranking's: attention checks are questions too."""
    return questions + checks_within(questions, len(setup.checks))


def checks_within(questions: int, checks: int) -> int:
    """How many of `checks` attention checks come within this many questions.

    >>> checks_within(10, 5)
    1
    """
    return sum(check_place(k) < questions for k in range(checks))


def seen_by(seat: Seat, note: Mapping[str, Any]) -> int:
    """How many questions this judge has answered, as they count them: attention checks are questions too."""
    return seat.answered + len(note.get("checks", ()))


def last_check(seat: Seat, note: Mapping[str, Any]) -> str:
    """The attention check that was answered last, if nothing was answered since; empty: none."""
    given = note.get("checks", {})
    fresh = [name for name, one in given.items() if one.get("after") == seat.answered]
    return fresh[-1] if fresh and seat.last is not None else ""


def _pair(question: Question) -> set[Any]:
    return {question.left, question.right}


def _better_left(check: AttentionCheck, judge: str) -> bool:
    return hashlib.sha256(f"{judge}\0{check.better}\0{check.worse}".encode()).digest()[0] % 2 == 0
