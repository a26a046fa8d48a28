"""Crowd platforms: which parameters of the address are kept, where people go at the end, and with which code.

Parameters are data that strangers send: short, printable, never HTML. The address at the end is the study's own;
what strangers sent can only fill named places behind its question mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import quote, urlsplit

from juryrank.errors import BadInput
from juryrank.storage.base import Storage

NOTE = "platform"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,39}")
PLACE = re.compile(r"\{([^{}]*)\}")
UNFILLED = re.compile(r"\{\{.*\}\}|%[A-Z_]+%|\$\{.*\}|XXXX")  # what a platform should have filled in and did not
MOST_PARAMETERS = 12
MOST_VALUE = 200  # characters of a parameter; platforms' ids have 20 to 40
MOST_CODE = 100
MOST_ADDRESS = 1000
CODE = "code"  # the place of the completion code in the address
FREE = "free"


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known about a platform. `link`: what its place-holders look like in the address that it is given."""

    key: str
    name: str
    parameters: tuple[str, ...]
    finish: str
    hint: str
    link: str = ""

    @property
    def identity(self) -> str:
        return self.parameters[0] if self.parameters else ""


PRESETS = {
    one.key: one
    for one in (
        Preset(
            "prolific",
            "Prolific",
            ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
            "https://app.prolific.com/submissions/complete?cc={code}",
            "Give the completion code of your Prolific study.",
            "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
        ),
        Preset(
            "connect",
            "CloudResearch Connect",
            ("participantId", "assignmentId", "projectId"),
            "",
            "Paste the redirect address of your Connect project, or give a code to copy.",
        ),
        Preset(
            "sona",
            "SONA",
            ("survey_code",),
            "",
            "Paste the client-side completion address of your SONA study; its XXXX is filled in.",
            "survey_code=%SURVEY_CODE%",
        ),
        Preset(FREE, "", (), "", "Say which parameters of the address to keep, and where people go at the end."),
    )
}


