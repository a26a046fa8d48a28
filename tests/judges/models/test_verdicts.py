"""Verdicts in prose: read where one is stated, and never taken from a sentence that only mentions a word."""

import pytest

from juryrank.judges.models.prompts import Unreadable, is_refusal, read_verdict

WORDS = ("first", "second", "tie")
SCALE = ("much better", "better", "equal", "worse", "much worse")


@pytest.mark.parametrize(
    ("text", "words", "verdict"),
    [
        ("**Verdict:** First.", WORDS, "first"),
        ("Both are fine. My final answer is the second one, because it is shorter.", WORDS, "second"),
        ("### Verdict\nsecond", WORDS, "second"),
        ("Winner: tie (they say the same)", WORDS, "tie"),
        ('{"reason": "it is right", "verdict": "second"', WORDS, "second"),  # broken off after the word
        ("Verdict: much better", SCALE, "much better"),
        ("<answer>second</answer>", WORDS, "second"),
        (r"Final answer: \boxed{first}", WORDS, "first"),
        ("| verdict | first |", WORDS, "first"),
        ("Final Decision: First ✅", WORDS, "first"),
        ("Verdict: first。", WORDS, "first"),
        ("Verdict: it's a tie", WORDS, "tie"),
        ("Verdict: The first text is better.", WORDS, "first"),
        ("Verdict: the second one wins, as it is shorter", WORDS, "second"),
        ("The final verdict would be second due to its style.", WORDS, "second"),
    ],
)
def test_a_stated_verdict_is_read(text, words, verdict):
    assert read_verdict(text, words) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "The first answer is better than the second.",
        "The second answer is worse than the first.",
        "I prefer the first answer; the second is wrong.",
        "The winner is not the first.",
        "Verdict: not first",
        "Verdict: second is worse",
        "Verdict: first is better in style and worse in all else",
        "Verdict: first? Hardly.",
        "Verdict: first-rate, both of them",
        "My decision: I cannot say that the first is better.",
        "I cannot help with that. The answer in the second text is harmful.",
        "Verdict: first\nOr rather, verdict: second",
        '{"verdict": "first", "verdict": "second"}',
    ],
)
def test_a_word_that_is_only_mentioned_is_no_verdict(text):
    with pytest.raises(Unreadable):
        read_verdict(text, WORDS)


@pytest.mark.parametrize("part", ["\n", ". ", "the ", "answer is ", "{"])
def test_a_long_answer_is_read_at_once(part):
    with pytest.raises(Unreadable):
        read_verdict(part * (100_000 // len(part)), WORDS)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("I can't judge these.", True),
        ("I cannot compare these two texts.", True),
        ("I'm sorry, but I can't assist with that.", True),
        ("Sorry, I can’t help with that request.", True),
        ("As an AI, I am unable to choose between them.", True),
        ("I won't pick a winner here.", True),
        ("I must decline.", True),
        ("I'd rather not, so I decline to answer.", True),
        ('{"reason": "I cannot evaluate this content.", "verdict": null}', True),
        ("<think>I can't decide.</think> Both are about tea.", False),
        ("I cannot choose the first one: it is wrong.", False),
        ("I can't help but like both.", False),
        ("I like them both.", False),
        ("It is hard to say.", False),
        ("The first says: you can't compare apples with pears.", False),
        ("", False),
    ],
)
def test_a_refusal_in_words_is_told_from_an_answer_that_cannot_be_read(text, refused):
    assert is_refusal(text) is refused
