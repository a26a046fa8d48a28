"""A study as its dashboard shows it: `overview`, kept for a moment by `overview_cache`; `news` for listeners."""
