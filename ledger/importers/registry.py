"""The formats that this version reads; a new one is a line here and a package beside it."""

from canon.excerpt import excerpt
from ledger.errors import (
    FormatName,
    FormatUnknown,
    ImporterUnknown,
    JsonDepth,
    JsonDuplicateKey,
    JsonSyntax,
    JsonTruncated,
    SourceUnreadable,
)

from .importer import Importer, Reader
from .replaybook import ReplaybookImporter
from .source_file import Probe

IMPORTERS: tuple[Importer, ...] = (ReplaybookImporter(),)

# Any of these says more about a file than that no importer wants it.
_TELLING = (JsonDepth, JsonDuplicateKey, JsonSyntax, JsonTruncated, SourceUnreadable)


def formats() -> list[str]:
    """Return the names of the formats, sorted."""
    return sorted(importer.format for importer in IMPORTERS)


def reader_of(name: str) -> Reader:
    """Return the reader that a ``source.imported/1`` names, of that very version.

    Raises:
        ImporterUnknown: This version does not have it.
    """
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    known = ", ".join(sorted(importer.name for importer in IMPORTERS))
    raise ImporterUnknown("importer", excerpt(name), known)


def choose(probe: Probe, format_name: str | None) -> Importer:
    """Return the importer for a file: by name if one is given, else by the file's content.

    Args:
        probe: The file.
        format_name: A format's name, with or without its version.

    Raises:
        FormatName: There is no such format.
        FormatUnknown: No importer recognises the file.
        JsonSyntax, JsonTruncated, JsonDepth, JsonDuplicateKey: It is not even JSON.
    """
    if format_name is not None:
        for importer in IMPORTERS:
            if format_name in (importer.format, importer.format.partition("/")[0]):
                return importer
        raise FormatName("--format", excerpt(format_name), " or ".join(formats()))
    for importer in IMPORTERS:
        if importer.sniff(probe):
            return importer
    if isinstance(probe.fault, _TELLING):
        raise probe.fault
    keys = ", ".join(excerpt(key) for key in list(probe.top_keys())[:5])
    got = f"JSON with {keys or 'no keys at its top'}"
    raise FormatUnknown(probe.place, got, " or ".join(formats()))
