"""A forger: honest certificates, altered in every way a forger could think of, each with a chain that fits again.

documents    honest certificates to start from; a stream with a new ranker registers its own here
result       alterations of the result: none may pass
log          alterations of the log: whatever passes, the ranker itself must agree with
fields       values at the edge of what the table of fields allows, labels chosen late, files out of proportion
leaves       places in a JSON value
oracle       does a mutant pass, and may it?
adversarial  logs made up from extremes of every field, and a count in fractions

@document("jury, three cases")
def jury(): return ...a certificate as plain values...
"""
