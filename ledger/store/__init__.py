"""The ledger file; only this package touches SQLite."""

from .batch import RECORDER, Batch, Entropy, Salted
from .file import Blob, Ledger, Within

__all__ = ["RECORDER", "Batch", "Blob", "Entropy", "Ledger", "Salted", "Within"]
