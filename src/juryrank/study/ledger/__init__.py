"""What a study must know besides its ranker, folded from the same log.

ledger              open questions and deadlines, who answered what last, settings
as_json             the same for snapshots
leases              a question that is out: to whom, for how long
question_history    what the log holds about one question
"""
