"""The checker of the paper's five rankers: their questions and answers are played through the paper's pseudocode.

pseudocode   the paper's listings        replay   a log played through them        check   the entry
"""
