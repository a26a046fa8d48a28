"""The paper's rankers: by insertion with all judges, by choosing one judge first, and the oracle's."""
