"""The ledger file; only this package touches SQLite."""

from .batch import Batch, Entropy, Salted
from .file import Blob, Ledger, Within

__all__ = ["Batch", "Blob", "Entropy", "Ledger", "Salted", "Within"]
