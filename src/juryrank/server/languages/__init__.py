"""The words that judges see, in their language.

catalogues    which languages there are, and their messages, read from `po/*.po` when they are first needed
speaking      the language of the request that is being answered; `tr` and `ntr` say a message in it
words         `Told` errors, and what a judge is told when something else goes wrong

The English is in the code. `scripts/messages.py` collects it into `po/messages.pot` and brings the other files
up to date; a test fails when they are not. Owners' pages are in English.
"""
