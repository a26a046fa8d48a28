"""What programs send and receive, as the OpenAPI document shows it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from juryrank.server.access.vault import MOST_DAYS
from juryrank.server.studies.creating import MOST_MINUTES, MOST_NAME, MOST_QUESTIONS, PEOPLE
from juryrank.server.studies.intake import MOST_ID, MOST_ITEMS, NewItem, NewJudge
from juryrank.server.studies.setup import MOST_WORDS, AttentionCheck
from juryrank.server.web.render import MOST_BODY, Content

Name = Annotated[str, StringConstraints(min_length=1, max_length=MOST_NAME)]
ItemId = Annotated[str, StringConstraints(min_length=1, max_length=MOST_ID)]
Words = Annotated[str, StringConstraints(max_length=MOST_WORDS)]
Kind = Literal["text", "markdown", "image", "link", "audio", "video"]
Probability = Annotated[float, Field(gt=0, lt=1)]


class Strict(BaseModel):
    """Unknown fields are refused: a misspelt one would be ignored otherwise."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why it did not work, and what to do."""

    code: str
    detail: str


class ItemIn(Strict):
    id: ItemId
    content: Annotated[str, StringConstraints(max_length=MOST_BODY)] | None = None
    kind: Kind = "text"
    alt: Annotated[str, StringConstraints(max_length=1000)] = ""

    def item(self) -> NewItem:
        plain = self.content is None and self.kind == "text" and not self.alt
        if plain:
            return NewItem(self.id)
        return NewItem(self.id, Content.checked(self.content or self.id, kind=self.kind, alt=self.alt))


Items = Annotated[list[ItemId | ItemIn], Field(max_length=MOST_ITEMS)]


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


class SetupIn(Strict):
    """How judges see the study; what is left out stays as it is."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=MOST_WORDS)] | None = None
    intro: Words | None = None
    consent: bool | None = None
    own_work: bool | None = None
    ties: bool | None = None
    lease: Annotated[float, Field(ge=10, le=30 * 24 * 3600)] | None = None
    link_days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = None  # of links that are made from now on
    language: Annotated[str, StringConstraints(max_length=10)] | None = None  # of judges' pages; "": the browser's
    checks: Annotated[list[CheckIn], Field(max_length=50)] | None = None

    def changes(self) -> dict[str, Any]:
        """The fields that were sent."""
        sent = self.model_dump(exclude_none=True, exclude={"checks"})
        if self.checks is not None:
            sent["checks"] = tuple(one.check() for one in self.checks)
        return sent


class StudyIn(Strict):
    name: Name
    items: Items
    judges: Annotated[list[JudgeIn], Field(max_length=5000)] = []
    ranker: Annotated[str, StringConstraints(max_length=40)] = PEOPLE
    error: Probability = 0.1
    objective: Annotated[str, StringConstraints(max_length=40)] = "ranges"
    repeats: Annotated[int, Field(ge=1, le=1000)] | None = None
    budget: Annotated[int, Field(ge=1, le=10**9)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    sitting: Annotated[int, Field(ge=1, le=MOST_QUESTIONS)] | None = None  # questions per person
    sitting_minutes: Annotated[float, Field(ge=1, le=MOST_MINUTES)] | None = None
    setup: SetupIn = SetupIn()


class StudyOut(BaseModel):
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


class JudgeLink(BaseModel):
    """A new judge. The link and the token are shown this once."""

    judge: str
    name: str
    address: str | None
    link: str
    token: str


class StudyMade(BaseModel):
    study: StudyOut
    judges: list[JudgeLink]
    advice: str


class JudgesOut(BaseModel):
    judges: list[JudgeLink]


class JudgeOut(BaseModel):
    judge: str
    name: str | None
    address: str | None
    answered: int
    accuracy: float | None
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
    open: int
    last_at: str | None
    median_seconds: float | None


class AskIn(Strict):
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = Field(
        None, description="Whom to ask (admin tokens); empty: the study picks. A judge's token asks for itself."
    )


class QuestionOut(BaseModel):
    id: str
    judge: str
    left: str
    right: str
    question: str = Field(description="The wording judges see.")


class AskOut(BaseModel):
    question: QuestionOut | None
    state: Literal["ready", "wait", "done", "dropped", "closed"]
    reason: str


class TellIn(Strict):
    question: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    answer: Literal["left", "right", "tie", "skip"]
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    response_time: Annotated[float, Field(ge=0, le=86400)] | None = None
    comment: Annotated[str, StringConstraints(max_length=2000)] | None = None


class TellOut(BaseModel):
    question: str
    judge: str
    answer: str
    late: bool
    repeated: bool


class UndoIn(Strict):
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None


class Done(BaseModel):
    done: str


class TokenIn(Strict):
    scope: Literal["admin", "judge", "read"]
    study: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    judge: Annotated[str, StringConstraints(max_length=MOST_ID)] | None = None
    label: Annotated[str, StringConstraints(max_length=100)] = ""
    days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = Field(
        None, description="How long it works; empty: until it is revoked."
    )


class TokenMade(BaseModel):
    id: int
    token: str


class TokenOut(BaseModel):
    id: int
    scope: str
    study: int
    judge: str | None
    label: str
    created_at: str
    expires_at: str | None


class HeadOut(BaseModel):
    """Where a log ended, and when; `key` and `signature` (hexadecimal) are empty where the server has no key."""

    seq: int
    head: str
    time: str
    key: str
    signature: str
    code: str


class ReceiptOut(BaseModel):
    """What a judge can keep: `text` for people, `head` for programs."""

    judge: str
    answers: int
    code: str
    text: str
    head: HeadOut


class AuditOut(BaseModel):
    """Something that an owner did, by a log-in (`session`) or a token."""

    at: str
    act: str
    study: int | None
    details: str
    session: int | None
    token: int | None


class Me(BaseModel):
    scope: str
    study: int
    judge: str | None
