"""Signed heads and receipts.

keys          the installation's key: where its file is, making it, changing it
heads         a log's head signed with the time, the receipt that a judge keeps, and heads stated before
"""
