"""The table of fields: who chooses a value, when, knowing what; the terms of questions, the options of studies."""
