"""A run in a ledger: taken in, found again, and compared with its directory (KEEP-1 to KEEP-15)."""