@dataclass(frozen=True, slots=True)
class Platform:
    """How a study works with a crowd platform; `preset` empty: it does not."""

    preset: str = ""
    parameters: tuple[str, ...] = ()  # what is kept of the address
    identity: str = ""  # the parameter that says who somebody is: with it they go on, on another device as well
    required: bool = True  # nobody begins without it
    finish: str = ""  # where people go at the end; {code} and {PARAMETER} are filled in behind the question mark
    code: str = ""
    failed_code: str = ""  # for people who failed the attention checks; empty: the same
    refill: bool = True  # places of those who leave are free again

    def __post_init__(self) -> None:
        if self.preset and self.preset not in PRESETS:
            raise BadInput(f"{self.preset[:40]!r} is not a platform; there are: {', '.join(PRESETS)}")
        self._check_parameters()
        for code in (self.code, self.failed_code):
            if len(code) > MOST_CODE or not code.isprintable():
                raise BadInput(f"a code has at most {MOST_CODE} printable characters")
        self._check_finish()

    def _check_parameters(self) -> None:
        if len(self.parameters) > MOST_PARAMETERS:
            raise BadInput(f"{len(self.parameters)} parameters: at most {MOST_PARAMETERS} are kept")
        for name in self.parameters:
            if not NAME.fullmatch(name) or name == CODE:
                raise BadInput(
                    f"{name[:40]!r} cannot be the name of a parameter; use letters, digits, '_', '.' and "
                    f"'-', up to 40, beginning with a letter, and a word other than {CODE!r}"
                )
        if len(set(self.parameters)) < len(self.parameters):
            raise BadInput("a parameter is named twice; name each once")
        if self.identity and self.identity not in self.parameters:
            raise BadInput(f"the id comes from {self.identity[:40]!r}, which is not among the kept parameters")

    def _check_finish(self) -> None:
        if not self.finish:
            return
        before, _, query = self.finish.partition("?")
        fine = len(self.finish) <= MOST_ADDRESS and self.finish.isprintable() and " " not in self.finish
        try:
            parts = urlsplit(before)
        except ValueError:
            parts = urlsplit("")
        if not fine or parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc:
            raise BadInput("the address at the end must be a web address that begins with https:// (or http://)")
        if "{" in before or "}" in before:
            raise BadInput("places such as {code} can only stand behind the question mark of the address")
        known = (*self.parameters, CODE)
        unknown = [name for name in PLACE.findall(query) if name not in known]
        if unknown or "{" in PLACE.sub("", query) or "}" in PLACE.sub("", query):
            raise BadInput(f"the address at the end has a place that is none of: {', '.join(known)}")
        if f"{{{CODE}}}" in query and not self.code:
            raise BadInput("the address at the end carries a completion code: give the code")

    @property
    def place(self) -> str:
        """The platform's name; empty: it has none."""
        return PRESETS[self.preset].name if self.preset else ""

    def received(self, sent: Iterable[tuple[str, str]]) -> dict[str, str]:
        """What is kept of an address or a form: each parameter once, short and printable; the rest is dropped.

        >>> platform = of_preset("prolific", code="C1")
        >>> platform.received([("PROLIFIC_PID", "5f0"), ("x", "y"), ("STUDY_ID", "a"), ("STUDY_ID", "b")])
        {'PROLIFIC_PID': '5f0'}
        """
        values: dict[str, list[str]] = {name: [] for name in self.parameters}
        for name, value in sent:
            if name in values:
                values[name].append(value.strip())
        return {name: given[0] for name, given in values.items() if len(given) == 1 and usable(given[0])}

    def who(self, parameters: Mapping[str, str]) -> str:
        """The id that the platform gives somebody; empty: none."""
        return parameters.get(self.identity, "") if self.identity else ""

    def lacks_id(self, parameters: Mapping[str, str]) -> bool:
        return bool(self.identity) and self.required and not self.who(parameters)

    def code_for(self, *, failed: bool) -> str:
        return self.failed_code if failed and self.failed_code else self.code

    def address(self, parameters: Mapping[str, str], *, failed: bool) -> str:
        """Where somebody goes at the end; empty: nowhere.

        >>> of_preset("prolific", code="C 1").address({}, failed=False)
        'https://app.prolific.com/submissions/complete?cc=C%201'
        """
        values = {**parameters, CODE: self.code_for(failed=failed)}
        return PLACE.sub(lambda place: quote(values.get(place[1], ""), safe=""), self.finish)

    def link(self, address: str) -> str:
        """The open link as the platform wants it, with its place-holders."""
        wanted = PRESETS[self.preset].link if self.preset else ""
        return f"{address}?{wanted}" if wanted else address

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def usable(value: str) -> bool:
    """Is a parameter's value short and printable enough to be kept?

    >>> usable("5f0"), usable("{{%PROLIFIC_PID%}}"), usable("x" * 300)
    (True, False, False)
    """
    return bool(value) and len(value) <= MOST_VALUE and value.isprintable() and not UNFILLED.fullmatch(value)


def of_preset(preset: str, **wishes: Any) -> Platform:
    """A platform with its preset; what is left empty is taken from the preset."""
    if not preset:
        return Platform()
    if preset not in PRESETS:
        raise BadInput(f"{preset[:40]!r} is not a platform; there are: {', '.join(PRESETS)}")
    known = PRESETS[preset]
    given = {name: value for name, value in wishes.items() if value not in ("", (), None)}
    parameters = tuple(given.pop("parameters", known.parameters))
    identity = given.pop("identity", known.identity or "")
    finish = str(given.pop("finish", known.finish)).strip()
    if preset == "sona":
        finish = re.sub(r"\bsurvey_code=XXXX\b", "survey_code={survey_code}", finish)
    plain = Platform(preset, parameters, str(identity))
    return replace(plain, finish=finish, **given)


class Platforms:
    """The platforms of a storage's studies; beside the log, since a log is published and codes are not."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def of(self, study: int) -> Platform:
        found = dict(self._storage.note(NOTE, study=study) or {})
        return Platform(**{**found, "parameters": tuple(found.get("parameters", ()))})

    def save(self, study: int, platform: Platform) -> None:
        self._storage.set_note(NOTE, platform.to_dict() if platform.preset else None, study=study)
