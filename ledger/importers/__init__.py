"""Foreign files, read into events (``specs/importers.md``)."""

from .findings import Flagged, Problem
from .importer import Context, Importer, Reader, Reading, Record
from .intake import import_file
from .registry import formats, reader_of
from .report import AttemptChange, FieldChange, SourceReport

__all__ = [
    "AttemptChange",
    "Context",
    "FieldChange",
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
