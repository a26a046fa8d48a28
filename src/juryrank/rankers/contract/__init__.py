"""What every ranker shares: `ranker` is the base class, `algorithm` lists what a new one fills in.

`roster` knows items and judges, `open_questions` keeps answers in the order asked, `sides` and `snapshots`
write them down.
"""
