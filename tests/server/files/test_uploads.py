"""Files through the server: into a study, out to its judges, and to nobody else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from httpx import Client, Response

from juryrank.server.access.rate_limits import Limiter
from juryrank.server.context import Context
from juryrank.server.files import uploads as uploads_module
from juryrank.server.files.uploads import UploadLimits, Uploads
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind
from juryrank.simulation.planning.people import PeoplePlan
from juryrank.storage.values import WHOLE_STORAGE
from tests.server.conftest import MakeStudy, form_token
from tests.server.files import making

PICTURES = {"red.jpg": making.picture(colour="red"), "blue.png": making.picture(format="PNG", colour="blue")}


def begin(admin: Client) -> tuple[str, str]:
    token = form_token(admin.get("/admin/new").text)
    return admin.post("/admin/uploads", data={"form_token": token}).json()["upload"], token


def send(admin: Client, upload: str, token: str, name: str, body: bytes) -> list[dict[str, Any]]:
    reply = admin.post(
        f"/admin/uploads/{upload}", params={"name": name}, content=body, headers={"X-Form-Token": token}
    )
    assert reply.status_code == 200, reply.text
    return [json.loads(line) for line in reply.text.splitlines()]


def create(admin: Client, files: dict[str, bytes] | None = None, **fields: str) -> Response:
    token = form_token(admin.get("/admin/new").text)
    sent = [("files", (name, body)) for name, body in (files or {}).items()]
    data = {"form_token": token, "name": "Designs", "question": "Which is better?", **fields}
    return admin.post("/admin/new", data=data, files=sent)


def only_study(context: Context) -> Any:
    (row,) = context.open_studies.rows()
    return context.open_studies.study(row.id)


def test_files_with_the_form_become_items(admin: Client, context: Context) -> None:
    reply = create(admin, PICTURES)
    assert reply.status_code == 200 and "/share" in str(reply.url), reply.text
    study = only_study(context)
    assert study.items == ["blue", "red"]
    contents = context.open_studies.setup(study.id).contents
    stored = {file.hash: file for file in context.storage.files(study.id)}
    assert {contents[item].body.removeprefix("file:") for item in study.items} <= set(stored)
    assert context.storage.files(WHOLE_STORAGE) == [] and context.storage.notes("upload/") == {}


def test_one_bad_file_and_nothing_is_made(admin: Client, context: Context) -> None:
    reply = create(admin, {**PICTURES, "trap.png": making.picture_bomb()})
    assert reply.status_code == 422 and "trap.png: it has 30,000 x 30,000 pixels" in reply.text
    assert context.open_studies.rows() == [] and context.storage.files(WHOLE_STORAGE) == []
    reply = create(admin, PICTURES, items="tea\ncoffee")
    assert reply.status_code == 422 and "Items come from one place" in reply.text
    assert context.open_studies.rows() == []


def test_the_forms_advice_is_that_of_plan_for_every_kind_of_list(
    admin: Client, context: Context, few_runs: Callable[..., PeoplePlan]
) -> None:
    many = {f"{k}.txt": f"text {k}".encode() for k in range(9)}
    blocks = "\n---\n".join(f"text {k}\nmore of it" for k in range(9))
    table = b"id,content\n" + b"".join(b"%d,text\n" % k for k in range(9))
    known = {"expected": "12", "sitting": "20", "reach": "open", "error": "0.1"}
    most = few_runs(12, 9, error=0.1, sitting=20).sizes[-1]
    words = f"{most.people} people leave an item about {most.width:.0f} of 9 ranks."
    asked = {"items": 9, "judges": 12, "sitting": 20, "error": 0.1}
    assert words in admin.get("/admin/advice", params=asked).json()["advice"]
    token = form_token(admin.get("/admin/new").text)
    data = {"form_token": token, "name": "Designs", "question": "Which is better?", **known}
    assert words in admin.post("/admin/new", data=data, files=[("file", ("a.csv", table))]).text
    assert context.open_studies.rows() == []
    for number, listed in enumerate(({"files": many}, {"items": blocks}), start=1):
        made = create(admin, listed.pop("files", None), **listed, **known, name=f"list {number}")
        assert made.status_code == 200 and len(context.open_studies.rows()) == number


def test_files_one_after_the_other_with_word_about_each(admin: Client, context: Context) -> None:
    upload, token = begin(admin)
    archive = making.zipped(
        {"set/a.txt": b"first", "set/b.md": b"*second*", "__MACOSX/x": b"", "set/c.exe": b"MZ"}
    )
    lines = send(admin, upload, token, "set.zip", archive)
    assert [(line["path"], "refused" in line) for line in lines] == [
        ("set/a.txt", False), ("set/b.md", False), ("set/c.exe", True),
    ]  # fmt: skip
    (red,) = send(admin, upload, token, "red.jpg", PICTURES["red.jpg"])
    assert admin.get(f"/admin/uploads/{upload}/file/{red['thumb']}").status_code == 200
    assert admin.get(f"/admin/uploads/{upload}/file/{'0' * 64}").status_code == 404
    assert (
        "ZIP within a ZIP" in send(admin, upload, token, "o.zip", making.zipped({"i.zip": archive}))[0]["refused"]
    )
    admin.post(f"/admin/uploads/{upload}/drop", data={"form_token": token, "path": "set/b.md"})
    reply = create(admin, upload=upload, name="")  # something is wrong with the form: the files stay
    assert reply.status_code == 422 and reply.text.count("<li data-path=") == 2
    assert create(admin, upload=upload).status_code == 200
    assert only_study(context).items == ["red", "a"]
    reply = create(admin, upload=upload, name="Again")
    assert reply.status_code == 422 and "choose them again" in reply.text
    without = admin.post(f"/admin/uploads/{begin(admin)[0]}", params={"name": "a.txt"}, content=b"x")
    assert without.status_code == 403  # not from our own page


def test_hostile_names_and_hashes(admin: Client, context: Context) -> None:
    upload, token = begin(admin)
    names = ['../../etc/"><b>x.txt', "a" * 2000 + ".txt", "\u202e\u0000.txt", "C:\\new\\y.txt", ".txt", "=1+1.txt"]
    for name in names:
        assert "refused" not in send(admin, upload, token, name, b"words")[0], name
    assert "<b>x" not in create(admin, upload=upload, name="").text
    for hash in ("0" * 63, "G" * 64, "0" * 5000):
        assert admin.get(f"/admin/uploads/{upload}/file/{hash}").status_code in (404, 422)
    assert (
        admin.post(f"/admin/uploads/{upload}%2Ffile", headers={"X-Form-Token": token}, content=b"").status_code
        == 404
    )
    assert admin.get("/admin/uploads/nothing/file/" + "0" * 64).status_code == 404
    assert create(admin, upload=upload).status_code == 200
    items = only_study(context).items
    assert len(items) == 6 and not [c for item in items for c in item if c in "\u202e\u0000"]


def test_a_judge_can_load_documents_of_many_pages(client: Client, context: Context, make: MakeStudy) -> None:
    slow = ServerSettings()
    client.app.state.context = replace(  # type: ignore[attr-defined]
        context, judge_limits=Limiter(slow.judge_rate), file_limits=Limiter(slow.file_rate)
    )
    study, links = make()
    stored = context.storage.put_file(study.id, PICTURES["red.jpg"], type="image/jpeg")
    replies = {client.get(f"{links[0]}/file/{stored.hash}").status_code for _ in range(2 * 40)}
    assert replies == {200}
    assert 429 in {client.get(f"{links[0]}/next").status_code for _ in range(60)}


def test_limits(client: Client, admin: Client, context: Context) -> None:
    tight = Uploads(context.storage, UploadLimits(file_bytes=1000, upload_bytes=2500, study_bytes=100_000))
    client.app.state.context = replace(context, uploads=tight)  # type: ignore[attr-defined]
    upload, token = begin(admin)
    (line,) = send(admin, upload, token, "a.txt", b"x" * 1001)
    assert "at most 0.001 MB" in line["refused"]
    assert "refused" not in send(admin, upload, token, "a.txt", b"x" * 999)[0]
    assert "refused" not in send(admin, upload, token, "b.txt", b"x" * 999)[0]
    assert "used up" in send(admin, upload, token, "c.txt", b"x" * 999)[0]["refused"]
    (line,) = send(admin, upload, token, "bomb.zip", making.zipped({"a.txt": bytes(5000)}))
    assert "unpacked" in line["refused"]
    client.app.state.context = replace(  # type: ignore[attr-defined]
        context, uploads=Uploads(context.storage, UploadLimits(20_000_000, 40_000_000, study_bytes=1500))
    )
    upload, token = begin(admin)
    assert "refused" not in send(admin, upload, token, "a.jpg", PICTURES["red.jpg"])[0]
    assert "a study holds" in send(admin, upload, token, "b.jpg", making.picture(900, 900))[0]["refused"]
    assert UploadLimits.of(ServerSettings()) == UploadLimits(20_000_000, 2_000_000_000, 500_000_000)


def test_a_request_that_is_larger_than_the_form_is_refused(
    client: Client, admin: Client, context: Context
) -> None:
    reply = admin.post("/admin/uploads/x", headers={"content-length": str(3 * 10**9)}, content=b"")
    assert reply.status_code == 413
    assert admin.post("/login", headers={"content-length": "2000000"}, content=b"").status_code == 413


def test_an_upload_that_nobody_came_back_for_is_forgotten(
    context: Context, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = context.uploads.begin()
    (tmp_path / "a").write_bytes(PICTURES["red.jpg"])
    list(context.uploads.add(old, "a.jpg", tmp_path / "a"))
    assert len(context.storage.files(WHOLE_STORAGE)) == 2
    monkeypatch.setattr(uploads_module, "UPLOAD_SECONDS", -1.0)
    context.uploads.begin()
    assert context.storage.files(WHOLE_STORAGE) == []


def test_judges_get_files_and_strangers_do_not(admin: Client, context: Context, make: MakeStudy) -> None:
    create(admin, PICTURES)
    study = only_study(context)
    judge = study.add_judge("Ann", person=True)
    link = f"/j/{context.vault.issue_link(study.id, judge)}"
    admin.post(f"{link}/begin")
    page = admin.get(link).text
    addresses = re.findall(rf'src="({link}/file/[0-9a-f]{{64}})"', page)
    assert len(addresses) == 2 and "red" not in re.sub(r"data-card=\"[^\"]*\"", "", page)
    hash = addresses[0].rpartition("/")[2]
    reply = admin.get(addresses[0])
    assert reply.status_code == 200 and reply.headers["content-type"] in ("image/jpeg", "image/webp")
    assert (
        reply.headers["x-content-type-options"] == "nosniff"
        and "sandbox" in reply.headers["content-security-policy"]
    )
    part = admin.get(addresses[0], headers={"range": "bytes=2-5"})
    assert part.status_code == 206 and part.content == reply.content[2:6]
    assert part.headers["content-range"] == f"bytes 2-5/{len(reply.content)}"
    assert admin.get(addresses[0], headers={"range": "bytes=9999999-"}).status_code == 416
    code = context.open_links.of(study.id).code  # type: ignore[union-attr]
    _, others = make()
    admin.cookies.clear()
    for address in (f"{others[0]}/file/{hash}", f"/j/wrong/file/{hash}"):
        assert admin.get(address).status_code == 404
    assert admin.get(f"/s/{code}/file/{hash}").status_code == 403  # before Start
    assert admin.get(f"/admin/studies/{study.id}/file/{hash}", follow_redirects=False).status_code == 303


def test_small_pictures_in_results_and_report(admin: Client, context: Context) -> None:
    create(admin, PICTURES)
    study = only_study(context)
    contents = context.open_studies.setup(study.id).contents
    judge = study.add_judge("Ann")
    question = study.ask(judge)
    study.tell(question.id, side="left", judge=judge)
    assert f"/file/{contents['red'].thumb}" in admin.get(f"/admin/studies/{study.id}").text
    report = admin.get(f"/admin/studies/{study.id}/report").text
    assert report.count('<img src="data:image/jpeg;base64,') == 2 and "What was compared" in report
    code = context.public_pages.switch_on(study.id)
    admin.cookies.clear()
    page = admin.get(f"/r/{code}").text
    small = f"/r/{code}/file/{contents['red'].thumb}"
    assert f'src="{small}"' in page and admin.get(small).status_code == 200
    whole = contents["red"].body.removeprefix("file:")
    assert admin.get(f"/r/{code}/file/{whole}").status_code == 404  # what judges see is not public


def test_items_are_listed_corrected_and_added(admin: Client, context: Context) -> None:
    create(admin, {"essay.pdf": making.pdf([["It begins"]]), "poem.txt": b"Roses are rad"})
    study = only_study(context)
    base = f"/admin/studies/{study.id}"
    page = admin.get(f"{base}/items").text
    assert "Roses are rad" in page and "It begins" in page
    sent = {"form_token": form_token(page), "item": "poem", "group": '"><b>', "alt": ""}
    admin.post(f"{base}/items/correct", data={**sent, "body": "Roses are red"})
    setup = context.open_studies.setup(study.id)
    assert setup.contents["poem"].body == "Roses are red" and setup.groups["poem"] == '"><b>'
    assert '"><b>' not in admin.get(f"{base}/items").text
    reply = admin.post(f"{base}/items", data=sent, files=[("files", ("song.wav", making.SOUND))])
    assert reply.status_code == 200 and study.items == ["essay", "poem", "song"]
    assert context.open_studies.setup(study.id).contents["song"].kind is Kind.AUDIO
    reply = admin.post(
        f"{base}/items", data=sent, files=[("file", ("more.csv", b"id,content\nhaiku,An old pond\n"))]
    )
    assert context.open_studies.setup(study.id).contents["haiku"].body == "An old pond"
    judge = study.add_judge("Ann")
    question = study.ask(judge)
    study.tell(question.id, side="left", judge=judge)
    reply = admin.post(f"{base}/items/correct", data={**sent, "body": "Violets are blue"})
    assert reply.status_code == 422 and "has answered already" in reply.text
    admin.post(f"{base}/items/correct", data={**sent, "body": "Roses are red", "group": "poems"})
    assert context.open_studies.setup(study.id).groups["poem"] == "poems"
    reply = admin.post(f"{base}/items/withdraw", data={**sent, "item": "song"})
    assert study.log.withdrawn == ["song"] and "<s>song</s>" in reply.text and "as if it were there" in reply.text
    assert "<s>song (withdrawn)</s>" in admin.get(base).text
    reply = admin.post(f"{base}/items/withdraw", data={**sent, "item": "nothing"})
    assert reply.status_code == 422 and "nothing was withdrawn" in reply.text


def test_dead_addresses_reach_the_owner(admin: Client, context: Context, make: MakeStudy) -> None:
    address = "https://pictures.example/gone.png"
    setup = Setup(contents={"a": Content(address, Kind.IMAGE)})
    study, links = make(setup=setup)
    context.open_studies.change_setup(study.id, lambda _: setup)
    assert "could not be loaded" not in admin.get(f"/admin/studies/{study.id}/items").text
    for sent in ({"address": address}, {"address": "https://other.example"}, {}):
        assert admin.post(f"{links[0]}/dead", json=sent).status_code == 204
    admin.post(f"{links[0]}/dead", json={"address": address})
    assert context.dead_links.of(study.id) == {"a": 1}
    assert "could not be loaded by a judge" in admin.get(f"/admin/studies/{study.id}/items").text
    context.open_studies.change_setup(
        study.id, lambda _: Setup(contents={"a": Content(address + "?new", Kind.IMAGE)})
    )
    assert context.dead_links.of(study.id) == {}
