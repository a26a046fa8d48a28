"""The jury measured: `python -m benchmarks.jury` runs everything, `python -m benchmarks.jury recorded` one part.

`recorded` plays recorded tables (a folder of them is given by --data), `worlds` has the hard small worlds, `play`
asks and answers, `speed` measures time and room.
"""
