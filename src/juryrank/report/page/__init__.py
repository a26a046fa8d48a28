"""The report as one page.

`compose` puts sections (`order`, `cases`, `judges`, `answers`) into a `document`,
and writes it as HTML or Markdown.
"""
