"""Ranking in one call: `rank` is `juryrank.rank`.

`session` is a ranking in memory with its log, `loop` lets judges answer its questions, `items` names things,
`display` shows progress.
"""
