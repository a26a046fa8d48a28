"""What is known about the people of a study, beside its log and erasable.

about           parameters of a crowd platform, consent, answers to the questionnaire; by the judge's pseudonym
                and how many came from one network address at once
times           what the log says about when each judge began, and how fast they answered
participants    one row per judge, as a table; and what is odd about their answers: shown, never acted upon
"""
