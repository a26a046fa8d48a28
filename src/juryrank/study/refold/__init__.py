"""What another ranker, or another error, would have made of a study's answers. Always post-hoc."""
