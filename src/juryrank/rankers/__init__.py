"""One algorithm = one class = one line in the registry."""

from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.registry import make_ranker, ranker_class, ranker_names

__all__ = ["Ranker", "make_ranker", "ranker_class", "ranker_names"]
