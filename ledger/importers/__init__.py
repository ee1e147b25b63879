"""Foreign files, read into events (``specs/importers.md``)."""

from .findings import Flagged, Problem
from .importer import Context, Importer, Reader, Reading, Record
from .intake import SourceReport, import_file
from .registry import formats, reader_of

__all__ = [
    "Context",
    "Flagged",
    "Importer",
    "Problem",
    "Reader",
    "Reading",
    "Record",
    "SourceReport",
    "formats",
    "import_file",
    "reader_of",
]
