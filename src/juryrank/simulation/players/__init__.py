"""How a run is played: by whole duels (`by_law`), by answers (`by_answer`), or through the live contract."""
