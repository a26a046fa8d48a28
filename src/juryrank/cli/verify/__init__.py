"""`juryrank verify`."""
