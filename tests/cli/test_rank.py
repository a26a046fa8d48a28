"""`juryrank rank`: what it reads, whom it asks, what it prints, and how it ends."""

import json
import shlex
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.cli.items import read_items, read_things
from juryrank.cli.person import ask_person
from juryrank.cli.person.plain import Plain
from juryrank.errors import BadInput, JuryrankError
from juryrank.run.items import Catalogue
from juryrank.run.session import Session
from juryrank.types import SKIP

LARGEST = "m=python:builtins:max"


def run(*arguments, typed=None):
    return CliRunner().invoke(build_app(), ["rank", *map(str, arguments)], input=typed)


@pytest.fixture
def fruit(tmp_path):
    path = tmp_path / "fruit.txt"
    path.write_text("apple\nbanana\n\ncherry\n")
    return path


# ---------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("name", "text", "items"),
    [
        ("a.txt", "x\n\n y \n", ["x", "y"]),
        ("a.csv", "item,size\nx,1\ny,2\n", [{"item": "x", "size": "1"}, {"item": "y", "size": "2"}]),
        ("a.csv", "\ufeffid\nx\n", [{"id": "x"}]),
        ("a.json", '["x", 2, {"id": 3}]', ["x", 2, {"id": 3}]),
        ("a.json", '{"items": ["x"]}', ["x"]),
        ("a", "x\r\ny\r\n", ["x", "y"]),
        ("a.txt", "x\none\n---\ny\n", [{"id": "x", "text": "x\none"}, "y"]),
    ],
)
def test_lines_csv_and_json(tmp_path, name, text, items):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_items(str(path)) == items


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"\n\n", "holds no items"),
        ("a.csv", b"name\nx\n", "needs a column `id` or `item`; it has: name"),
        ("a.csv", b"id,b\n,1\n", "line 2"),
        ("a.json", b'["x"', "not JSON"),
        ("a.json", b'"x"', "must be a list"),
        ("a.txt", b"\xff\xfe\x00", "not utf-16"),
        ("a.txt", b"GIF89a\x00\x00", "not text"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        read_items(str(path))


def test_a_file_that_is_not_there_and_a_format_that_is_not():
    with pytest.raises(BadInput, match="No such file"):
        read_items("no-such-file.txt")
    with pytest.raises(BadInput, match="lines, csv, json"):
        read_items(__file__, format="xlsx")


# ---------------------------------------------------------------------- judges


def test_a_function_ranks_and_the_certificate_is_written(fruit, tmp_path):
    out = tmp_path / "result.json"
    result = run(fruit, "--judge", LARGEST, "--ranker", "iir", "--fresh", "--error", 0.2, "--out", out)
    assert result.exit_code == 0
    assert result.stdout.index("cherry") < result.stdout.index("banana") < result.stdout.index("apple")
    assert json.loads(out.read_text())["result"]["order"] == ["cherry", "banana", "apple"]


def test_json_is_all_that_standard_output_holds(fruit):
    result = run(fruit, "--judge", LARGEST, "--ranker", "iir", "--fresh", "--error", 0.2, "--json")
    found = json.loads(result.stdout)
    assert (found["order"], found["proven"], found["error"]) == (["cherry", "banana", "apple"], True, 0.2)


def test_a_spent_budget_ends_with_3(fruit):
    result = run(fruit, "--judge", LARGEST, "--ranker", "iir", "--fresh", "--budget", 4)
    assert result.exit_code == 3
    assert "budget was spent" in result.stdout


def test_without_fresh_a_repeating_ranker_promises_nothing(fruit):
    result = run(fruit, "--judge", LARGEST, "--ranker", "iir", "--error", 0.2, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["proven"] is False


@pytest.mark.parametrize("ranker", [(), ("--ranker", "iir")])
def test_judges_that_never_answer_make_no_order_and_no_certificate(fruit, tmp_path, ranker):
    """A question without an answer gives no result: the command ends with 5 and says why."""
    out = tmp_path / "kept.json"
    result = run(fruit, "--judge", "bad=python:operator:truediv", *ranker, "--out", out)
    assert result.exit_code == 5 and not result.stdout and not out.exists()
    assert "no judge answered" in result.stderr and "raised TypeError" in result.stderr
    assert "Fix the judges and rank again" in result.stderr and ".ranking" not in result.stderr


def test_a_program_as_a_separate_process(fruit, tmp_path):
    judge = tmp_path / "judge.py"
    judge.write_text("import json, sys\npair = json.load(sys.stdin)\nprint('left')\n")
    command = [
        sys.executable,
        "-m",
        "juryrank",
        "rank",
        str(fruit),
        "--judge",
        f"p=cmd:{shlex.quote(sys.executable)} {judge}",
    ]
    done = subprocess.run([*command, "--ranker", "iir", "--budget", "6", "--json"], capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["questions"] == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--judge", "m"], "cannot be read"),
        (["--judge", LARGEST, "--judge", LARGEST], "same name"),
        (["--judge", LARGEST, "--ranker", "bubble"], "there is no ranker 'bubble'"),
        (["--judge", LARGEST, "--ranker", "iir", "--error", "2"], "strictly between"),
        (["--judge", LARGEST, "--price", "m=x"], "NAME=0.002"),
        (["--judge", LARGEST, "--price", "0.2"], "names no judge"),
        (["--judge", LARGEST, "--ranker", "iir", "--price", "bob=1"], "no price"),
        (["--judge", LARGEST, "--set", "x"], "OPTION=VALUE"),
        (["--judge", LARGEST, "--ranker", "iir", "--set", "colour=red"], "no option 'colour'"),
        (["--judge", LARGEST, "--out", "/no/such/folder/x.json"], "no folder"),
    ],
)
def test_misuse_is_a_typed_error(fruit, arguments, words):
    result = run(fruit, *arguments)
    assert isinstance(result.exception, JuryrankError)
    assert words in str(result.exception)


def test_misuse_ends_the_process_with_2_and_one_message(fruit):
    command = [sys.executable, "-m", "juryrank", "rank", str(fruit), "--ranker", "bubble"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("juryrank: there is no ranker 'bubble'")
    assert "Traceback" not in done.stderr


def test_items_and_answers_cannot_both_come_from_standard_input():
    assert isinstance(run("-", typed="a\nb\n").exception, BadInput)


def test_a_folder_of_texts_and_pictures_is_an_item_per_file(tmp_path):
    for name, content in {"b.txt": "B\n", "a.md": "A", ".hidden": "x", "c.png": "no text"}.items():
        (tmp_path / name).write_text(content)
    items = read_things(str(tmp_path), on_cases=False, format=None)
    texts = [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]
    assert items == [*texts, {"id": "c", "file": str(tmp_path / "c.png")}]
    assert read_things(str(tmp_path), on_cases=True, format=None) == tmp_path  # with cases: one system's outputs
    result = run(tmp_path, "--judge", "j=python:tests.cli.test_rank:later", "--json", "--no-keep")
    assert json.loads(result.stdout)["order"] == ["c", "b", "a"], result.output


def later(left, right):
    return max(left, right, key=lambda row: row["id"])


def test_more_items_than_are_quick_are_refused_with_what_to_do(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("\n".join(map(str, range(10_001))))
    problem = str(run(path, typed="1\n").exception)
    assert "holds 10,001 items" in problem and "at most 10,000" in problem and "shuf -n 200" in problem


# ---------------------------------------------------------------------- the person


def person(keys, items=("apple", "banana"), **settings):
    catalogue = Catalogue(items)
    session = Session(catalogue.names, judges=["you"], ranker="iir", error=0.2, **settings)
    typed, written = iter(keys), []
    done = ask_person(session, catalogue, Plain(lambda: next(typed, "q"), written.append, width=80))
    return session, done, "".join(written)


def told(session):
    return [(e.kind, e.data.get("answer")) for e in session.events if e.kind in ("told", "retracted")]


def test_every_key_means_its_answer():
    session, done, _ = person(["1", "2", "left", "right", "t", "=", "s", "q"])
    answers = [answer for _, answer in told(session)]
    assert answers == ["left", "right", "left", "right", "tie", "tie", "skip"]
    assert done is False


def test_a_persons_circle_is_no_order(fruit, monkeypatch):
    """Three things in a circle and a fourth that is skipped: nothing says that this is their order."""
    fruit.write_text("apple\nbanana\ncherry\ndate\n")
    beats = {("apple", "banana"), ("banana", "cherry"), ("cherry", "apple")}

    def answers(session, catalogue, desk, **how):
        while (question := session.ask()) is not None:
            pair = question.left, question.right
            session.tell(question, SKIP if "date" in pair else pair[0] if pair in beats else pair[1])
        return True

    monkeypatch.setattr("juryrank.cli.person.ask_person", answers)
    result = run(fruit, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 3 and found["ranges"] == [[1, 4]] * 4
    assert not any(link["settled"] for link in found["links"])
    assert "not all of it is settled" in found["statement"] and "go in a circle" in found["statement"]


def test_undo_takes_the_last_answer_back_and_asks_it_again():
    session, _, written = person(["1", "s", "u", "2", "q"])
    assert told(session) == [("told", "left"), ("told", "skip"), ("retracted", "skip"), ("told", "right")]
    assert "Taken back" in written
    asked = [event.data["q"] for event in session.events if event.kind == "told"]
    assert asked[1] == asked[2]


def test_long_rows_are_read_whole_at_the_terminal():
    essays = [
        {"id": f"pupil {k}", "essay": f"Essay {k} begins.\n" + "It goes on. " * 99 + "x" * 200 + " It ends."}
        for k in (1, 2)
    ]
    _, _, cut = person(["q"], items=essays)
    _, _, whole = person(["a", "1", "q"], items=essays)
    for written, ends in ((cut, 0), (whole, 2)):
        assert written.count(" begins.\n") >= 2 and written.count("It ends.") == ends and "keep, a all" in written
        assert max(map(len, written.splitlines())) <= 80
    assert "more lines: a" in cut and "keep, a all" not in person(["q"])[2]


def test_undo_of_nothing_and_unknown_keys_are_explained():
    _, _, written = person(["u", "x", "q"])
    assert "no answer to take back" in written
    assert "'x' means nothing here" in written
    assert "nothing yet" in person(["o", "q"])[2] and "u undo" in person(["?", "q"])[2]


def test_a_person_who_answers_all_is_done():
    catalogue = Catalogue(["apple", "banana"])
    session = Session(catalogue.names, judges=["you"], ranker="iir", error=0.2)
    read = lambda: "1" if _left_is_apple(session) else "2"  # noqa: E731
    done = ask_person(session, catalogue, Plain(read, lambda text: None))
    assert done
    assert session.ranking.order == ("apple", "banana")


def _left_is_apple(session):
    return session.ranker.open_questions[0].left == "apple"


def test_a_person_at_a_pipe_stops_and_keeps(fruit):
    result = run(fruit, "--ranker", "iir", "--fresh", "--seed", 1, typed="1\n2\ns\nu\n1\nq\n")
    assert result.exit_code == 3
    assert "Stopped after" in result.stdout


def test_alone_at_the_terminal_about_as_few_questions_as_sorting_needs(tmp_path):
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps([f"n{k}" for k in (4, 0, 6, 2, 7, 1, 5, 3)]))
    result = run(path, "--seed", 1, typed="1\n" * 28)
    assert result.exit_code == 0
    assert "pairs that you were not asked about follow from the others" in " ".join(result.stdout.split())
    asked = result.stderr.count("Question ")
    assert asked < 20  # all pairs would be 28


def test_a_narrower_objective_that_is_reached_is_done(fruit):
    result = run(fruit, "--judge", LARGEST, "--goal", "best", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["order"][0] == "cherry"


def test_the_default_for_functions_asks_each_pair_once_and_says_why(fruit, tmp_path):
    out = tmp_path / "c.json"
    judges = [word for name in "abc" for word in ("--judge", f"{name}=python:builtins:max")]
    result = run(fruit, *judges, "--judge", "d=python:operator:truediv", "--seed", 1, "--out", out)
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert "may repeat themselves" in words
    assert "Judge d" in words and "raised TypeError" in words
    events = json.loads(out.read_text())["events"]
    asked = [event["data"] for event in events if event["kind"] == "asked"]
    assert len({(data["judge"], frozenset((data["left"], data["right"]))) for data in asked}) == len(asked)


def test_ctrl_c_prints_what_is_there_and_ends_with_3(tmp_path):
    (tmp_path / "slow_judges.py").write_text(
        "import sys, time\n"
        "def slow(left, right):\n"
        "    print('asked', file=sys.stderr, flush=True)\n"
        "    time.sleep(0.05)\n"
        "    return max(left, right)\n"
    )
    (tmp_path / "things.txt").write_text("\n".join("abcdefgh"))
    command = [sys.executable, "-m", "juryrank", "rank", "things.txt", "--judge", "s=python:slow_judges:slow"]
    options = ["--fresh", "--ranker", "iir", "--out", "kept.json", "--time-limit", "30"]
    running = subprocess.Popen([*command, *options], cwd=tmp_path, stdout=-1, stderr=-1, text=True)
    for _ in range(2):  # when the second question is asked, the first one was answered
        while "asked" not in running.stderr.readline():
            pass
    running.send_signal(signal.SIGINT)
    printed, complaints = running.communicate(timeout=60)
    assert running.returncode == 3, complaints
    assert "Stopped after" in printed
    assert len(json.loads((tmp_path / "kept.json").read_text())["events"]) > 1
