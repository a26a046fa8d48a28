"""Re-checking a certificate from its raw events, sharing nothing with the rankers but the evidence formulas."""
