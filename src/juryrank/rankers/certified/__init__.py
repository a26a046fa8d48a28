"""The certified ranker under the common contract: `ranker` is the class, `core/certified` the algorithm.

`result`, `status`, `outlook` and `forecast` speak; `cross_examination` doubts judges who never change an answer;
`prover` is the proof on its own.
"""
