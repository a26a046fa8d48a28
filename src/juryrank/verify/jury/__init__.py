"""The checker of `jury`: draws every cell again and recounts S, B, λ and E from the raw events.

`setup` reads what the study was made for, `cells` draws, `counting` counts what is settled, `book` is one pair in
the order drawn, `forecasts` what was foreseen of it, `evidence` the formulas, `lists` the attempts, what they need
and what refutes them, `outputs` what was compared, `walk` goes through the log.
"""
