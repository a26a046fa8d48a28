"""A jury in the browser: judge pages, a live dashboard and a REST interface on top of lasting studies.

keys, cookies, limits, guard    secrets, log-in, rate limits, response headers
vault                           credentials and settings in the study storage
setup, render                   what judges are shown, and how an item becomes safe HTML
desk, judging, live             studies in use; a judge's next question; news for listeners
pages/, api/                    HTML and JSON over the same functions
app                             everything put together
"""
