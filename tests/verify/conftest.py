"""What tests of the checkers share."""

import pytest

from juryrank.log.bodies import Asked
from juryrank.log.fields import MAPPING
from juryrank.verify import reading


@pytest.fixture
def terms_unread(monkeypatch):
    """Terms get past the table of the log: a checker has ranges of its own, which must hold without it."""
    monkeypatch.setitem(Asked.values, "terms", MAPPING)
    monkeypatch.setattr(reading, "fault", lambda terms, ranker: "")
