"""Many cells of many runs: `cells` says what one is, `sweep` plays them, `results` keeps them."""
