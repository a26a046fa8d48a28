"""The words around a result: title, subtitle, legend, footer. They never promise more than the ranker does."""

from __future__ import annotations

from dataclasses import replace

from juryrank.quoting import in_sentence, in_sentences
from juryrank.rankers import ranker_class, ranker_names
from juryrank.rankers.contract.estimates import no_top
from juryrank.report.words.jury import basis_words, jury_headline
from juryrank.statements.numbers import number_of
from juryrank.types import Ranking

NOTHING_PROVEN = "Nothing yet: these answers do not prove any rank."
MOST_NAMED = 48  # letters of names in a headline; more are counted


def title_of(ranking: Ranking, title: str, lines: tuple[int, ...]) -> str:
    """The study's name, if there is one, and how much is settled."""
    said = "; ".join(part for part in (_headline(ranking, lines), circles_of(ranking), ties_of(ranking)) if part)
    return ": ".join(part for part in (title, said) if part)


def circles_of(ranking: Ranking) -> str:
    """Who goes in a circle, and how that is known: counted, proven or estimated; empty: nobody."""
    details, jury = ranking.details, ranking.details.jury
    groups, known = details.circles or jury.get("circles") or (), details.circles_are or jury.get("circles_are")
    circles = [[in_sentence(item) for item in circle] for circle in groups]
    if not circles:
        return ""
    if len(circles) > 1:
        return f"{sum(map(len, circles)):,} items go in {len(circles):,} circles ({known})"
    names = ", ".join(circles[0])
    who = names if len(names) <= MOST_NAMED else f"{len(circles[0]):,} items"
    return f"{who} go in a circle ({known})"


def ties_of(ranking: Ranking) -> str:
    """Which exact ties are in the way of the line or the order that was asked for; empty: none."""
    place = {item: position for position, item in enumerate(ranking.order)}
    objective, k = ranking.details.objective, ranking.details.k
    groups = [
        group
        for group in ranking.details.tied
        if objective in ("tiers", "order") or (k and place[group[0]] < k <= place[group[-1]])
    ]
    if len(groups) != 1:
        return f"exact ties in {len(groups):,} groups of items (counted)" if groups else ""
    names = in_sentences(groups[0])
    return f"exact ties among {names if len(names) <= MOST_NAMED else f'{len(groups[0]):,} items'} (counted)"


def _headline(ranking: Ranking, lines: tuple[int, ...]) -> str:
    """How much is settled, in a few words: whole order, groups, the top, pairs or links."""
    if ranking.certified and not ranking.post_hoc:
        if neighbours_only(ranking):
            return "the order is settled, each item over the next"  # other pairs follow only without circles
        transitive = ', if "at least as good" is transitive' if ranking.details.on_cases else ""
        return f"the whole order is settled{transitive}"
    if len(ranking.order) < 2:
        return "nothing to compare"
    if guesses_only(ranking):
        return "a best guess, without a promise"
    objective = ranking.details.objective
    if ranking.details.on_cases:
        return jury_headline(ranking, objective)
    if objective in ("tiers", "best") or objective.startswith("top-") or _no_order(ranking):
        said = _none_headline(ranking, objective) or _line_headline(objective, lines, items=len(ranking.order))
        return said.removesuffix(" yet") if ranking.details.finished else said
    if ranking.details.pairs_count and objective != "order":
        tied = f", {ranking.details.tied_count:,} exactly tied" if ranking.details.tied_count else ""
        return (
            f"{ranking.details.settled_count:,} of {number_of(ranking.details.pairs_count, 'pair')} settled{tied}"
        )
    done = sum(link.settled for link in ranking.links)
    unplaced = len(ranking.details.unplaced)
    if unplaced:
        total = number_of(len(ranking.order), "item")
        settled = f"{number_of(done, 'link')} settled" if done else "nothing settled yet"
        return f"{len(ranking.order) - unplaced:,} of {total} placed, {settled}"
    if ranking.links:
        return f"{done} of {number_of(len(ranking.links), 'link')} settled"
    if lines:
        return f"{len(lines) + 1} groups among {number_of(len(ranking.order), 'item')}"
    return "best guess so far"


def guesses_only(ranking: Ranking) -> bool:
    """Is it by a ranker that never promises anything? Then nothing is settled, nor ever will be."""
    return ranking.ranker in ranker_names() and not ranker_class(ranking.ranker).promises


def as_promised(ranking: Ranking) -> Ranking:
    """The result, without ranges and settled links where the ranker promises all or nothing, and it is nothing."""
    known = ranking.ranker in ranker_names()
    if ranking.proven or not known or ranker_class(ranking.ranker).promises_parts:
        return ranking
    links = tuple(replace(link, settled=False) for link in ranking.links)
    return replace(ranking, links=links, ranges=((1, len(ranking.order)),) * len(ranking.order))


def promises(ranking: Ranking) -> bool:
    """Is anything promised: a rank that is not any rank, a line, a pair? If not, no confidence is spoken of."""
    if ranking.proven or any(link.settled for link in ranking.links) or ranking.details.lines:
        return True
    anywhere = (1, len(ranking.order))
    return bool(ranking.details.settled_count) or any(tuple(span) != anywhere for span in ranking.ranges)


def no_choice(ranking: Ranking, k: int) -> bool:
    """Is it counted that there is no top k, as the answers go in a circle or tie?"""
    if ranking.details.on_cases:
        return no_top(ranking, k) and not ranking.proven
    return k in ranking.details.impossible_lines


def neighbours_only(ranking: Ranking) -> bool:
    """Is it an order of fixed judges in which not all pairs were compared?"""
    compared = ranking.details.counted_count
    chains = ranking.details.objective == "order"
    return chains and compared is not None and compared < ranking.details.pairs_count


