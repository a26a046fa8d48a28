"""`juryrank plan`."""
