"""The paper's rankers, one file each; `insertion` is what they share."""
