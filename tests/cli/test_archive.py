"""A study with its files as one ZIP: written, restored, and refused where something in it was changed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from juryrank.errors import BadInput, BadVotes
from juryrank.storage import open_storage
from juryrank.study import Study, create_study, open_study
from juryrank.study.archive import FILES, LOG, TYPES, read_archive, write_archive

PICTURE, SOUND = b"\xff\xd8\xff picture", b"RIFF sound"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    place = f"sqlite:///{tmp_path}/studies.db"
    made = create_study("abc", name="designs", judges=["ann"], ranker="panel", storage=place)
    made.storage.put_file(made.id, PICTURE, type="image/jpeg")
    made.storage.put_file(made.id, SOUND, type="audio/wav")
    question = made.ask("ann")
    made.tell(question.id, side="left")  # type: ignore[union-attr]
    return made


def altered(path: Path, changes: dict[str, bytes | None]) -> Path:
    new = path.with_name("altered.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w") as target:
        kept = {name: old.read(name) for name in old.namelist()} | changes
        for name, body in kept.items():
            if body is not None:
                target.writestr(name, body)
    return new


def test_written_and_brought_back(study: Study, tmp_path: Path, call) -> None:  # type: ignore[no-untyped-def]
    path, other = tmp_path / "designs.zip", f"sqlite:///{tmp_path}/other.db"
    call("export", "designs", "--format", "zip", "--out", path)
    assert "Restored as study 'again': " in call("import", path, "--name", "again", "--storage", other)
    again = open_study("again", storage=other)
    assert [e.hash for e in again.events()][:-1] == [e.hash for e in study.events()]
    assert again.storage.files(again.id) == study.storage.files(study.id)
    hash = study.storage.files(study.id)[0].hash
    assert again.storage.file(again.id, hash) == study.storage.file(study.id, hash)
    assert "1 vote" in call("import", path, "--dry-run", "--as-votes")
    with pytest.raises(BadInput, match="--out"):
        call("export", "designs", "--format", "zip")
    assert not list(tmp_path.glob("*.part"))


def test_what_was_changed_is_refused_and_nothing_restored(study: Study, tmp_path: Path, call) -> None:  # type: ignore[no-untyped-def]
    path, other = tmp_path / "designs.zip", f"sqlite:///{tmp_path}/other.db"
    assert write_archive(study, path) == 2
    hash = next(file.hash for file in study.storage.files(study.id) if file.type == "image/jpeg")
    types = json.loads(zipfile.ZipFile(path).read(TYPES))
    attacks: list[dict[str, bytes | None]] = [
        {FILES + hash: b"another picture"},
        {FILES + hash: None},
        {LOG: None},
        {TYPES: None},
        {TYPES: b"[]"},
        {TYPES: json.dumps({**types, hash: "text/html"}).encode()},
        {TYPES: json.dumps({**types, hash: "image/svg+xml"}).encode()},
        {TYPES: json.dumps({**types, "../../x": "image/png"}).encode()},
        {LOG: zipfile.ZipFile(path).read(LOG).replace(b'"left"', b'"right"', 1)},
    ]
    for changes in attacks:
        with pytest.raises(BadVotes):
            call("import", altered(path, changes), "--name", "again", "--storage", other)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(BadVotes, match="cannot be read"):
        read_archive(path)
    assert open_storage(other).studies() == []
