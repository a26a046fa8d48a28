"""The ranker `jury`: what the whole evaluation would say, for a small part of its calls. See rankers/jury/core.

`options` reads what it is given, `ranker` keeps the contract, `asking` turns drawn cells into questions and
back, `replaying` looks at recorded ones again, `state` writes it down, `result` and `wording` say what is known
and what it means, `status` what it is doing.
"""
