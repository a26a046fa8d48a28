"""What programs send and receive, as the OpenAPI document shows it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from juryrank.defaults import (
    DEFAULT_ERROR,
    ITEM_CHARACTERS,
    MOST_ABOUT_PERSON,
    MOST_DAYS,
    MOST_ITEMS,
    MOST_MINUTES,
    MOST_QUESTIONS,
    REQUEST_CASES,
    STUDY_NAME_CHARACTERS,
    WORDING_CHARACTERS,
)
from juryrank.options import COARSEST, CertifiedChoices, PanelChoices
from juryrank.run.cases.case import Case
from juryrank.server.api.meanings import say
from juryrank.server.crowd.questionnaire import MOST_LABEL, MOST_OPTIONS, AnswerKind, PersonQuestion
from juryrank.server.studies.intake import MOST_ID, NewItem, NewJudge
from juryrank.server.studies.open_links import MOST_CAPACITY, MOST_PHRASE
from juryrank.server.studies.setup import AttentionCheck
from juryrank.server.web.render import Content

Name = Annotated[str, StringConstraints(min_length=1, max_length=STUDY_NAME_CHARACTERS)]
ItemId = Annotated[str, StringConstraints(min_length=1, max_length=MOST_ID)]
Words = Annotated[str, StringConstraints(max_length=WORDING_CHARACTERS)]
Kind = Literal["text", "markdown", "image", "link", "audio", "video"]
Probability = Annotated[float, Field(gt=0, lt=1)]


class Shape(BaseModel):
    """What is sent or received; `meanings` says what its fields mean."""

    model_config = ConfigDict(json_schema_extra=say)


class Strict(Shape):
    """Unknown fields are refused: a misspelt one would be ignored otherwise."""

    model_config = ConfigDict(extra="forbid")


class Problem(Shape):
    """Why it did not work, and what to do."""

    code: str
    detail: str


class ItemIn(Strict):
    id: ItemId
    content: Annotated[str, StringConstraints(max_length=ITEM_CHARACTERS)] | None = None
    kind: Kind = "text"
    alt: Annotated[str, StringConstraints(max_length=1000)] = ""

    def item(self) -> NewItem:
        plain = self.content is None and self.kind == "text" and not self.alt
        if plain:
            return NewItem(self.id)
        return NewItem(self.id, Content.checked(self.content or self.id, kind=self.kind, alt=self.alt))


Items = Annotated[list[ItemId | ItemIn], Field(max_length=MOST_ITEMS)]


class ItemsGone(Strict):
    items: Annotated[list[ItemId], Field(min_length=1, max_length=MOST_ITEMS)]


def items_of(sent: list[str | ItemIn]) -> list[NewItem]:
    """Items as text or as objects."""
    return [NewItem(one) if isinstance(one, str) else one.item() for one in sent]


class JudgeIn(Strict):
    name: Name
    address: Annotated[str, StringConstraints(max_length=300)] | None = None

    def judge(self) -> NewJudge:
        return NewJudge(self.name, self.address)


class CheckIn(Strict):
    better: ItemId
    worse: ItemId

    def check(self) -> AttentionCheck:
        return AttentionCheck(self.better, self.worse)


class PersonQuestionIn(Strict):
    """One question about the person."""

    label: Annotated[str, StringConstraints(min_length=1, max_length=MOST_LABEL)]
    kind: Literal["text", "number", "choice"] = "text"
    options: Annotated[list[str], Field(max_length=MOST_OPTIONS)] = []
    required: bool = False

    def question(self) -> PersonQuestion:
        return PersonQuestion(self.label, AnswerKind(self.kind), tuple(self.options), self.required)


class SetupIn(Strict):
    """How judges see the study; what is left out stays as it is."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=WORDING_CHARACTERS)] | None = None
    intro: Words | None = None
    consent: bool | None = None
    own_work: bool | None = None
    show_names: bool | None = None  # of items that have a content, to judges and on the public page
    ties: bool | None = None
    comment: Words | None = None  # what a judge may say about each choice, to the owner; "": no box
    keep_until: Annotated[str, StringConstraints(max_length=10)] | None = None  # the day people's data is deleted
    lease: Annotated[float, Field(ge=10, le=30 * 24 * 3600)] | None = None
    link_days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = None  # of links that are made from now on
    language: Annotated[str, StringConstraints(max_length=10)] | None = None  # of judges' pages; "": the browser's
    checks: Annotated[list[CheckIn], Field(max_length=50)] | None = None
    case_kind: Literal["text", "markdown"] | None = None  # how inputs and outputs of cases are shown

    # questions about the person
    before: Annotated[list[PersonQuestionIn], Field(max_length=MOST_ABOUT_PERSON)] | None = None
    after: Annotated[list[PersonQuestionIn], Field(max_length=MOST_ABOUT_PERSON)] | None = None

    def changes(self) -> dict[str, Any]:
        """The fields that were sent."""
        sent = self.model_dump(exclude_none=True, exclude={"checks", "before", "after"})
        for part, asked in (("before", self.before), ("after", self.after)):
            if asked is not None:
                sent[part] = tuple(one.question() for one in asked)
        if self.checks is not None:
            sent["checks"] = tuple(one.check() for one in self.checks)
        return sent


