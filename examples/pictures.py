"""One photograph at nine JPEG qualities, ranked by seven image measures, two of which prefer the worse picture.

    python examples/pictures.py            prints the story; --figure FILE draws it

Each judge looks at a random patch of 32 by 32 pixels, so it answers anew each time it is asked. The truth (the
quality each file was saved with) is known here, and shown beside what is promised.
Needs: pip install '.[figures]' scikit-learn pillow
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable

import numpy as np
from PIL import Image
from sklearn.datasets import load_sample_image

import juryrank

QUALITIES = (95, 80, 60, 40, 30, 20, 15, 10, 5)  # the true order, best first
PATCH = 32
Picture = np.ndarray


def saved(photo: Image.Image, quality: int) -> Picture:
    """The photograph as it comes back from a JPEG file of this quality, in grey."""
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("L"), dtype=float)


def laplacian(patch: Picture) -> Picture:
    return 4 * patch[1:-1, 1:-1] - patch[:-2, 1:-1] - patch[2:, 1:-1] - patch[1:-1, :-2] - patch[1:-1, 2:]


def likeness(patch: Picture, original: Picture) -> float:
    """SSIM over the whole patch (Wang et al. 2004)."""
    covariance = ((patch - patch.mean()) * (original - original.mean())).mean()
    means = (2 * patch.mean() * original.mean() + 6.5) / (patch.mean() ** 2 + original.mean() ** 2 + 6.5)
    return float(means * (2 * covariance + 58.5) / (patch.var() + original.var() + 58.5))


def entropy(patch: Picture) -> float:
    shares = np.bincount(patch.astype(int).ravel(), minlength=256) / patch.size
    return float(-(shares[shares > 0] * np.log2(shares[shares > 0])).sum())


def blocks(patch: Picture, column: int) -> float:
    """Jumps at the borders of JPEG's blocks compared with jumps elsewhere."""
    jumps = np.abs(np.diff(patch, axis=1))
    border = (np.arange(jumps.shape[1]) + column) % 8 == 7
    return float(jumps[:, border].mean() / (jumps[:, ~border].mean() + 1e-9))


MEASURES: dict[str, Callable[[Picture, Picture, int], float]] = {
    "error": lambda patch, original, column: -float(((patch - original) ** 2).mean()),
    "likeness": lambda patch, original, column: likeness(patch, original),
    "blocks": lambda patch, original, column: -blocks(patch, column),
    "entropy": lambda patch, original, column: entropy(patch),
    "sharpness": lambda patch, original, column: float(laplacian(patch).var()),
    "smoothness": lambda patch, original, column: -float(np.abs(np.diff(patch)).mean()),  # likes the blurred one
    "evenness": lambda patch, original, column: -float(laplacian(patch).var()),  # so does this
}


Patch = tuple[int, int]  # row and column of its corner


class Judges:
    """The image measures as judges of one photograph's files."""

    def __init__(self, photo: Image.Image) -> None:
        self.original = np.asarray(photo.convert("L"), dtype=float)
        self.files = {quality: saved(photo, quality) for quality in QUALITIES}

    def patch(self, rng: np.random.Generator) -> Patch:
        row, column = (int(rng.integers(size - PATCH)) for size in self.original.shape)
        return row, column

    def prefers(self, name: str, left: int, right: int, patch: Patch) -> int:
        """The quality whose file scores higher on this patch."""
        row, column = patch
        part = np.s_[row : row + PATCH, column : column + PATCH]
        scores = [MEASURES[name](self.files[each][part], self.original[part], column) for each in (left, right)]
        return left if scores[0] >= scores[1] else right

    def afresh(self, seed: int) -> dict[str, Callable[[int, int], int]]:
        """Judges who look at another patch each time."""

        def judge(name: str) -> Callable[[int, int], int]:
            rng = np.random.default_rng([seed, *name.encode()])
            return lambda left, right: self.prefers(name, left, right, self.patch(rng))

        return {name: judge(name) for name in MEASURES}

    def on_cases(self) -> dict[str, Callable[[int, int, Patch], int]]:
        """Judges who are told which patch to look at."""
        return {
            name: lambda left, right, case, name=name: self.prefers(name, left, right, case) for name in MEASURES
        }

    def accuracy(self, name: str, patches: list[Patch]) -> float:
        """How often a judge prefers the better file, over all pairs and these patches."""
        pairs = [(a, b) for place, a in enumerate(QUALITIES) for b in QUALITIES[place + 1 :]]
        return float(np.mean([self.prefers(name, a, b, patch) == a for a, b in pairs for patch in patches]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", help="draw the judges' accuracies into this file")
    options = parser.parse_args()
    judges = Judges(Image.fromarray(load_sample_image("china.jpg")))
    rng = np.random.default_rng(7)
    patches = [judges.patch(rng) for _ in range(100)]
    true = {name: judges.accuracy(name, patches[:30]) for name in MEASURES}

    good = [name for name in MEASURES if true[name] > 0.5]
    print("1. certified: promises the exact order if every judge is right more often than not about every pair.")
    for who, names in (("all seven judges", list(MEASURES)), ("the five good ones", good)):
        report(who, names, judges)
    result = juryrank.rank(
        QUALITIES[::-1], {n: judges.afresh(1)[n] for n in good}, about="truth", error=0.05, seed=1
    )

    print("\n2. jury: promises what these seven judges say on these 100 patches, right or wrong.")
    best = juryrank.rank(list(QUALITIES[::-1]), judges.on_cases(), cases=patches, goal="best", error=0.05, seed=1)
    cells = len(QUALITIES) * (len(QUALITIES) - 1) // 2 * len(MEASURES) * len(patches) * 2
    print(
        f"   best: quality {best.order[0]}, proven: {best.proven}, after {best.questions} of {cells:,} questions"
    )
    print("   true best: quality", QUALITIES[0])
    if options.figure:
        draw(result, {name: true[name] for name in good}, options.figure)


def report(who: str, names: list[str], judges: Judges, runs: int = 20) -> None:
    """How often the certified order was the true one."""
    found = []
    for seed in range(1, runs + 1):
        jury = {name: judge for name, judge in judges.afresh(seed).items() if name in names}
        found.append(juryrank.rank(QUALITIES[::-1], jury, about="truth", error=0.05, seed=seed))
    wrong = sum(each.certified and each.order != QUALITIES for each in found)
    asked = np.mean([each.questions for each in found])
    certified = sum(each.certified for each in found)
    print(f"   {who}: certified in {certified} of {runs} runs, wrong in {wrong}; {asked:.0f} questions per run")


def draw(result: juryrank.Ranking, true: dict[str, float], file: str) -> None:
    """Draw questions per judge against how often each is right: whom the ranker relied on."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    asked = {str(each.name): each.asked for each in result.judges}
    axes.bar(list(true), [asked[name] for name in true], color="#1f5fa8")
    for place, name in enumerate(true):
        axes.text(place, asked[name], f"right {true[name]:.0%}", ha="center", va="bottom", fontsize=8)
    axes.set_ylabel("questions asked")
    axes.margins(y=0.15)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main()
