"""Panels with more items than a table of pairs has room for: only what was answered is kept.

`judges` counts the majority of a fixed list of judges, `ballot` people head to head, `result` says what follows.
They claim what the tables of `core` would claim after the same answers; what they ask is another thing: the first
ten places come first, as nobody answers about millions of pairs.
"""