class CaseIn(Strict):
    """One case: what all systems answered."""

    id: ItemId
    input: Any = None
    group: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    weight: float | None = None

    def case(self) -> Case:
        return Case(self.id, self.id if self.input is None else self.input, self.group, self.weight)


class OpenLinkIn(Strict):
    """One link for everybody; what is left out stays as it is, or takes its default."""

    on: bool | None = None
    capacity: Annotated[int, Field(ge=1, le=MOST_CAPACITY)] | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    phrase: Annotated[str, StringConstraints(max_length=MOST_PHRASE)] | None = Field(
        None, description="A pass phrase; empty: none is asked for any more."
    )
    per_address: Annotated[int, Field(ge=0, le=MOST_CAPACITY)] | None = None


class OpenLinkOut(Shape):
    link: str
    on: bool
    capacity: int
    opens_at: str | None
    closes_at: str | None
    has_phrase: bool
    per_address: int


class PlatformIn(Strict):
    """A crowd platform: prolific, connect, sona, or free. What is left out comes from its preset; "": none."""

    preset: Literal["", "prolific", "connect", "sona", "free"]
    parameters: Annotated[list[str], Field(max_length=12)] = []
    identity: Annotated[str, StringConstraints(max_length=40)] = ""
    required: bool = True
    finish: Annotated[str, StringConstraints(max_length=1000)] = ""
    code: Annotated[str, StringConstraints(max_length=100)] = ""
    failed_code: Annotated[str, StringConstraints(max_length=100)] = ""
    refill: bool = True


class PlatformOut(PlatformIn):
    link: str = Field(description="The address for the platform, with its place-holders; empty: no open link yet.")


