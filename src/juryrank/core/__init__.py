"""What all families of rankers share: no clock, file, socket, thread or hidden randomness; numpy only."""
