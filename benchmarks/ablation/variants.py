"""Every heuristic of the certified ranker, changed or left out.

A variant is a dict of named constants, or of switches: pieces of a kernel's text with an alternative.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.rankers.certified.core.prove.evidence import GRID_SIZE

NEVER, NOTHING = 1e18, -1e18
HARD_HERE = "ordinary(s.tallies, s.jury, x, y) < 0.5"
BET_HERE = "accuracy_here(s.tallies, s.jury, better, worse, s.jury.real[u, WEIGHT])"
OUT_HERE = "s.out[s.order[k]], s.out[s.order[k + 1]]"
DISCOUNT = "s.doubt.value[k] * math.exp(-out * s.jury.real[s.cursor.leader, WEIGHT])"

# switch: (kernel, text, what stands there instead)
SWITCHES: dict[str, list[tuple[str, str, str]]] = {
    "usual judge": [("draft_pair", HARD_HERE, "False")],
    "hard pairs tell": [("learn", "credit(s.jury, judge, right, usual)", "credit(s.jury, judge, right, 1.0)")],
    "blind bets": [("bet_on", BET_HERE, "s.jury.real[u, MEAN]")],
    "waiting is fixed": [("draft", "asked / len(s.jury.tally)", "0.0")],
    "no ramp": [("choose_insertion", "min(c.placed, len(s.slots.row))", "len(s.slots.row)")],
    "all together": [
        ("all_together", "c.insert == BREADTH", "True"),
        ("claim_again", "s.cursor.insert == BREADTH", "True"),
        ("claim_anew", "s.cursor.insert == BREADTH", "True"),
    ],
    "self-praise": [
        ("credit_answers", "chance_of(odds - weight)", "chance_of(odds)"),
        ("credit_answers", "chance_of(-odds - weight)", "chance_of(-odds)"),
    ],
    "step by step": [("draft_repair", "far_rival(s, k, down)", "STAY_PUT")],
    "discount by both": [
        ("discounted", f"max({OUT_HERE})", f"min({OUT_HERE})"),
    ],
    "never again": [("repair_touched", "s.cursor.questions >= s.cursor.redo_at", "False")],
    "no discount": [("discounted", DISCOUNT, "s.doubt.value[k]")],
    "no ramp of links": [("choose_link", "c.open_links >= max(RAMP, c.proven)", "False")],
    "fixed order": [("choose_link", "in_fixed_order(s)", "True")],
    "enough is out": [("has_room", "s.proof.worth[k, NOW] + out * gain < s.cursor.threshold", "True")],
}

VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    # whom to ask
    "never try another judge": {"TRIAL_PRICE": NEVER},
    "try judges at a third of the price": {"TRIAL_PRICE": 3.0},
    "try judges at three times the price": {"TRIAL_PRICE": 30.0},
    "try whoever may be better at all": {"WORTH_TRYING": 1.0},
    "any number of answers before a trial is judged": {"TRIAL_WAITING": 1e9},
    "no more trials in long insertions": {"waiting is fixed": 1.0},
    "steady: change judges as easily in the proof": {"PROVING_RATIO": 1.0},
    # what is known of judges
    "a flat prior of accuracies": {"FIXED_PRIOR": [1.0 / GRID_SIZE] * GRID_SIZE},
    "judges tell nothing about each other": {"SEEN": NEVER},
    "every judge in the pool": {"SEEN": 0.0},
    "the fixed prior counts for fifty judges": {"PRIOR_JUDGES": 50.0},
    "weights of answers without bounds": {"WEIGHT_MOST": 30.0},
    "an answer votes on itself": {"self-praise": 1.0},
    "the pool learned at every placement": {"POOL_EVERY": 0.0},
    # pairs that are harder than others
    "hard pairs: there are none": {"HARD_START": 0.0},
    "hard pairs: their share is not learned": {"HARD_LINKS": NEVER},
    "hard pairs: one degree": {"HARDNESS": [1.0, 0.25, 0.25, 0.25, 0.25]},
    "hard pairs: only with disagreement": {"HARD_MATTERS": 2.0},
    "hard pairs: asked of the usual judge": {"usual judge": 1.0},
    "hard pairs: all judges alike there": {"HARD_WORTH": NEVER},
    "hard pairs: they tell as much about judges": {"hard pairs tell": 1.0},
    "hard pairs: bets do not know the pair": {"blind bets": 1.0},
    "hard pairs: bets do not follow its record": {"PAIR_WORTH": NEVER},
    # insert
    "place at .90": {"PLACE_AT": 0.90},
    "place at .99": {"PLACE_AT": 0.99},
    "endless patience": {"PATIENCE": [1e9, 20.0, 4.0, 0.02]},
    "no ramp of insertions": {"no ramp": 1.0},
    "breadth first": {"all together": 1.0},
    # repair
    "no repair": {"REPAIR_STOP": math.inf},
    "repair ten times longer": {"REPAIR_STOP": 0.01},
    "only swaps are doubted": {"NEGLIGIBLE": NOTHING},
    "every way asked step by step": {"step by step": 1.0},
    "never look over the list again": {"never again": 1.0},
    "open questions not discounted": {"no discount": 1.0},
    "open questions discounted at their own link only": {"discount by both": 1.0},
    # prove
    "steady: flat priors": {"PRIOR_OWN": 0.0, "PRIOR_POOL": 0.0},
    "steady: no pool in priors": {"PRIOR_OWN": 0.9, "PRIOR_POOL": 0.0},
    "links asked in the fixed order": {"fixed order": 1.0},
    "links never asked in the order of claims": {"SURE_LIST": 0.0},
    "no ramp of links": {"no ramp of links": 1.0},
    "links asked although enough is out": {"enough is out": 1.0},
}


def matters(variant: str, assume: str) -> bool:
    """Could the variant make a difference? Steady judges know no hard pairs; the others need no priors."""
    if assume == "steady":
        return not variant.startswith("hard pairs")
    return not variant.startswith("steady")


def constants() -> list[str]:
    """The named constants that some variant changes."""
    return sorted({name for changes in VARIANTS.values() for name in changes} - SWITCHES.keys())
