"""The pictures of README.md and docs/ that are no screenshots and no benchmarks; `make captures` draws them again.

result-light.svg, result-dark.svg   ninety simulated people compare ten cheeses, ten questions each
planets.svg                         what docs/tutorial-programs.md ranks
fit.svg                             the votes of docs/votes.md
evidence.svg, cost.svg              how a proof grows (certified.md), what accuracy saves (planning.md)
"""

import contextlib
import csv
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from juryrank import make_ranker, rank
from juryrank.report import picture_svg, result_text

CHEESES = ["Comté", "Gouda", "Stilton", "Manchego", "Brie", "Feta", "Taleggio", "Emmental", "Limburger", "Quark"]
PEOPLE, SEED = 90, 7
HERE, THEMES = Path(__file__).parent, ("light", "dark")
BLUE, GREY, GREEN = "#1f5fa8", "#8a8f98", "#1a7f4b"
PALE = "#9dbbe0"


def result():
    """The ranking after everybody's sitting."""
    chance = random.Random(SEED)
    liking = {cheese: 2.6 * math.exp(-k / 3.2) for k, cheese in enumerate(CHEESES)}
    panel = make_ranker("panel", CHEESES, judges=[], error=0.1, seed=SEED)
    for number in range(PEOPLE):
        person = f"person {number + 1}"
        taste = {cheese: liking[cheese] + chance.gauss(0, 0.45) for cheese in CHEESES}
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            left = 1 / (1 + math.exp(1.6 * (taste[question.right] - taste[question.left])))
            panel.tell(question, question.left if chance.random() < left else question.right)
    return panel.ranking


def terminal(ranking) -> str:
    """What the terminal shows of it at 80 columns, without the tables below."""
    return result_text(ranking, title="Cheeses").split("\n\nIn the top k")[0]


def drawn() -> dict[str, str]:
    """The pictures that are text of our own, by file: a test compares them with the files."""
    cheeses = result()
    pictures = {f"result-{theme}.svg": picture_svg(cheeses, title="Cheeses", theme=theme) for theme in THEMES}
    return {**pictures, "planets.svg": picture_svg(planets(), title="Planets by size")}


def planets():
    """The measured planets of docs/tutorial-programs.md, by the instruments on that page."""
    page = (HERE.parent / "tutorial-programs.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python file=instruments.py\n(.*?)^```$", page, re.M | re.S)
    (table,) = re.findall(r"^```text file=planets.csv\n(.*?)^```$", page, re.M | re.S)
    scope: dict[str, object] = {}
    exec(compile(code, "instruments.py", "exec"), scope)
    rows = list(csv.DictReader(table.splitlines()))
    return rank(rows, {"good": scope["good"], "poor": scope["poor"]}, about="truth", seed=1)


def main() -> None:
    """Write the pictures."""
    for name, text in drawn().items():
        (HERE / name).write_text(text, encoding="utf-8")
    fit_picture(HERE)
    evidence_picture(HERE / "evidence.svg")
    cost_picture(HERE / "cost.svg")


def fit_picture(folder: Path) -> None:
    """The picture of docs/votes.md, from the votes on that page."""
    from juryrank import fit

    page = (folder.parent / "votes.md").read_text()
    (votes,) = re.findall(r"^```text file=wines.csv\n(.*?)^```$", page, re.M | re.S)
    fit(votes.encode()).figure(folder / "fit.svg")


def evidence_picture(path: Path) -> None:
    """Eight items, three judges: the search, then the evidence for each link of the list, question by question."""
    from juryrank.judges import simulated

    jury = simulated("ABCDEFGH", [0.9, 0.8, 0.65], seed=3)
    ranker = make_ranker("certified", list("HGFEDCBA"), judges=list(jury), error=0.05, seed=3)
    history: list[dict[str, float]] = []
    while (question := ranker.ask()) is not None:
        ranker.tell(question, jury[question.judge](question.left, question.right))
        links = ranker.ranking.links
        history.append({f"{link.better} over {link.worse}": link.evidence or 0.0 for link in links})
    begins = next(k for k, now in enumerate(history) if len(now) == 7 and all(now.values()))
    with figure(path, "questions asked", "evidence for the link") as axes:
        for name in history[-1]:
            axes.plot(range(begins, len(history)), [now[name] for now in history[begins:]], color=BLUE, lw=1.4)
        axes.axhline(25, color=GREEN, lw=1.2)
        axes.text(2, 27, "proven: 25 for one", color=GREEN, va="bottom")
        axes.axvspan(0, begins, color="#eef1f5", lw=0)
        axes.text(begins / 2, 5, "search:\nnothing counts", ha="center", va="center", color=GREY)
        axes.text(begins + 4, 0.72, "proof: new answers only, seven links at once", color=GREY, va="center")
        axes.set(yscale="log", ylim=(0.5, 60), xlim=(0, len(history)), yticks=[1, 2, 5, 10, 25])
        axes.set_yticklabels(["1", "2", "5", "10", "25"])


def cost_picture(path: Path) -> None:
    """Questions that `certified` asks of three judges who are equally often right."""
    from juryrank.simulation import Bernoulli, simulate

    accuracies = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99]
    with figure(path, "how often each of three judges is right", "questions, mean of 20 runs") as axes:
        for items, colour in ((10, PALE), (30, "#5b8fcf"), (100, BLUE)):
            asked = [
                simulate("certified", Bernoulli((accuracy,) * 3), items=items, repeats=20, seed=1).questions_mean
                for accuracy in accuracies
            ]
            axes.plot(accuracies, asked, color=colour, marker="o", ms=4)
            axes.text(0.994, asked[-1], f" {items} items", color=colour, va="center")
        axes.set(yscale="log", xlim=(0.59, 1.04), xticks=[0.6, 0.7, 0.8, 0.9, 0.99])
        axes.set_xticklabels(["60 %", "70 %", "80 %", "90 %", "99 %"])


@contextlib.contextmanager
def figure(path: Path, x: str, y: str) -> Iterator[Any]:
    """A plain figure of one panel; the same numbers give the same file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    settings = {"svg.hashsalt": "juryrank", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False}
    with pyplot.rc_context({**settings, "axes.spines.right": False}):
        drawing, axes = pyplot.subplots(figsize=(7.2, 3.6), layout="constrained")
        axes.set(xlabel=x, ylabel=y)
        yield axes
        axes.minorticks_off()
        drawing.savefig(path, metadata={"Date": None})
        pyplot.close(drawing)


if __name__ == "__main__":
    main()
