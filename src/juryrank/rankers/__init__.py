"""One file = one algorithm = one class; one line in the registry each."""

from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.registry import make_ranker, ranker_class, ranker_names

__all__ = ["Ranker", "make_ranker", "ranker_class", "ranker_names"]
