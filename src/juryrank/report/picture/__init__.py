"""Pictures and charts: `picture`, `rows`, `squares`, `histogram`, `time_curve` make a `scene`; `svg` paints it."""
