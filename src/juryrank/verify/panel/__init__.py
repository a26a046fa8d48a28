"""The checker of the panel ranker: `check` is the entry."""
