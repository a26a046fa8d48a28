"""The search, which promises nothing: insert items, then repair the list.

`insert` and `gaps` place newcomers; `repair` asks where a move might still be right, which `moves` weighs.
"""
