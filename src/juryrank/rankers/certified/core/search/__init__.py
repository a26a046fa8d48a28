"""The search, which promises nothing: insert items, then repair the list.

`insert` and `gaps` place newcomers; `repair` asks where a move might still be right (`move_doubt`, `moves`,
`long_moves`, `opponents`); `pair_odds` says how sure one pair's order is.
"""
