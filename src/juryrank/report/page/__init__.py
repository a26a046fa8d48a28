"""The report as one page.

`compose` puts sections (`order`, `judges`, `answers`) into a `document`,
and writes it as HTML or Markdown.
"""
