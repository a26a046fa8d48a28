"""A study as its dashboard shows it: `overview` is made of `reading` (the log), `answer` (words), `tiles`,
`judge_rows` and their charts; `overview_cache` keeps it for a moment; `board` for a screen, `marks`;
`news` for listeners."""
