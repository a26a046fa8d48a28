"""The checker of `jury`: draws every cell again and recounts S, B, λ and E from the raw events.

`setup` reads what the study was made for, `seed` the seed of its draws, `cells` draws, `book` is one pair in the
order drawn, `evidence` the formulas, `lists` the attempts and what they need, `robust` what a proof would survive,
`outputs` what was compared, `walk` goes through the log, `statement` has the words.
"""
