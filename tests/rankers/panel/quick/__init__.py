"""A panel played in compiled code, for runs by the hundred thousand; equal to the real one, run by run.

`test_quick.py` plays both from the same Script (`scripted.py`) and compares every plan, tally and claim.

    room        what a run knows: rules, people, sittings, counts, the attempt of `order`
    guide       Bradley-Terry strengths
    standing    what follows from settled pairs: lines, circles, is it done, is anything shown false
    plans       which questions an arriving person gets
    attempts    the objective `order`: a list is fixed, then its links are proven
    counting    a whole sitting is counted
    player      people come, answer and leave
"""
