"""Answer-to-next-question under load, beside a bare endpoint that does one fsynced insert under the same arrivals.

    python -m benchmarks.serve                              SQLite, one process
    python -m benchmarks.serve --workers 2                  PostgreSQL, two processes (a server is started here)
    python -m benchmarks.serve --listeners 100              and listeners on the events stream, off and on
    python -m benchmarks.serve --open 500 --minutes 10 --runs 3      a crowd on one open link; the median counts

Loopback only. 200 simulated judges think for 2 to 5 seconds and answer for --seconds; the log is then checked
against what the clients were told: nothing lost, nothing doubled, no 5xx.
"""
