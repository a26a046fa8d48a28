"""Devpost: the CSV of a hackathon's projects. They are items, named by title; judges see no person's name."""

from __future__ import annotations

from collections.abc import Sequence

TITLE = "Project Title"
MARKS = (TITLE, "Submission Url")
PERSONAL = ("submitter", "email", "team", "team member", "college", "universit", "user", "first name", "last name")


def recognises(columns: Sequence[str]) -> bool:
    """Are these the columns of Devpost's export?"""
    return set(MARKS) <= {column.strip() for column in columns}


def items(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The projects, without who made them.

    >>> items([{"Project Title": "Beaver", "Submission Url": "x", "Submitter Email": "ann@example.org"}])
    [{'id': 'Beaver', 'Submission Url': 'x'}]
    """
    found = []
    for row in rows:
        shown = {name.strip(): cell for name, cell in row.items()}
        public = {name: cell for name, cell in shown.items() if not any(word in name.lower() for word in PERSONAL)}
        found.append({"id": public.pop(TITLE), **{name: cell for name, cell in public.items() if cell}})
    return found
