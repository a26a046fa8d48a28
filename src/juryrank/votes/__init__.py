"""Vote files: read what others have, write what others read."""

from juryrank.votes.logs import RawLog, read_log, votes_of
from juryrank.votes.read import Reading, read_votes
from juryrank.votes.vote import COLUMNS, Outcome, Vote
from juryrank.votes.write import FORMATS, export_votes, write_votes

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Outcome",
    "RawLog",
    "Reading",
    "Vote",
    "export_votes",
    "read_log",
    "read_votes",
    "votes_of",
    "write_votes",
]
