"""A proof must not rest on a judge who merely repeats itself: the `examination`, and the `questions` it asks."""
