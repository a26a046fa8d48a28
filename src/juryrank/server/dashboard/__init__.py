"""A study as its dashboard shows it: `overview` is made of `reading` (the log), `answer` (words), `tiles`,
`charts`, `judge_rows` and `contested`; `overview_cache` keeps it for a moment; `board` for a screen, `marks`;
`news` for listeners."""
