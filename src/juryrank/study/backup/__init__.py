"""A study as one file, to keep or to move: its log, and the files that its items show (`archive`)."""
