"""The picture of a result: `picture` draws a `scene`, `svg` and `png` paint it."""
