"""A program as a judge. For each question it is started once:

    standard input    {"left": ..., "right": ..., "judge": NAME}   the pair, as JSON, in the order shown; on cases
                                                                   also "case": the case's input
    standard output   left, right, tie or skip                     one word (capitals and spaces do not matter),
                      or a number from -1 (right) to 1 (left)      a grade, for rankers that take grades

Where one call puts all systems in order, it reads {"outputs": {"A": ..., "B": ...}, "judge": NAME, "case": ...}
and prints the letters as a JSON list, best first, inner lists for ties: ["B", ["A", "C"]] (or tie, or skip).

Anything else, a non-zero exit or no answer within the time limit is a failure, with the program's last
lines in the message. The call is async: many can be open at once, and the program of a cancelled call is ended
with everything that it started. Ctrl-C in the terminal reaches juryrank alone, which then ends its programs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from juryrank.defaults import PROGRAM_SECONDS
from juryrank.errors import BadInput, JudgeFailed
from juryrank.judges.ordering import Ordered, read_order
from juryrank.types import SKIP, TIE, Answer, Grade

LAST_WORDS = 300  # characters of a failed program's standard error to show
MOST_KEPT = 65_536  # bytes of what a program prints; the rest is read and forgotten
PATIENCE = 1.0  # seconds for an ended program's pipes to close: what it started may have left its group


class CommandJudge:
    """`CommandJudge("./ask.sh --model small")`: a program and its arguments, as a shell would split them.

    The program reads {"left": ..., "right": ...} as JSON and prints left, right, tie or skip.

    >>> from juryrank import rank
    >>> rank(["a", "b"], {"first": CommandJudge("echo left")}, seed=1).questions
    1
    """

    def __init__(self, command: str, *, name: str = "", time_limit: float | None = PROGRAM_SECONDS) -> None:
        try:
            self.words = shlex.split(command if os.sep == "/" else command.replace("\\", "\\\\"))  # C:\\x stays
        except ValueError as problem:
            raise BadInput(f"the command {command!r} cannot be read ({problem}); close its quotes") from None
        if not self.words:
            raise BadInput("a command judge needs a program: cmd:PROGRAM")
        if shutil.which(self.words[0]) is None:
            raise BadInput(
                f"the program {self.words[0]!r} is not there or not executable; give its path, and chmod +x it"
            )
        self.name, self.time_limit = name, time_limit

    @property
    def files(self) -> list[str]:
        """The program, and the files that its command names: also as `--option=FILE`, in quotes, or by `-m`."""
        return [shutil.which(self.words[0]) or "", *_files_in(self.words[1:])]

    async def __call__(self, left: Any, right: Any, *case: Any) -> Answer:
        shown = {"left": left, "right": right, "judge": self.name} | ({"case": case[0]} if case else {})
        return self._answer(await self._said(shown), left, right)

    async def order(self, outputs: Mapping[str, Any], case: Any) -> Ordered | Answer:
        """All outputs of a case, each under a letter; the program prints the letters, best first."""
        said = await self._said({"outputs": dict(outputs), "judge": self.name, "case": case})
        word = said.strip().strip('"').lower()
        return {"tie": TIE, "skip": SKIP}[word] if word in ("tie", "skip") else read_order(said, outputs)

    async def _said(self, shown: Mapping[str, Any]) -> str:
        """What the program prints when it is shown this."""
        text = json.dumps(shown, ensure_ascii=False, default=str)
        pair = (text + "\n").encode(errors="backslashreplace")  # half a character, as JSON writes it: \ud800
        program = await asyncio.create_subprocess_exec(
            *self.words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # a group of its own, to be ended as a whole
        )
        try:
            said, complaint = await asyncio.wait_for(_talk(program, pair), self.time_limit)
        except TimeoutError:
            raise JudgeFailed(f"{self.words[0]} gave no answer within {self.time_limit:g} s") from None
        finally:
            await _end(program)
        if program.returncode != 0:
            words = complaint.decode(errors="replace").strip()[-LAST_WORDS:]
            raise JudgeFailed(f"{self.words[0]} ended with code {program.returncode}: {words or 'no message'}")
        return said.decode(errors="replace")

    def _answer(self, said: str, left: Answer, right: Answer) -> Answer:
        answers: dict[str, Answer] = {"left": left, "right": right, "tie": TIE, "skip": SKIP}
        word = said.strip().strip('"').lower()
        try:
            return Grade(float(word))
        except ValueError:
            pass  # a word, or a number that is no grade: BadAnswer is one
        if word not in answers:
            raise JudgeFailed(
                f"{self.words[0]} answered {word[:40]!r}; it must print left, right, tie, "
                "skip, or a grade from -1 (right) to 1 (left)"
            )
        return answers[word]


def _files_in(words: Sequence[str]) -> Iterator[str]:
    for before, word in zip(("", *words), words, strict=False):
        module = word.replace(".", os.sep)
        named = (f"{module}.py", os.path.join(module, "__main__.py")) if before == "-m" else (word,)
        yield from filter(os.path.isfile, (*named, word.partition("=")[2]))
        if len(parts := word.split()) > 1 and not os.path.isfile(word):
            with contextlib.suppress(ValueError):  # a lone quote: no command
                parts = shlex.split(word)
            yield from _files_in(parts)


async def _talk(program: asyncio.subprocess.Process, question: bytes) -> tuple[bytes, bytes]:
    """Ask, and listen until the program ends: (the start of what it said, the end of what it complained about)."""
    assert program.stdin is not None and program.stdout is not None and program.stderr is not None

    async def ask(stdin: asyncio.StreamWriter) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may answer without reading
            stdin.write(question)
            await stdin.drain()
        stdin.close()

    async def hear(stream: asyncio.StreamReader, *, last: bool) -> bytes:
        kept = b""
        while part := await stream.read(MOST_KEPT):
            kept = (kept + part)[-MOST_KEPT:] if last else (kept + part)[:MOST_KEPT]
        return kept

    _, said, complaint = await asyncio.gather(
        ask(program.stdin), hear(program.stdout, last=False), hear(program.stderr, last=True)
    )
    await program.wait()
    return said, complaint


async def _end(program: asyncio.subprocess.Process) -> None:
    """End a program that is still running, and whatever it started."""
    if program.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(program.wait(), PATIENCE)
