"""Signed heads and receipts.

keys     the installation's key: where its file is, making it, changing it
heads    a log's head signed with the time, and the receipt that a judge keeps
"""
