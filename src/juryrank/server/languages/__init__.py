"""The words that judges see, in their language.

speaking      which languages there are (`po/*.po`); the language of a request; `tr` and `ntr` say a message in it;
              what a judge is told when something goes wrong

The English is in the code. `scripts/messages.py` collects it into `po/messages.pot` and brings the other files
up to date; a test fails when they are not. Owners' pages are in English.
"""
