"""Forty English words ranked by how common they are, by judges who each know something else.

    python examples/words.py               prints the story; --figure FILE draws it

The truth is the frequency list of the package wordfreq. The judges are another list (that of pyspellchecker), how
common the same string is in German, French and Spanish, and a rule: shorter words are more common. Each always
gives the same answer, so each is asked a pair once, and what can be said is what most of these judges prefer.
Needs: pip install '.[figures]' wordfreq pyspellchecker
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable
from itertools import combinations

from spellchecker import SpellChecker
from wordfreq import zipf_frequency

import juryrank

TEXT = (
    "the time house water night animal information problem radio hotel garden doctor color music horse train "
    "restaurant minute river silver bread piano original natural tunnel orange tiger guitar camera melon "
    "kiosk zebra avocado violin volcano algebra oasis gecko quartz kayak"
)
WORDS = TEXT.split()
Judge = Callable[[str, str], object]


def by(score: Callable[[str], float]) -> Judge:
    """A judge that prefers the higher score, and says tie where both are alike."""

    def answer(left: str, right: str) -> object:
        one, other = score(left), score(right)
        return juryrank.TIE if one == other else left if one > other else right

    return answer


def jury() -> dict[str, Judge]:
    """Five judges: one good, three that know another language, one rule of thumb."""
    spelling = SpellChecker()
    return {
        "another list": by(spelling.word_usage_frequency),
        "German": by(lambda word: zipf_frequency(word, "de")),
        "French": by(lambda word: zipf_frequency(word, "fr")),
        "Spanish": by(lambda word: zipf_frequency(word, "es")),
        "shorter": by(lambda word: -len(word)),
    }


def agreement(order: list[str]) -> float:
    """The share of pairs that are in their true order."""
    true = {word: zipf_frequency(word, "en") for word in order}
    pairs = [(a, b) for a, b in combinations(order, 2) if true[a] != true[b]]
    return sum(true[a] > true[b] for a, b in pairs) / len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", help="draw the two orders into this file")
    parser.add_argument("--words", type=int, default=12, help="how many of the words")
    options = parser.parse_args()
    words = WORDS[:: len(WORDS) // options.words][: options.words]
    judges = jury()
    result = juryrank.rank(words, judges, error=0.05, seed=1)
    print("These judges prefer  ", *result.order)
    print("The true order       ", *sorted(words, key=lambda word: -zipf_frequency(word, "en")))
    print(f"\n{textwrap.fill(result.statement, 88)}\n")
    right = agreement(list(result.order))
    print(f"{result.questions} questions. Pairs in their true order: {right:.0%} of this result,")
    alone = {name: share_right(judge, words) for name, judge in judges.items()}
    print("and of each judge alone: " + ", ".join(f"{name} {share:.0%}" for name, share in alone.items()))
    if options.figure:
        draw(result, options.figure)


def share_right(judge: Judge, words: list[str]) -> float:
    """How often a judge is right about the pairs of these words (a tie is half right)."""
    true = {word: zipf_frequency(word, "en") for word in words}
    pairs = [(a, b) if true[a] > true[b] else (b, a) for a, b in combinations(words, 2) if true[a] != true[b]]
    said = [judge(better, worse) for better, worse in pairs]
    return sum(
        0.5 if each is juryrank.TIE else each == better for each, (better, _) in zip(said, pairs, strict=True)
    ) / len(pairs)


def draw(result: juryrank.Ranking, file: str) -> None:
    """Draw each word's place in the result against its true place."""
    import matplotlib.pyplot as plt

    found = list(result.order)
    true = sorted(found, key=lambda word: -zipf_frequency(str(word), "en"))
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for word in found:
        places = [found.index(word) + 1, true.index(word) + 1]
        axes.plot([0, 1], places, color="#1f5fa8" if places[0] == places[1] else "#c0504d", marker="o")
        axes.text(-0.04, places[0], word, ha="right", va="center")
        axes.text(1.04, places[1], word, ha="left", va="center")
    axes.set_xlim(-0.5, 1.5)
    axes.invert_yaxis()
    axes.set_xticks([0, 1], ["what these judges prefer", "how common it is"])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main()
