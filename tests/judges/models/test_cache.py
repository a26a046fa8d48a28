"""The cache of models' answers: an old or damaged file costs answers, never a traceback."""

import json

import pytest

from juryrank.errors import StorageError
from juryrank.judges.models.cache import Cache, Kept

KEPT = Kept("first", 12, 3, "because")


def test_a_damaged_file_is_put_aside_with_one_line(tmp_path, caplog):
    path = tmp_path / "models.db"
    path.write_bytes(b"this was a database once " * 9)
    cache = Cache(path)
    assert cache.get("k") is None
    assert [
        record.getMessage().startswith("the cache of models' answers was damaged") for record in caplog.records
    ] == [True]
    cache.put("k", "m", KEPT)
    assert Cache(path).get("k") == KEPT and (tmp_path / "models.db.damaged").exists()


def test_an_answer_of_another_version_is_asked_again(tmp_path):
    cache = Cache(tmp_path / "models.db")
    cache.put("old", "m", KEPT)
    for answer in (json.dumps({"outcome": "first", "price": 3}), "{"):
        cache._run("UPDATE answers SET answer = ?", answer)
        assert cache.get("old") is None
        cache.put("old", "m", KEPT)
        assert cache.get("old") == KEPT


def test_a_folder_that_cannot_be_used_is_said(tmp_path):
    (tmp_path / "models.db").mkdir()
    with pytest.raises(StorageError, match="JURYRANK_CACHE"):
        Cache(tmp_path / "models.db").get("k")
