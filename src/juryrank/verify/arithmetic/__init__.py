"""The arithmetic of the checker: formulas of evidence, levels, and rounding against every claim."""
