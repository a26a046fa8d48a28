"""Every number that you may want otherwise: limits, sizes, deadlines, lifetimes, shares; the server's, too.

Defaults of a ranker's own options stand in `options.py`.
"""

from __future__ import annotations

from typing import Final

# ---------------------------------------- where rankings are kept
SQLITE: Final = "sqlite:///"  # before the path of a file
DEFAULT_STORAGE: Final = f"{SQLITE}juryrank.db"
DEMO_STORAGE: Final = f"{SQLITE}juryrank-demo.db"  # of `serve --demo`

# ---------------------------------------- levels, shares and intervals
DEFAULT_ERROR: Final = 0.05  # δ: the accepted chance that what is promised is wrong
FALSE_ALARM: Final = (
    0.01  # share of reports in which any warning may speak although all is well: one-sided answers, ...
)
ESTIMATE_LEVEL: Final = 0.9  # how often the intervals of estimates hold
ESTIMATE_ITEMS: Final = 1000  # with more, each score is estimated by itself: their covariance takes too long
ESTIMATE_TOP: Final = 3  # `top` is about the first three, where no other number was asked for
FIT_LEVEL: Final = 0.95  # how often the intervals of `fit` hold
MANY_REFUSALS: Final = 0.05  # a share of a judge's questions refused, above which a result says so
MANY_FAILURES: Final = 0.05  # a share of a model's questions without an answer, above which a result says so
FEW_CELLS: Final = 20  # answers of a pair in a whole evaluation, below which it says little beyond itself
CASES_SHOWN: Final = 10  # of a claim in a result: where the answers speak most against it
DIFFERENT_CASES: Final = 5  # of a pair in a report: where two systems differ most
SHARE_ANSWERS: Final = 5  # from which a pair's share has an interval
BATCH_SHARE: Final = 0.5  # what a batch costs, of the price of single calls

# ---------------------------------------- people: questions, leases, sittings
DEFAULT_LEASE: Final = 600.0  # seconds to answer one question
DEFAULT_SITTING: Final = 10  # questions per person
DEFAULT_SITTING_LEASE: Final = 3600.0  # seconds for a whole sitting, counted from its first question
SITTING_IDLE: Final = 15 * 60.0  # a sitting ends so long after its last answer: nobody waits for who went away
FAST_SECONDS: Final = 1.0  # a median answer below is "too fast": nobody reads two items in less
CHECKS_SHARE: Final = 0.5  # of the attention checks passed, below which somebody has the mark "checks failed"
FAST_FEWEST: Final = 8  # choices of a person below which nothing is said about time
MOST_COMMENT: Final = 1000  # characters of what a person writes about an answer
PEOPLE_AHEAD: Final = 20  # how many more people a result looks ahead
TOO_CLOSE: Final = 500  # more people than this for a pair: say "too close"
BURST_MINUTES: Final = 10  # a burst: people of one address who began within so many minutes
BURST_FEWEST: Final = 5  # fewer at one address are a family
BURST_SHARE: Final = 0.1  # a smaller part of all who came decides nothing

# ---------------------------------------- judges: programs, failures, gold pairs
OPEN_AT_ONCE: Final = 8  # questions open at once (`concurrency`), of programs that can wait and of one model
PROGRAM_SECONDS: Final = 60.0  # for one answer of a program
PROGRAM_PAUSE: Final = 20.0  # seconds between two tries, at most
RUN_RETRIES: Final = 3  # of a call that failed, in `study run`
CASE_TRIES: Final = 3  # of one question on cases; then it has failed
LOOK_BACK, TOO_MANY = 20, 8  # a judge is set aside at 8 failures more than answers among its last 20 questions
GOLD_AT_START: Final = 12  # gold pairs for each judge before anything that counts: one right of twelve refutes it
GOLD_EVERY: Final = 10  # then one for so many answers: a tenth more money; a change is seen within hundreds

