"""What is to be proven, if not the whole order: the best item, or the set of the k best.

`links` says which pairs a fixed list rests on: neighbours for the order, a star around the k-th item for a set.
`star` is the search for such a set, `eliminate` the best item by elimination, where the search's answers count.
"""
