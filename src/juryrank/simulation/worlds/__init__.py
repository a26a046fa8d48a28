"""Worlds: who judges, and how often they are right about which pair: `kinds` of them, `people`, `recorded`."""
