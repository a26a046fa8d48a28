"""The example of docs/report.md as pictures: `python docs/images/make.py`.

Ninety simulated people compare ten cheeses, ten questions each; tastes differ from person to person.
"""

import math
import random
import re
from pathlib import Path

from juryrank import make_ranker
from juryrank.report import picture_svg, result_text

CHEESES = ["Comté", "Gouda", "Stilton", "Manchego", "Brie", "Feta", "Taleggio", "Emmental", "Limburger", "Quark"]
PEOPLE, SEED = 90, 7


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


def main() -> None:
    """Write the pictures (`make captures` puts the terminal's view into docs/report.md)."""
    ranking, folder = result(), Path(__file__).parent
    for theme in ("light", "dark"):
        (folder / f"result-{theme}.svg").write_text(picture_svg(ranking, title="Cheeses", theme=theme))
    fit_picture(folder)


def fit_picture(folder: Path) -> None:
    """The picture of docs/votes.md, from the votes on that page."""
    from juryrank import fit

    page = (folder.parent / "votes.md").read_text()
    (votes,) = re.findall(r"^```text file=wines.csv\n(.*?)^```$", page, re.M | re.S)
    fit(votes.encode()).figure(folder / "fit.svg")


if __name__ == "__main__":
    main()
