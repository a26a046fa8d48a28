"""`juryrank demo`."""
