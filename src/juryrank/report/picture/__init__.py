"""Pictures and charts: `picture`, `rows`, `squares`, `time_curve` make a `scene`; `svg` and `png` paint it."""
