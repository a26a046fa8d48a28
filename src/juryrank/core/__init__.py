"""The algorithms' moving parts: no clock, file, socket, thread or hidden randomness; numpy only."""
