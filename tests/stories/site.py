"""`juryrank serve` in a process of its own, and the people who come to it over HTTP."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.stories.desk import Desk, plain_environment

JSON = {"accept": "application/json"}


@dataclass(frozen=True)
class Site:
    """The server: its owner's desk, the link that it printed for the owner, and the owner's client."""

    desk: Desk
    admin: str
    owner: httpx.Client

    @property
    def address(self) -> str:
        return self.admin.partition("/login#")[0]

    def study(self, **wishes: Any) -> tuple[str, list[str]]:
        """A new study: where it is in REST, and its judges' links."""
        made = self.owner.post("/studies", json=wishes)
        assert made.status_code == 201, made.text
        found = made.json()
        return f"/studies/{found['study']['id']}", [judge["link"] for judge in found["judges"]]


@contextmanager
def started(desk: Desk) -> Iterator[Site]:
    command = [str(desk.programs / "juryrank"), "serve", "--port", "0"]
    process = subprocess.Popen(
        command,
        cwd=desk.folder,
        env=plain_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        admin = next(line for line in process.stdout if line.startswith("admin: ")).split()[1]
        address, _, token = admin.partition("/login#")
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=60, verify=False) as owner:
            yield Site(desk, admin, owner)
    finally:
        process.terminate()
        process.wait(timeout=30)


class Judge:
    """A browser without pictures: somebody who opened a link and pressed Start."""

    def __init__(self, link: str, **sent: str) -> None:
        self.link = link
        self.client = httpx.Client(follow_redirects=True, timeout=60, verify=False)
        self.client.post(f"{link}/begin", data=sent)
        self.card = self.client.get(f"{link}/next", headers=JSON).json()

    def answers(self, better: Callable[[str, str], str]) -> int:
        """Answer until nothing is asked; how many there were."""
        given = 0
        while self.card["question"]:
            self.answer(better)
            given += 1
        return given

    def answer(self, better: Callable[[str, str], str]) -> dict[str, Any]:
        """One answer, as it was sent."""
        question = self.card["question"]
        left, right = (question[side]["item"] for side in ("left", "right"))
        side = "left" if better(left, right) == left else "right"
        sent = {"question": question["id"], "answer": side, "response_time": 2.0}
        self.card = self.sends(sent)
        return sent

    def sends(self, answer: dict[str, Any]) -> dict[str, Any]:
        reply = self.client.post(f"{self.link}/answer", json=answer, headers=JSON)
        assert reply.status_code == 200, reply.text
        return reply.json()  # type: ignore[no-any-return]