# ---------------------------------------- language models: time, retries, sizes
MODEL_SECONDS: Final = 60.0  # for one call
MODEL_RETRIES: Final = 6  # calls for one question that fail before it is given up
MODEL_TOKENS: Final = 400  # of one answer, at most
MODEL_PAUSES = (0.5, 60.0)  # seconds between two tries: the first, and at most
FIRST_TRIES: Final = 2  # before a judge's first answer, where nothing answers: refused connections, time-outs
MORE_TRIES: Final = (
    8  # beyond `retries`, where the endpoint is up: with a quarter of tries lost, 1 call in 260,000 is
)
DOWN_AFTER: Final = 20  # tries in a row, of whatever call, that came to nothing: the endpoint is down
REACHED_SECONDS: Final = 5.0  # to get a connection
LONGEST_REST: Final = 600.0  # seconds that an endpoint may ask to be left alone; beyond that the judge fails
WORD_AFTER: Final = 3.0  # seconds without a first answer until a line says whom we wait for
KEY_SECONDS: Final = 300.0  # until a key is fetched again
ANSWER_BYTES: Final = 2_000_000  # of an answer's body
PICTURE_BYTES: Final = 5_000_000  # of one picture shown to a model: the stricter of the two wire formats
PROBE_PAIRS, PROBE_DRAWS = 8, 8  # of `judges probe`: pairs asked on both sides; draws of one pair
PROBE_LEAN: Final = 0.25  # a share of first answers beyond one half by more than this is said
MOST_OPINIONS: Final = 500  # of a model beside people, in one run, unless the run's budget says otherwise
BATCH_OPEN: Final = 64  # questions of a model that go out together as one batch
BATCH_TRIES: Final = 3  # batches without an answer until a question has failed
BATCH_QUIET: Final = 0.5  # seconds without another question until a batch is sent
BATCH_SECONDS: Final = 120.0  # for one request about a batch: a file may be large
BATCH_PATIENCE: Final = 3600.0  # seconds for which an endpoint may be away while a batch is out

# ---------------------------------------- rankers: budgets, items, newcomers
DEFAULT_BUDGET_PER_ITEM: Final = 100_000  # questions; where judges answer at chance, no rule would ever stop
MOST_ITEMS = 10_000  # of one ranking: tried to here; of many, no table of all pairs is kept
SYSTEMS_AT_ONCE: Final = 8  # that one call puts in order; the checker has the same limit of its own
MOST_CASES: Final = 1_000_000  # of one evaluation
CASE_CHARACTERS: Final = 64_000_000  # of inputs and outputs: they stand in the study's first event
DEFAULT_PATIENCE: Final = 20_000  # evenly split answers after which `certified` gives a pair up
NEWCOMERS: Final = 512  # items that `certified` inserts at once, at most
NEWCOMERS_BREADTH: Final = 10_000  # the same, breadth first: each takes 2.3 kB
NEXT_QUESTIONS: Final = 100  # that a forecast is about, unless told otherwise
GUESS_PER_ITEM: Final = 30  # questions at most, without a budget: by then another ranker could have proven it
GUESS_ITEMS: Final = 500  # with more, `guess` looks at one item after the other instead of all pairs
TABLES_UP_TO: Final = 300  # items: up to here a panel keeps tables of all pairs, and chooses among all of them
SEVERAL_UP_TO: Final = 1000  # where judges are counted: with tables nobody waits for another's answers
FRONT_PLACES: Final = 10  # that a panel without tables settles first, where no other number was asked for
FIELD_SHARE_ITEMS: Final = 2000  # whose evidence is six numbers for every two of them: 200 MB

# ---------------------------------------- plans, simulations and fits
BUDGET_PLAYS, LEAST_BUDGET_PLAYS = 20, 4  # that say whether a budget is too short for a proof
PLAN_RUNS: Final = 20  # simulated runs behind a line of `plan`: the fewest of which one in ten can be told
PLAN_GAP: Final = 0.35  # between neighbours of made-up systems, in log odds
PLAN_ITEMS: Final = 200  # that people are simulated with: beyond this it takes minutes
TYPICAL_MAJORITY: Final = 0.75  # of 23 real tasks, half a panel's pairs are about this clear or clearer
SIMULATED_RUNS: Final = 100  # of `simulate` and of a cell of `reproduce`
FIT_JUDGES: Final = 5  # with fewer, nobody can learn how judges differ: `auto` is plain Bradley-Terry
SPLITS: Final = 20  # random halves of the judges, for the reliability of a fit
FOLDS: Final = 5  # parts of which one is held back, in `fit --compare`
RELIABILITY_VOTES: Final = 50_000  # up to which `fit` measures reliability without being asked for

