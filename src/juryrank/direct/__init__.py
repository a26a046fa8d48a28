"""Ranking in one call: `juryrank.rank(items, judges)`."""

from juryrank.direct.catalogue import Catalogue
from juryrank.direct.door import finished, open_session, rank
from juryrank.direct.session import Session

__all__ = ["Catalogue", "Session", "finished", "open_session", "rank"]
