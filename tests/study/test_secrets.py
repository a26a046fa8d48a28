"""A planted key appears in nothing that is written or shown, even where the endpoint repeats it."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import JuryrankError
from juryrank.judges.models import from_file
from juryrank.judges.models.cache import Cache
from juryrank.judges.models.probe import probe
from juryrank.run.items import Catalogue
from juryrank.study import create_study
from tests.judges.models.endpoint import Endpoint
from tests.quick import quick
from tests.run.test_models import shorter

pytest.importorskip("httpx")
SECRET = "sk-planted-0987654321"
ITEMS = ["a", "bb", "ccc"]


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """A judges file whose key is the planted one, in a folder that also holds the database and the cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MY_KEY", SECRET)
    (tmp_path / "items.txt").write_text("\n".join(ITEMS))
    row = '[[judge]]\nname = "{}"\napi = "{}"\nmodel = "m"\nurl = "{}"\nkey_env = "MY_KEY"\nretries = 1\n'

    def write(endpoint):
        text = row.format("one", "openai", endpoint.url) + row.format("two", "anthropic", endpoint.url)
        (tmp_path / "judges.toml").write_text(text)
        return tmp_path / "judges.toml"

    return write


def found_in(folder, said):
    """Where the key stands."""
    files = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    texts = {name: text.encode() for name, text in said.items()}
    return [name for name, raw in {**files, **texts}.items() if SECRET.encode() in raw]


def command(*words):
    done = CliRunner().invoke(build_app(), [*words])
    tracks = "".join(traceback.format_exception(done.exception)) if done.exception else ""
    return done.output + tracks


@pytest.mark.parametrize("key", quick(["another", ""]))  # let in, or not: it is said back
def test_a_key_stands_nowhere(planted, tmp_path, caplog, key):
    caplog.set_level(logging.DEBUG)
    said = {}
    with Endpoint(verdict=shorter, key=key, echo=True) as endpoint:
        judges = from_file(planted(endpoint))
        storage = f"sqlite:///{tmp_path / 's.db'}"
        about = {"ranker": "panel", "options": {"about": "panel"}, "storage": storage, "seed": 1}
        study = create_study(ITEMS, name="s", judges=list(judges), **about)
        for name, judge in judges.items():
            found = asyncio.run(probe(judge, Catalogue(ITEMS).samples(2), draws=2))
            study.judge(name).note_probe(found.to_dict())
            said[f"probe of {name}"] = repr(found) + json.dumps(found.to_dict())
        report = study.run(judges, gold=[("x", "yy", "x")])
        said |= {
            "run": repr(report),
            "result": str(report.ranking),
            "certificate": json.dumps(study.certificate()),
        }
        for judge in judges.values():
            said[f"repr of {judge.settings.name}"] = repr((judge, judge.settings, judge.client, judge.purse))
        try:
            asyncio.run(judges["one"]("p", "q"))
        except JuryrankError as problem:
            said["error"] = "".join(traceback.format_exception(problem)) + repr(problem.__context__)
        assert any(SECRET in str(seen.headers) for seen in endpoint.seen)  # it was sent
        for words in (
            ("rank", "items.txt", "--judges", "judges.toml", "--out", "result.json"),
            ("rank", "items.txt", "--judges", "judges.toml", "--dry-run"),
            ("study", "run", "s", "--judges", "judges.toml", "--storage", storage),
            ("study", "show", "s", "--storage", storage, "--json"),
            ("report", "s", "--storage", storage, "--out", "report.html"),
            ("judges", "probe", "judges.toml", "items.txt", "--pairs", "2", "--draws", "2", "--json"),
            ("judges", "probe", "judges.toml", "--list", "--json"),
            ("judges", "cache", "--json"),
        ):
            said[" ".join(words)] = command(*words)
    said["logging"] = caplog.text
    assert found_in(tmp_path, said) == []
    assert all(path.exists() for path in (tmp_path / "report.html", tmp_path / "s.db", Cache().path))
