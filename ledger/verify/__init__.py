"""Verifying: a bundle against a trust root, a ledger file against itself."""
