"""Programs as judges of a study: `runner` is the loop, `calls` one call with retries, `pace` a judge's limits.

`draws` numbers the draws of models; `asides` asks what never counts: gold pairs, opinions beside people's.
"""
