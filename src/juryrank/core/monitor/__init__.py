"""Do the answers look as the promise assumes? `watches` speak; `tallies` remember; `repeats` finds judges who
merely repeat themselves.
"""