# ---------------------------------------- storage: patience, snapshots, heads
DATABASE_PATIENCE: Final = 30.0  # seconds for which a broken connection to the database is tried again
LOCK_PATIENCE: Final = 5.0  # seconds for which `rank` waits for a database that another program keeps locked
BUSY_SECONDS: Final = 60  # how long a writer waits while somebody else keeps the storage locked
LOCK_SECONDS: Final = 20  # PostgreSQL: how long a turn waits for its study's lock: each wait holds a connection
SNAPSHOT_EVENTS: Final = 500  # at least so many lie between two snapshots of a study
HEAD_SECONDS: Final = 600.0  # between two heads kept while a study is in use

# ---------------------------------------- sizes of files, and of a terminal
FILE_MB, UPLOAD_MB, STUDY_MB = 20, 2_000, 500  # megabytes of an uploaded file, an upload, a study's stored files
ARCHIVE_FILE_BYTES: Final = 200_000_000  # of a file in a study's ZIP: more than any server takes for one
ARCHIVE_LOG_BYTES: Final = 2_000_000_000  # of the log in it
CERTIFICATE_BYTES: Final = 2**31  # a certificate of ten million questions has less
UNPACKED_BYTES: Final = 1 << 28  # of one part of a ZIP file of votes
GZIP_BYTES: Final = 1 << 30  # of votes that were packed with gzip
TABLE_CELLS: Final = 1 << 27  # of a table of votes, in columns that are kept: half a gigabyte
WIDTH: Final = 80  # columns of a terminal, unless it says otherwise
FIT_ROWS: Final = 60  # items in the table of `fit`; --out has them all
PROGRESS_SECONDS: Final = 2.0  # between two lines of progress in a log or a pipe
SIDE_BY_SIDE: Final = 72  # columns of a terminal from which two texts stand side by side

# ---------------------------------------- the server: lifetimes of log-ins, links and secrets
LOGIN_SECONDS: Final = 14 * 86_400.0  # how long a log-in lasts, and a browser's cookie
START_DAYS: Final = 30  # how long the admin link works that is printed at the start
INVITED_DAYS: Final = 30  # how long an invitation waits
MOST_DAYS: Final = 3650  # that a link or a token may be made for
SHOWN_SECONDS: Final = 15 * 60  # for which a new secret is shown again when its page is reloaded

# ---------------------------------------- the server: passwords, guesses and visitors
LEAST_PASSWORD: Final = 10  # characters
PASSWORDS_AT_ONCE: Final = 2  # that are checked at the same time; the others wait without occupying a thread
WRONG_PER_MINUTE: Final = 20.0  # wrong passwords, links or tokens from one address
FEWEST_WRONG: Final = 3.0  # wrong secrets per minute that a worker lets pass: people mistype
ONE_NETWORK: Final = 64  # bits of an IPv6 address: whoever has one has all that begin like it
PER_ADDRESS: Final = 60  # people of one address who may begin at an open link within an hour: two school classes
MOST_BUCKETS: Final = 20_000  # addresses remembered; the longest unused are forgotten first

# ---------------------------------------- the server: connections and requests: deadlines
HOST, PORT = "127.0.0.1", 8000  # where the server listens, unless told otherwise
BODY_BYTES: Final = 1_000_000  # the largest request other than an upload
LIST_BYTES: Final = 10_000_000  # the largest list of items
JUDGE_PER_SECOND, JUDGE_BURST = 5.0, 30.0  # requests of one judge
ADDRESS_PER_SECOND, ADDRESS_BURST = 200.0, 600.0  # requests of one address: a whole class behind one router
HEADER_SECONDS: Final = 10.0  # for a request's headers
BODY_SECONDS: Final = 30.0  # between two parts of its body
KEEP_ALIVE: Final = 75  # seconds a quiet connection stays open: judges think
BACKLOG: Final = 2048  # connections that wait to be taken
THREADS: Final = 40  # requests in work at once; more wait their turn
WRITE_SECONDS: Final = 5.0  # between two trial writes of the health check: monitors may ask as often as they like
REQUEST_CASES: Final = 20_000  # that one request may bring

