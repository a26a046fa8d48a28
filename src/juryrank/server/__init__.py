"""A jury in the browser: judge pages, a live dashboard and a REST interface for studies that last.

access/      who may do what: credentials, cookies, log-in, rate limits, the audit trail
studies/     what can be done with a study: making it, judging, managing, downloads, open links, models
crowd/       people who come by a crowd platform, and what a study asks about the person
files/       uploaded items: decoded by a program of its own, kept, and served
languages/   the words that judges see, in their language
dashboard/   a study as its owner sees it, and news for listeners
web/         around every request: limits, headers, error pages, items as safe HTML
pages/, api/ HTML and JSON over the same functions
app, context everything put together, and what every request needs
"""
