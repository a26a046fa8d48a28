"""juryrank beside what a user would pick instead, on the same worlds and the same answers.

    python -m benchmarks.peers            CSV into benchmarks/results, figure into docs/images (about 5 minutes)

Every method gets the same answer to "judge u, pair i and j, asked for the k-th time". Two worlds of 30 items
and 18 judges, 12 weak and 6 strong: *steady*, where a judge is right equally often on every pair, and *gaps*,
where close items are harder (Bradley-Terry), which is what the rating methods assume.

The rating methods have no stopping rule. They are stopped by somebody who knows the truth, at the very moment
their order is right for the first time: nobody can stop them so early in practice.
"""