# ---------------------------------------- the server: dashboards and news: how old, how often
PAGE_ROWS: Final = 1_000  # rows of a table on an owner's page; of more items a page says how many there are
DASHBOARD_SECONDS: Final = 1.0  # a dashboard may be so old (the age of its cache)
DASHBOARD_REST: Final = 8  # after t seconds of reading nothing is read for 8 t: a ninth of a core
LOOK_SECONDS: Final = 0.5  # how often a watcher looks for new events
HEARTBEAT_SECONDS: Final = 10.0  # keeps proxies from closing a quiet stream
SETUP_SECONDS: Final = 1.0  # another worker's edit of a wording is seen after at most this long
FORECAST_SECONDS: Final = 5.0  # for the advice on a form: on a busy machine a simulation takes half a minute
MOST_SIMULATED: Final = 1500  # people times items that are simulated while somebody waits: about three seconds

# ---------------------------------------- the server: studies: what may be asked of people
MOST_QUESTIONS: Final = 500  # per person
BEYOND: Final = 50  # further questions for people who go on, or whose own work is passed over
MOST_MINUTES: Final = 7 * 24 * 60  # of a sitting
MOST_JUDGES: Final = 5_000  # named in one go
MOST_HELD: Final = 3  # questions a judge may have open so that the same pair does not come twice in a row
LONGEST_ANSWER: Final = 24 * 3600.0  # a response time above this is a forgotten tab, not a measurement
MOST_CHECKS: Final = 50  # attention checks
CHECK_EVERY: Final = 7  # answers between two of them
MOST_ABOUT_PERSON: Final = 20  # questions about the person
PROBED: Final = 4  # questions of a model's probe, and draws of one of them
STUDY_NAME_CHARACTERS: Final = 200  # of a study's name
WORDING_CHARACTERS: Final = 5_000  # of a wording or a first page
ITEM_CHARACTERS: Final = 50_000  # of one item
WORDS_PER_MINUTE: Final = 230  # silent reading; people differ by a third
RETENTION_SECONDS: Final = 3600.0  # between two looks for people whose day of deletion has come

# ---------------------------------------- the server: uploaded files: pictures, PDF pages, DOCX
MEGABYTE: Final = 1_000_000  # bytes
MOST_PIXELS: Final = 60_000_000  # a picture with more is no photograph of today's phones; decoded it takes 240 MB
PICTURE_SIDE: Final = 1_600  # pixels of the longer side: fills a large screen's half at twice its density
THUMB_SIDE: Final = 128  # pixels of a small picture in lists
PDF_PAGES: Final = 40  # at most
PAGE_WIDTH: Final = 1_240  # pixels of a page: A4 at 150 dots per inch
PAGE_PIXELS: Final = 6_000_000  # of a page, at most
PDF_CHARACTERS: Final = 20_000  # that are kept for people who do not see its pictures
DOCX_BYTES: Final = 100_000_000  # unpacked
FILES_PER_REQUEST: Final = 20.0  # pages of documents that a judge's browser loads for each other request
UPLOAD_SECONDS: Final = 24 * 3600.0  # for which an upload waits for its study
WORKER_MEMORY: Final = 1_200_000_000  # bytes: a decoded 60-megapixel picture and the libraries fit
WORKER_SECONDS: Final = 30  # of computing
WORKER_PATIENCE: Final = 90  # of waiting: a busy machine gets around to it
WORKER_WRITTEN: Final = 100_000_000  # bytes of one file that it writes
DECODERS: Final = 2  # at work, however many uploads come in
