"""The example result of docs/report.md, as pictures: `python docs/images/make.py` (from the repository's root).

Ninety simulated people compare ten cheeses, ten questions each; tastes differ from person to person.
"""

import math
import random
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


if __name__ == "__main__":
    ranking, folder = result(), Path(__file__).parent
    for theme in ("light", "dark"):
        (folder / f"result-{theme}.svg").write_text(picture_svg(ranking, title="Cheeses", theme=theme))
    print(result_text(ranking, title="Cheeses"), end="")
