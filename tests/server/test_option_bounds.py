"""Options through REST: beyond their bounds, or of the wrong kind, they are refused in words, never by a crash."""

from httpx import Client

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context

SENT = {"name": "s", "items": ["a", "b", "c"], "judges": [{"id": "ann"}, {"id": "bob"}]}
FIELDS = {
    "error": (0, 1, -1, 1e-320), "repeats": (0, 1.5, 1001), "sitting": (0, 501, 1.5), "budget": (0, -1, 1.5),
    "seed": (-1, 1.5, 2**31), "within": (-0.1, 0.26), "goal": (5, "top-0", "top-99", "top-x", "x"),
    "about": ("x",), "ranker": ("x", 5), "sides": ("x",), "fresh": ("x",),
}  # fmt: skip
OF_ALL = ("", [], {}, "x" * 2000)  # wrong whatever the field


def test_what_an_option_may_not_be_is_refused_in_words(client: Client, context: Context) -> None:
    head = {"authorization": f"Bearer {context.vault.issue_token(Scope.ADMIN)[1]}"}
    for field, values in FIELDS.items():
        for value in (*values, *OF_ALL):
            sent = client.post("/api/v1/studies", json={**SENT, field: value}, headers=head)
            assert sent.status_code == 422 and sent.json()["detail"], (field, value, sent.text)
    assert client.get("/api/v1/studies", headers=head).json() == []
