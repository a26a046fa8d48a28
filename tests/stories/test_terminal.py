"""The whole way of one person at a terminal, looked at on its screen: start, answer, undo, stop, go on, finish."""

import resource
import sys

import pytest

from tests.quick import quick
from tests.stories.terminal import Terminal

DESSERTS = ("apple pie", "cheesecake", "tiramisu", "ice cream", "brownie")
READY = ("Which is better?", "q stop")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "desserts.txt").write_text("\n".join(DESSERTS))
    return tmp_path


def test_start_answer_undo_order_stop_go_on_and_finish(folder):
    with Terminal("rank", "desserts.txt", "--seed", 1, folder=folder) as terminal:
        first = terminal.sees(*READY).splitlines()
        assert first[0] == " desserts.txt · 0 answered, about 7 to go · kept in juryrank.db"
        assert "1 ←" in first[4] and "2 →" in first[4] and "apple pie" in first[6] and "cheesecake" in first[6]
        terminal.type("left")
        terminal.sees("1 ← chosen ━")
        terminal.sees("1 answered")
        terminal.type(" ")
        terminal.sees("2 answered")
        terminal.type("u")
        terminal.sees("1 answered", "Taken back: answer it again.")
        for letter in "\x1b[C":  # an arrow over a slow line, letter by letter
            terminal.type(letter)
        terminal.sees("2 answered")
        terminal.type("o")
        assert "can be" in terminal.sees("The order so far", "1  tiramisu")
        terminal.type("q")  # leaves the page
        terminal.sees(*READY)
        terminal.type("?")
        keys = terminal.sees("Keys", "take the last answer back").splitlines()[4:16]
        assert {len(line) - len(line[16:].lstrip()) for line in keys if line} == {16}  # one column of meanings
        terminal.type("x")
        terminal.sees(*READY)
        terminal.type("x")
        terminal.sees("x means nothing here")
        terminal.type("q")
        assert terminal.ends() == 3
        terminal.sees("Your order so far: desserts.txt (2 answers", "To go on:", "juryrank rank desserts.txt")
    with Terminal("rank", "desserts.txt", "--seed", 1, folder=folder) as terminal:
        terminal.sees("2 answered", *READY)
        terminal.type(*"1111111111")  # typed ahead: none is lost, none is too many
        assert terminal.ends() == 0
        shown = terminal.sees("Your order: desserts.txt", "juryrank report desserts.txt --out desserts.html")
        assert "can be" not in shown and all(name in shown for name in DESSERTS)


def test_essays_scroll_and_ctrl_c_keeps(folder):
    essays = folder / "essays"
    essays.mkdir()
    for k in range(3):
        (essays / f"pupil {k}.txt").write_text(f"Summer {k}\n\n" + " ".join(["word"] * 400) + "\nThe end.")
    with Terminal("rank", "essays", folder=folder) as terminal:
        assert "The end." not in terminal.sees("Summer 0", "Summer 1", "lines 1 to", "↑/↓ scroll")
        terminal.type("j")
        terminal.sees("lines 2 to")
        terminal.type("down")  # reads on: an arrow that is not shown as a choice gives no answer
        terminal.sees("lines 3 to", "0 answered")
        terminal.type("up", "up")
        terminal.sees("lines 1 to", "0 answered")
        terminal.type("end")
        terminal.sees("The end.")
        terminal.type("1")
        terminal.sees("1 answered")
        terminal.type("\x03")
        assert terminal.ends() == 3
        terminal.sees("(1 answer, about")


class Bare(Terminal):
    """Without the packages of the extra `report`."""

    program = (
        sys.executable,
        "-c",
        "import sys; sys.modules['jinja2'] = None; from juryrank.cli import main; main()",
    )


def test_the_last_line_of_a_base_install_works_too(folder):
    with Bare("rank", "desserts.txt", "--seed", 1, folder=folder) as terminal:
        terminal.sees(*READY)
        terminal.type(*"1111111111")
        assert terminal.ends() == 0
        command = terminal.sees("To show it to others").splitlines()[-1].split()
    with Bare(*command[1:], folder=folder) as terminal:
        assert terminal.ends() == 0, terminal.shown
    assert (folder / command[-1]).exists()


def of_children() -> float:
    """Processor time of programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.skipif(sys.platform != "linux", reason="reads processor time from /proc")
def test_a_thousand_lines_are_as_quick_as_ten(folder):
    (folder / "lines.txt").write_text("\n".join(f"line {k}" for k in range(1000)))
    before = of_children()
    with Terminal("rank", "lines.txt", "--seed", 1, folder=folder) as terminal:
        terminal.sees("0 answered", *READY)
        began = terminal.seconds
        for number in range(1, 31):
            terminal.type("1")
            terminal.sees(f" {number} answered")
        assert terminal.seconds - began < 30 * 0.035  # 7 to 10 ms each, as measured; it was 46
        began = terminal.seconds
        terminal.type("o")
        terminal.sees("The order so far", "can be")
        terminal.type("q")
        terminal.sees(*READY)
        assert terminal.seconds - began < 1.5  # it was 7.8
        began = terminal.seconds
        terminal.type("q")
        assert terminal.ends() == 3
        terminal.sees("Nothing is known yet about", "To go on:")
    assert of_children() - before - began < 3  # it was 10.4


def test_a_new_size_is_drawn_at_once(folder):
    with Terminal("rank", "desserts.txt", folder=folder, columns=200, lines=30) as terminal:
        assert max(map(len, terminal.sees(*READY).splitlines()[4:])) <= 100
        terminal.resize(64, 20)
        terminal.sees("1 ↑", "2 ↓", "↑/↓ choose")
        terminal.type("q")
        assert terminal.ends() == 3


SIMPLE = [(40, {}), (80, {"NO_COLOR": "1"}), (80, {"TERM": "dumb"})]


@pytest.mark.parametrize(("columns", "environment"), quick(SIMPLE))
def test_simple_terminals_are_asked_line_by_line(folder, columns, environment):
    for typed in ({}, {"1": "Question 2", "what": "means nothing here"}):
        with Terminal(
            "rank", "desserts.txt", "--seed", 1, folder=folder, columns=columns, **environment
        ) as terminal:
            terminal.sees("1  apple pie", "2  cheesecake", "\n>")
            for answer, then in typed.items():
                terminal.type(f"{answer}\r")
                terminal.sees(then)
            terminal.type("q\r")
            assert terminal.ends() == 3
            assert b"\x1b" not in terminal.written
            lines = terminal.written.decode().splitlines()
            long = [line for line in lines if len(line) > columns and "juryrank " not in line]
            assert not long, "a terminal breaks it in the middle of a word"


def test_a_pipe_is_read_line_by_line(desk):
    desk.write("desserts.txt", "\n".join(DESSERTS))
    done = desk.juryrank("rank", "desserts.txt", "--seed", 1, typed="1\n" * 20)
    assert "Your order: desserts.txt" in done.stdout and "\x1b" not in done.stdout
    assert "Question 1 of about 7" in done.stderr
