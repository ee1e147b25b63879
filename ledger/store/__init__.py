"""The ledger file; only this package touches SQLite."""

from .batch import RECORDER, Batch, Entropy, Salted
from .file import Blob, Ledger, Within
from .passing import PassingLedger

__all__ = [
    "RECORDER",
    "Batch",
    "Blob",
    "Entropy",
    "Ledger",
    "PassingLedger",
    "Salted",
    "Within",
]
