"""People sent by a crowd platform, and what a study asks about the person.

platforms        presets: which parameters of the address are kept, where people go at the end, with which code
questionnaire    a few questions about the person: read from lines of text, answers checked
arrivals         how somebody with a platform's id joins, comes back, and what they get at the end
"""
