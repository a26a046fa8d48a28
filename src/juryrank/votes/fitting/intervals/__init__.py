"""How far scores may be off: `matrices`, `influence` (each judge's pull on the scores),
`sandwich` (errors clustered by judge), `sparse` (the same above 3,000 items), `ranks` (for all items at once)."""
