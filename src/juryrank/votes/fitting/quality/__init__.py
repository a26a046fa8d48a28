"""Are the votes and the judges any good: `checks` (what to know before believing scores), `judges` (one row per
judge), `reliability` (as schools and psychometricians measure it), `validation` (models on judges held back)."""
