"""The paper's experiments: which cells, how they are drawn and tabled, and what should be seen in them."""
