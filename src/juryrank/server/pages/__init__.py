"""Pages for people: log-in, judges, dashboard."""
