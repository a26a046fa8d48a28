"""How somebody joins by the open link, comes back with a platform's id, and what they get at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from juryrank.errors import CannotJoin
from juryrank.server.access.vault import Vault, hash_secret, same
from juryrank.server.crowd.platforms import Platforms
from juryrank.server.crowd.questionnaire import answers_of
from juryrank.server.languages.speaking import tr
from juryrank.server.studies.cards import Card
from juryrank.server.studies.open_links import OpenLink
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.storage.values import utc
from juryrank.study import Study
from juryrank.study.members import pseudonym
from juryrank.study.people import CAME_AT, NETWORK, AboutPeople, checks_failed

OPEN_LINK = "open link"  # how somebody came
LEAST_DEVICE, MOST_DEVICE = 16, 64  # characters of the random word in a first page
VISITOR = "Visitor"  # the name, before its number, of somebody who gave none


class BegunElsewhere(CannotJoin):
    """Somebody has begun with this id, on another device, and keeps the place."""


@dataclass(frozen=True, slots=True)
class FirstPage:
    """What somebody sent with Start."""

    consent: bool = False
    own: tuple[str, ...] = ()
    phrase: str = ""
    device: str = ""  # a random word of the page that it was sent from: two clicks on Start are one person
    listed: bool = False  # it showed the items, for people to find their own work
    parameters: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)  # of the questionnaire, by the names of their fields


class Arrivals:
    """People who come, by study number."""

    def __init__(self, open_studies: OpenStudies, vault: Vault, platforms: Platforms) -> None:
        self._desk, self._vault, self._platforms = open_studies, vault, platforms

    def about(self, number: int) -> AboutPeople:
        return AboutPeople(self._desk.storage, number)

    # ------------------------------------------------------------------ joining
    def known(self, number: int, parameters: Mapping[str, str]) -> str | None:
        """The judge who came with this id before; None: nobody did, or they are no longer in the study."""
        identity = self._platforms.of(number).who(parameters)
        judge = self.about(number).judge_of(identity) if identity else None
        if judge is None or judge not in self._desk.study(number).judges:
            return None
        return judge

    def is_same_device(self, number: int, judge: str, page: FirstPage) -> bool:
        """Was Start pressed on the very page from which this judge began? Others may know an id."""
        kept = self.about(number).of(judge).get("device", "")
        return bool(kept and page.device) and same(kept, hash_secret(page.device))

    def is_somebody_else(self, number: int, judge: str, parameters: Mapping[str, str]) -> bool:
        """Does the address name a person other than the one whose cookie the browser has (a shared computer)?"""
        platform = self._platforms.of(number)
        identity = platform.who(parameters)
        return bool(identity) and platform.who(self.about(number).of(judge).get("parameters") or {}) != identity

    def check(self, number: int, page: FirstPage) -> None:
        """Raise unless the questions about the person are answered as the study asks."""
        answers_of(self._desk.setup(number).before, page.fields)

    def join(self, number: int, link: OpenLink, page: FirstPage) -> str:
        """A new judge; raises CannotJoin when the study is full, or when somebody has begun with this id."""
        if self._desk.cases(number) is not None:  # each newcomer would end the proof under way: owners decide that
            raise CannotJoin("this study asks the judges whom its owner named, and nobody else")
        study, platform = self._desk.study(number), self._platforms.of(number)
        identity, about = platform.who(page.parameters), self.about(number)
        judge = self._claimed(number, identity, page) if identity else pseudonym()
        room = self.room(number, link)
        try:
            study.add_judge(VISITOR, person=True, numbered=True, most=room, known_as=judge)
        except CannotJoin:
            if identity:
                about.release(identity, judge)
                about.erase(judge)
            raise
        return judge

    def _claimed(self, number: int, identity: str, page: FirstPage) -> str:
        """The judge of this id, if it is free, or if it was claimed from the same page a moment ago."""
        about, judge = self.about(number), pseudonym()
        about.add(judge, {"device": hash_secret(page.device) if page.device else ""})
        first = about.claim(identity, judge)
        if first == judge:
            return judge
        about.erase(judge)
        if not self.is_same_device(number, first, page):
            raise BegunElsewhere("somebody has begun with this id on another device")
        return first

    def may_have_room(self, number: int, link: OpenLink) -> bool:
        """Is there room, or might there be once overdue questions are closed? Looking closes nothing."""
        study = self._desk.study(number)
        if len(study.judges) < link.capacity:
            return True
        platform = self._platforms.of(number)
        if not platform.preset or not platform.refill:
            return False
        return study.log.has_overdue() or len(study.judges) - len(study.log.left_early()) < link.capacity

    def room(self, number: int, link: OpenLink) -> int:
        """How many judges the study may have now, replacements for those who left early included."""
        study = self._desk.study(number)
        platform = self._platforms.of(number)
        if not platform.preset or not platform.refill or len(study.judges) < link.capacity:
            return link.capacity
        study.log.expire_due()
        return link.capacity + len(study.log.left_early())

    def keep(self, number: int, judge: str, page: FirstPage, *, came: str = "", network: str = "") -> None:
        """What the first page says about the person, beside their name. `network`: the mark of their address."""
        setup = self._desk.setup(number)
        facts = {
            "came": came,
            "parameters": dict(page.parameters),
            "consent_at": utc(time.time())[:19] + "+00:00" if setup.consent and page.consent else "",
            **({NETWORK: network, CAME_AT: utc(time.time())} if network else {}),
            "before": {label: said for label, said in answers_of(setup.before, page.fields).items() if said},
        }
        self.about(number).add(judge, facts)

    # ------------------------------------------------------------------ the end
    def finish(self, number: int, judge: str, fields: Mapping[str, str]) -> None:
        """Keep the answers to the last questions."""
        answers = answers_of(self._desk.setup(number).after, fields)
        kept = {label: said for label, said in answers.items() if said}
        self.about(number).add(judge, {"after": kept, "last_questions_at": utc(time.time())})

    def dressed(self, study: Study, judge: str, card: Card) -> Card:
        """The last card of somebody who has answered, with the last questions, or the way back and the code."""
        paid = card.state == "done" or (card.state == "closed" and bool(card.answered))
        if not paid or not study.judge(judge).seat().answered:
            return card
        setup, platform = self._desk.setup(study.id), self._platforms.of(study.id)
        if not setup.after and not platform.preset:
            return card
        known = self.about(study.id).of(judge)
        if setup.after and not known.get("last_questions_at"):
            return replace(card, about=True)
        if not platform.preset or known.get("came") != OPEN_LINK:
            return card
        failed = checks_failed(self._vault.judge_note(study.id, judge))
        address = platform.address(known.get("parameters") or {}, failed=failed)
        if address:
            place = platform.place
            words = tr("Finish and go back to {place}", place=place) if place else tr("Finish")
            return replace(card, finish=address, finish_words=words)
        code = platform.code_for(failed=failed)
        where = platform.place or tr("the page where you found it")
        return (
            replace(card, code=code, code_words=tr("Copy this code into {place}.", place=where)) if code else card
        )
