"""Benchmarks: this ledger against raw SQLite, and against peers, in one run (``make bench``).

What is measured, and how, is in ``specs/performance.md``.
"""
