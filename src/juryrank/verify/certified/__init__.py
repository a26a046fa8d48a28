"""The checker of the certified ranker: `check` is the entry."""
