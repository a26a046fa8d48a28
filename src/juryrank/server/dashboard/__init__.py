"""A study as its dashboard shows it: `overview` is made of `tiles`, `charts`, `judge_rows` and `models`;
`overview_cache` keeps it for a moment; `news` for listeners."""
