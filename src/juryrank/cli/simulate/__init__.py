"""`juryrank simulate`."""
