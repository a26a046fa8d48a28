"""Around every request: `guard`, error pages (`problems`), items as safe HTML (`render`), templates."""
