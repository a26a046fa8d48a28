"""How far scores may be off: `matrices`, `influence` (the pull of votes in groups on the scores), `sandwich`
(errors clustered by case and by judge), `sparse` (the same above 3,000 items), `named` (these judges, judges like
these), `ranks` (for all items at once)."""
