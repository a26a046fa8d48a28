"""Evidence in fractions: what the checker's rounded logarithms may never exceed."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

from juryrank.verify.arithmetic.evidence import ACCURACIES, SCORE_BETS

DIGITS = 60
BITS = 256  # of a whole number: enough for so many digits of its logarithm


def log_of(value):
    """ln of a positive fraction, as Decimal; -inf of 0."""
    with localcontext() as context:
        context.prec = DIGITS
        return _log(value.numerator) - _log(value.denominator) if value else Decimal("-Infinity")


def _log(whole):
    shift = max(whole.bit_length() - BITS, 0)
    return Decimal(whole >> shift).ln() + shift * Decimal(2).ln()


def bets(pairs):
    """Π (1 ± λ) over (λ, agrees)."""
    return prod((1 + Fraction(bet) if agrees else 1 - Fraction(bet) for bet, agrees in pairs), start=Fraction(1))


def mixture(weights, beta, agreeing, disagreeing):
    """Σ π p^a (1-p)^d + w B(α+a, β+d) / B(α, β), for a probability: what exceeds 1 by rounding is divided out."""
    share, alpha, other = map(Fraction, beta)
    total = sum(map(Fraction, weights)) + share
    rising = [
        _rising(alpha, agreeing),
        _rising(other, disagreeing),
        _rising(alpha + other, agreeing + disagreeing),
    ]
    found = share * rising[0] * rising[1] / rising[2] if share else Fraction(0)
    for weight, accuracy in zip(weights, ACCURACIES, strict=True):
        p = Fraction(accuracy)
        found += Fraction(weight) * p**agreeing * (1 - p) ** disagreeing if weight else 0
    return found / max(total, 1)


def _rising(start, steps):
    return prod((start + k for k in range(steps)), start=Fraction(1))


def best(right, answers):
    """sup over p ≥ ½ of p^A (1-p)^(n-A)."""
    share = max(Fraction(right, answers), Fraction(1, 2))
    return share**right * (1 - share) ** (answers - right)


def steady(priors, votes, link):
    """E of a link; `votes`: (judge, link, agrees)."""
    found = Fraction(1)
    for judge, (weights, beta) in priors.items():
        own = [(at, agrees) for name, at, agrees in votes if name == judge]
        if not own:
            continue
        leads = {at: [0, 0] for at, _ in own} | ({} if any(at == link for at, _ in own) else {link: [0, 0]})
        for at, agrees in own:
            leads[at][not agrees] += 1
        right = sum(max(both) for both in leads.values()) - max(leads[link][0] - leads[link][1], 0)
        agreeing = sum(agrees for _, agrees in own)
        found *= mixture(weights, beta, agreeing, len(own) - agreeing) / best(right, len(own))
    return found


def scores(edges):
    """The mean over λ of Π (1 + λ D) over D."""
    each = (prod((1 + Fraction(bet) * edge for edge in edges), start=Fraction(1)) for bet in SCORE_BETS)
    return sum(each) / len(SCORE_BETS)
