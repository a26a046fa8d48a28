"""The rankers ask and decide what they did when the digests were written."""

import json
from pathlib import Path

from tests.data.digests import digests

WRITTEN = Path(__file__).with_name("digests.json")


def test_the_rankers_ask_and_decide_what_they_did():
    assert digests() == json.loads(WRITTEN.read_text())
