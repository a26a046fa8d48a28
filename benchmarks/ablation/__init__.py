"""What each heuristic of the certified ranker saves, on worlds that its constants were not chosen on."""
