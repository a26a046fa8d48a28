"""Six language models ranked by recorded votes of 65 people, ten questions each: what is promised, what was known.

    python examples/recorded_people.py     prints the story; --figure FILE draws it

The votes are real (examples/votes/README.md says whose). A person is asked what juryrank wants to know next; where
the record has no answer of theirs, they skip. The result is compared with a public rating of the same
models at that time, by other people. Needs: pip install .
"""

from __future__ import annotations

import argparse
import csv
import gzip
import textwrap
from pathlib import Path

import juryrank
from juryrank.judges import replayed
from juryrank.report import picture_svg

VOTES = Path(__file__).parent / "votes" / "people.csv.gz"
RATED_ELSEWHERE = ("gpt-4", "claude-v1", "gpt-3.5-turbo", "vicuna-13b-v1.2", "alpaca-13b", "llama-13b")


def votes() -> list[tuple[str, str, str, object]]:
    """(person, left, right, answer) for every recorded vote."""
    with gzip.open(VOTES, "rt", encoding="utf-8") as file:
        return [
            (row["judge"], row["left"], row["right"], juryrank.TIE if row["winner"] == "tie" else row["winner"])
            for row in csv.DictReader(file)
        ]


def main() -> None:
    """Play, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--figure", help="write the picture of the result here (SVG)")
    parser.add_argument("--seed", type=int, default=1)
    wishes = parser.parse_args()
    models = sorted(RATED_ELSEWHERE)
    result = juryrank.rank(models, replayed(votes()), ranker="panel", error=0.05, seed=wishes.seed)
    assert result.ranges is not None and result.estimates is not None
    guess = {each.item: each for each in result.estimates.items}
    print("model             promised ranks   estimated rank (90 %)   rated elsewhere")
    for item, (low, high) in zip(result.order, result.ranges, strict=True):
        one = guess[item]
        estimate = f"{one.rank:.1f} ({one.rank_low} to {one.rank_high})"
        print(f"{item:<17} {low} to {high}           {estimate:<23} {RATED_ELSEWHERE.index(item) + 1}")
    print(f"\n{textwrap.fill(result.statement, 88)}\n")
    inside = sum(
        low <= RATED_ELSEWHERE.index(item) + 1 <= high
        for item, (low, high) in zip(result.order, result.ranges, strict=True)
    )
    print(f"{result.questions} questions to {len(result.judges)} people, {result.details.skips} of them skipped.")
    print(f"The rank that other people gave lies in the promised range for {inside} of {len(models)} models.")
    if wishes.figure:
        Path(wishes.figure).write_text(picture_svg(result, title="Six models"), encoding="utf-8")


if __name__ == "__main__":
    main()
