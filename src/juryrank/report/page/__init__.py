"""The report as one page: `compose` puts `sections` into a `document`, and writes it as HTML or Markdown."""