def _no_order(ranking: Ranking) -> bool:
    """Is it counted that there is no order: do circles or ties leave no place for some line?"""
    return ranking.details.objective == "order" and bool(ranking.details.impossible_lines)


def _none_headline(ranking: Ranking, objective: str) -> str:
    """What is said where circles or ties leave no place for what was asked for; empty: there is one."""
    if objective == "order":
        return "there is no order of all items"
    if objective == "tiers":
        everywhere = all(no_choice(ranking, line) for line in range(1, len(ranking.order)))
        return "no line can stand" if everywhere else ""
    best = objective in ("best", "top-1")
    if not no_choice(ranking, 1 if best else int(objective.removeprefix("top-"))):
        return ""
    return "there is no best one" if best else f"there is no {objective.replace('-', ' ')}"


def nothing_proven(ranking: Ranking) -> str:
    """What stands where ranks would stand: none, though pairs of a fixed list of judges may be counted."""
    details = ranking.details
    if details.circles and details.circles_are == "counted":
        return f"No rank: {circles_of(ranking)}."
    if details.tied and not details.counted_count:
        return "No rank: everything that was compared is exactly tied."
    if details.counted_count:
        so_far = f"{details.counted_count:,} of {number_of(details.pairs_count, 'pair')} counted"
        if not details.finished:
            return f"No rank yet; {so_far}."
        ties = ties_of(ranking)
        return f"No rank: {so_far}, {f'and {ties} leave none' if ties else 'and the others leave none'}."
    if details.finished:
        return "No rank: no pair has a majority, and nobody is left to ask."
    return NOTHING_PROVEN


def _line_headline(objective: str, lines: tuple[int, ...], *, items: int) -> str:
    if objective == "tiers":
        return f"{len(lines) + 1} groups among {number_of(items, 'item')}" if lines else "no line is settled yet"
    what = "the best is" if objective in ("best", "top-1") else f"the {objective.replace('-', ' ')} are"
    return f"{what} settled" if lines else f"{what} not settled yet"


def subtitle_of(ranking: Ranking) -> str:
    """What it rests on, and the promise in short."""
    return "  ".join(part for part in (_basis(ranking), _confidence(ranking)) if part)


def _basis(ranking: Ranking) -> str:
    details = ranking.details
    if details.majority:
        more = ", ".join([number_of(details.ties, "tie"), number_of(details.skips, "skip")])
        apart = f" ({more} kept apart)" if details.ties or details.skips else ""
        jury = details.these_judges
        people = number_of(details.people, "judge" if jury else "person", "judges" if jury else "people")
        said = f"{number_of(details.answers, 'answer')} from {people}{apart}"
        heard = ranking.estimates.answers if ranking.estimates else 0
        waiting = heard - details.answers - details.ties
        return f"{said}; {waiting:,} more not counted yet." if waiting > 0 else f"{said}."
    if details.on_cases:
        answered, asked = (sum(getattr(judge, what) for judge in ranking.judges) for what in ("answered", "asked"))
        return basis_words(details.jury, answered, asked, len(ranking.judges))
    if ranking.judges:
        return f"{number_of(ranking.questions, 'question')} to {number_of(len(ranking.judges), 'judge')}."
    return f"{number_of(ranking.questions, 'question')} asked."


def _confidence(ranking: Ranking) -> str:
    """One sentence of promise for a picture; the exact words are the ranking's own statement."""
    if ranking.post_hoc:
        return "This result is post-hoc: it promises nothing."
    if ranking.ranker not in ranker_names():
        return ranking.statement
    return ranker_class(ranking.ranker).caption(ranking)


def footer_of(ranking: Ranking, *, people: bool) -> str:
    """The note at the foot: what must not be misread."""
    dots = "The dots (best guess) carry no promise."
    if ranking.post_hoc:
        return "Post-hoc: the ranges show what these answers would settle, and nothing is promised."
    check = "Re-check it: juryrank verify."
    if not promises(ranking):
        return f"{dots} {check}" if ranking.ranges else dots
    if ranking.details.these_judges:
        who = "this judge says" if len(ranking.judges) == 1 else "most of these judges say"
        return f"This is about what {who}, not about the truth. {dots} {check}"
    if people:
        return f"The promise is about what most people would say, not about the truth. {dots} {check}"
    if ranking.certified and not ranking.post_hoc:
        transitive = ', if "at least as good" is transitive' if ranking.details.on_cases else ""
        return f"The order is promised as a whole{transitive}. {check}"
    return f"{dots} {check}" if ranking.ranges else dots


def cut_of(ranking: Ranking, *, people: bool) -> str:
    """What a settled cut says about the items above and below it."""
    if not people:
        return "everything above it ranks before everything below it"
    if ranking.details.relation == "field-share":
        return "everything above it is preferred to the other items more often than everything below it"
    whom = "a majority prefers"
    if ranking.details.objective == "order":  # only neighbours are settled
        return "everything above it ranks before everything below it, if the majority goes in no circle"
    if ranking.details.these_judges:
        whom = "this judge prefers" if len(ranking.judges) == 1 else "most of these judges prefer"
    return f"{whom} everything above it to everything below it, pair by pair"


def legend_of(ranking: Ranking, *, people: bool, lines: bool) -> str:
    """What green lines mean, across the chart and beside the names."""
    cut = f"green line = settled cut: {cut_of(ranking, people=people)}" if lines else ""
    listed = ranking.details.neighbours and not ranking.certified
    joined = listed and any(link.settled for link in ranking.links)
    brace = "green beside the names = settled: each item ranks before the next it is joined to" if joined else ""
    return "; ".join(part for part in (cut, brace) if part)
