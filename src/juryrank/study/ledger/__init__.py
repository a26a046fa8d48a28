"""What a study must know besides its ranker, folded from the same log.

ledger              open questions and deadlines, who answered what last, settings
as_json             the same for snapshots
leases              an open question: whose it is, and for how long
question_history    what the log holds about one question
"""
