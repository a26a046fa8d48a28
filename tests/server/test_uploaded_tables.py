"""Uploaded tables, with what people should not write into them: in every cell, every head and every field."""

from __future__ import annotations

import csv
import html
import io
import json

import pytest
from httpx import Client

from juryrank.server.context import Context
from tests.server.test_dashboard import confirmed, new
from tests.server.test_hostile_forms import HOSTILE, PATIENT, Forms, send_hostile

HEAD = ("id", "content", "kind", "alt", "group")
ROWS = (("1", "one", "text", "x", "A"), ("2", "two", "text", "y", "B"))


def table(ending: str, rows: list[list[str]]) -> tuple[str, bytes]:
    """A file as spreadsheets and programs write it."""
    if ending == "json":
        return "list.json", json.dumps([dict(zip(rows[0], row, strict=True)) for row in rows[1:]]).encode()
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return "list.csv", file.getvalue().encode()


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_hostile_cells_and_heads_are_shown_as_they_are_or_refused(
    admin: Client, context: Context, ending: str
) -> None:
    for words, value in HOSTILE.items():
        for row, columns in ((0, HEAD), (1, ("id",)), (1, ("kind",)), (1, ("content", "alt", "group"))):
            rows = [list(one) for one in (HEAD, *ROWS)]
            for column in columns:
                rows[row][HEAD.index(column)] = f"{value}{column}" if row == 0 else value
            name = f"{words} {row} {columns}"
            look = new(admin, items="", name=name, reach="open", file=table(ending, rows))
            made = confirmed(admin, look) if 'id="columns"' in look.text else look
            for page in (look, made):
                assert page.status_code in PATIENT and "<script>alert" not in page.text, name
            found = next((one.id for one in context.open_studies.rows() if one.name == name), None)
            if found is None:
                assert made.status_code == 422 and 'role="alert"' in made.text, name
                continue
            base, kept = f"/admin/studies/{found}", context.open_studies.study(found).items
            assert row == 0 or (
                len(kept) == 2 and (columns != ("id",) or kept[0] == value.replace("\0", "").strip())
            )
            for tab in ("", "/items", "/preview"):
                assert "<script>alert" not in admin.get(f"{base}{tab}").text, name
            lines = admin.get(f"{base}/ranking/csv").text.splitlines()
            assert not [line for line in lines if line.startswith(("=", '"='))], name


def test_whoever_handed_nothing_in_is_named_before_judges_see_the_name(admin: Client, context: Context) -> None:
    rows = [["Student", "Essay"], ["Ann", "Once upon a time"], ["Bob", ""], ["Cy", "There was a king"]]
    look = new(admin, items="", name="essays", reach="open", file=table("csv", rows))
    said = "There is nothing to show of “Bob”: judges would see the name."
    assert said in look.text and context.open_studies.rows() == []
    made = confirmed(admin, look)  # it was said, and is not said again
    assert "/share" in made.url.path and said not in made.text
    whole = new(admin, items="", name="whole", reach="open", file=table("csv", [*rows[:2], rows[3]]))
    assert "nothing to show" not in whole.text


def test_every_field_of_the_look_at_a_table(admin: Client, context: Context) -> None:
    rows = [list(one) for one in (HEAD, *ROWS)]
    look = new(admin, items="", reach="open", expected="3", intro="Hi", file=table("csv", rows))
    (form,) = [one for one in Forms(look.text).found if one.action == "/admin/new"]
    assert {"table", "table_name", "header", "name", *(f"role_{role}" for role in HEAD)} <= set(form.fields)
    assert send_hostile(admin, "/admin/new", form) > 50
    shown = new(admin, items="", reach="open", file=(f"{HOSTILE['10,000 characters']}.csv", table("csv", rows)[1]))
    assert shown.status_code in PATIENT


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (rb'[{"id": "\ud800"}, {"id": "b"}]', "half a character"),
        (rb'[{"id": "a", "content": "\udfff x"}, {"id": "b"}]', "half a character"),
        (b"[" * 100_000, "neither JSON nor JSON Lines"),
        (b"[null, null]", "Item 1 has no id"),
    ],
)
def test_json_that_cannot_be_a_list_of_items(admin: Client, context: Context, body: bytes, words: str) -> None:
    reply = new(admin, items="", reach="open", file=("list.json", body))
    assert reply.status_code == 422 and words in html.unescape(reply.text) and context.open_studies.rows() == []


def test_keys_of_any_spelling_keep_their_cells(admin: Client, context: Context) -> None:
    long = "what the pupil wrote in the second week of May about the sea " * 2
    body = json.dumps([{" id ": name, long: f"{name} wrote this: {'word ' * 20}"} for name in ("Ann", "Bob")])
    assert confirmed(
        admin, new(admin, items="", reach="open", file=("list.json", body.encode()))
    ).status_code == 200  # fmt: skip
    found = context.open_studies.rows()[0].id
    assert context.open_studies.study(found).items == ["Ann", "Bob"]
    assert context.open_studies.setup(found).contents["Ann"].body.startswith("Ann wrote this")
