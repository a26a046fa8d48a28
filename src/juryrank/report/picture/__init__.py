"""Drawing. `picture` (of a result), `rows`, `squares`, `histogram` and `time_curve` draw a `scene`; `svg` and `png`
paint it."""
