"""The numbers that you may want otherwise: defaults, limits, deadlines, lifetimes, levels, runs, widths."""

from __future__ import annotations

from typing import Final

SQLITE: Final = "sqlite:///"  # before the path of a file
DEFAULT_STORAGE: Final = f"{SQLITE}juryrank.db"
DEMO_STORAGE: Final = f"{SQLITE}juryrank-demo.db"  # of `serve --demo`
DEFAULT_LEASE: Final = 600.0  # seconds to answer one question
DEFAULT_SITTING: Final = 10  # questions per person
DEFAULT_SITTING_LEASE: Final = 3600.0  # seconds for a whole sitting, counted from its first question
SITTING_IDLE: Final = 15 * 60.0  # a sitting ends so long after its last answer: nobody waits for who went away
FAST_SECONDS: Final = 1.0  # a median answer below is "too fast": nobody reads two items in less
MOST_COMMENT: Final = 1000  # characters of what a person writes about an answer
WIDTH: Final = 80  # columns of a terminal, unless it says otherwise
DATABASE_PATIENCE: Final = 30.0  # seconds for which a broken connection to the database is tried again
LOCK_PATIENCE: Final = 5.0  # seconds for which `rank` waits for a database that another program keeps locked
PLAN_RUNS: Final = 20  # simulated runs behind a line of `plan`: the fewest of which one in ten can be told
FIT_LEVEL: Final = 0.95  # how often the intervals of `fit` hold
MODEL_SECONDS: Final = 60.0  # for one call of a language model
MODEL_RETRIES: Final = 6  # calls for one question that fail before it is given up
MANY_FAILURES: Final = 0.05  # a share of a model's questions without an answer, above which a result says so
LOOK_BACK, TOO_MANY = 20, 8  # a judge is set aside at 8 failures more than answers among its last 20 questions
MOST_OPINIONS: Final = 500  # of a model beside people, in one run, unless the run's budget says otherwise
BATCH_OPEN: Final = 64  # questions of a model that go out together as one batch
BATCH_SHARE: Final = 0.5  # what a batch costs, of the price of single calls
BATCH_TRIES: Final = 3  # batches without an answer until a question has failed
FILE_MB, UPLOAD_MB, STUDY_MB = 20, 2_000, 500  # megabytes of an uploaded file, an upload, a study's stored files
MOST_ITEMS = 10_000  # of one ranking: tried to here; of many, no table of all pairs is kept
