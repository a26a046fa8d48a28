"""Other programs' files: one module per format, each recognised by what is inside. `registry` finds the right one.

alpaca_eval, arena_hard (and MT-Bench)    outputs and votes
lm_eval, promptfoo, inspect_log           outputs
lmarena, label_studio, argilla            votes
devpost                                   items
`shape` is what a format must fill in; a new one is a module here and a line in the registry.
"""
