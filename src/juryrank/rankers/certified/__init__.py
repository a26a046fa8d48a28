"""The certified ranker under the common contract: `ranker` is the class, `core` the algorithm.

`state` is what the parts share; `result`, `status` and `forecast` say how far it is; `examination` doubts judges
who never change an answer and asks `cross_questions`; `prover` is the proof on its own.
"""