class StudyIn(Strict):
    name: Name
    items: Items
    judges: Annotated[list[JudgeIn], Field(max_length=5000)] = []
    about: Literal["people", "judges", "truth"] | None = Field(
        None,
        description="What the result is about: `people` like these (the default: more may join), exactly these "
        "`judges` (the default on cases), or the `truth`, if every answer is right at least half of the time.",
    )
    goal: Annotated[str, StringConstraints(max_length=1000)] | None = Field(
        None,
        description="What is to be proven: `ranges`, `tiers`, `best`, `top-3` and so on; of judges and about the "
        "truth `order`; on cases also a claim, `new over old`; `guess` proves nothing.",
    )
    within: Annotated[float, Field(ge=0, le=COARSEST)] | Literal["falling"] | None = Field(
        None, description="On cases: 0.05 proves at least 45 % of the answers; `falling` sharpens it step by step."
    )
    error: Probability = DEFAULT_ERROR
    fresh: bool | None = Field(None, description="Do judges who are asked a pair again answer anew?")
    ranker: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        None, description="For researchers, instead of `about`: a ranker by its name."
    )
    repeats: Annotated[int, Field(ge=CertifiedChoices.least("repeats"), le=1000)] | None = Field(
        None, description=f"About the truth: {CertifiedChoices.allowed('repeats').help}."
    )
    budget: Annotated[int, Field(ge=1, le=10**9)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    sitting: Annotated[int, Field(ge=PanelChoices.least("sitting"), le=MOST_QUESTIONS)] | None = Field(
        None, description=f"Of people: {PanelChoices.allowed('sitting').help}."
    )
    sitting_minutes: Annotated[float, Field(ge=1, le=MOST_MINUTES)] | None = None
    cases: Annotated[list[ItemId | CaseIn], Field(max_length=REQUEST_CASES)] = Field(
        [], description="Compare the items, which are then systems, on these cases."
    )
    outputs: dict[ItemId, dict[ItemId, Any]] | None = Field(
        None, description="{system: {case: output}}: what judges of cases are shown instead of the systems' names."
    )
    sides: Literal["random", "both", "single"] | None = Field(
        None,
        description="On cases: a random side, both, or `single`: people remember the other side.",
    )
    setup: SetupIn = SetupIn()

    @property
    def on_cases(self) -> list[Case]:
        return [Case(one, one) if isinstance(one, str) else one.case() for one in self.cases]


class Renamed(Strict):
    name: Name


class StudyOut(Shape):
    id: int
    name: str
    created_at: str
    state: Literal["running", "done", "spent", "closed"]
    ranker: str
    error: float
    items: int
    judges: int
    answers: int
    seq: int


class JudgeLink(Shape):
    """A new judge. The link and the token are shown this once."""

    judge: str
    name: str
    address: str | None
    link: str
    token: str


class StudyMade(Shape):
    study: StudyOut
    judges: list[JudgeLink]
    advice: str


class JudgesOut(Shape):
    judges: list[JudgeLink]


class JudgeOut(Shape):
    judge: str
    name: str | None
    address: str | None
    answered: int
    accuracy: float | None = Field(
        description="How often the judge is right, estimated. Of people (`panel`): the share of choices that "
        "agree with the others'. Of a `jury`: the share of pairs on which the judge leans as the order does."
    )
    low: float | None
    high: float | None
    active: bool
    paused: bool
    removed: bool
    note: str
    left: int
    right: int
    ties: int
    skips: int
    late: int
    expired: int
    undone: int
    open: int
    last_at: str | None
    median_seconds: float | None


class AskIn(Strict):
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = Field(
        None, description="Whom to ask (admin tokens); empty: the study picks. A judge's token asks for itself."
    )


class CaseOut(Shape):
    """The case on which two outputs are compared."""

    id: str
    input: Any


class QuestionOut(Shape):
    id: str
    judge: str
    left: Any = Field(
        description="What judges see of the item; on cases the system's output. Never a hidden name."
    )
    right: Any
    question: str = Field(description="The wording judges see.")
    case: CaseOut | None = None


class AskOut(Shape):
    question: QuestionOut | None
    state: Literal["ready", "wait", "done", "dropped", "closed"]
    reason: str


class TellIn(Strict):
    question: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    answer: Literal["left", "right", "tie", "skip"] | None = None
    grade: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = Field(
        None, description="Instead of `answer`, on cases: by how much, from 1 (left) through 0 to -1 (right)."
    )
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    response_time: Annotated[float, Field(ge=0, le=86400)] | None = None
    comment: Annotated[str, StringConstraints(max_length=2000)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> TellIn:
        if (self.answer is None) == (self.grade is None):
            raise ValueError("give `answer` (left, right, tie or skip) or `grade`, one of the two")
        return self


class TellOut(Shape):
    question: str
    judge: str
    answer: str
    late: bool
    repeated: bool


class UndoIn(Strict):
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    person: bool = False


class Done(Shape):
    done: str


class TokenIn(Strict):
    scope: Literal["admin", "judge", "read"]
    study: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    label: Annotated[str, StringConstraints(max_length=100)] = ""
    days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = Field(
        None, description="How long it works; empty: until it is revoked."
    )


class TokenMade(Shape):
    id: int
    token: str


class TokenOut(Shape):
    id: int
    scope: str
    study: int
    judge: str | None
    label: str
    created_at: str
    expires_at: str | None


class HeadOut(Shape):
    """Where a log ended, and when; `key` and `signature` (hexadecimal) are empty where the server has no key.

    `made`, `deleted`: how many studies this server had made by then, and deleted."""

    seq: int
    head: str
    time: str
    made: int
    deleted: int
    key: str
    signature: str
    code: str


class ReceiptOut(Shape):
    """What a judge can keep: `text` for people, `head` for programs."""

    judge: str
    answers: int
    code: str
    text: str
    head: HeadOut


class AuditOut(Shape):
    """Something that an owner did, by a log-in (`session`) or a token."""

    at: str
    act: str
    study: int | None
    details: str
    session: int | None
    token: int | None


class Me(Shape):
    scope: str
    study: int
    judge: str | None
