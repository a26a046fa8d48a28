"""Signed heads and receipts.

keys          the installation's key: where its file is, making it, changing it
heads         a log's head signed with the time, and the receipt that a judge keeps
past_heads    heads stated before, kept for anybody to fetch
"""
