"""The report as one page: `compose` puts `sections` into a `document`, `html` and `markdown` write it."""
