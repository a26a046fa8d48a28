"""Drawing: `picture`, `rows`, `squares`, `histogram` and `time_curve` make a `scene`; `svg` and `png` paint it."""
