"""Replaybook releases, read into events (``specs/importers.md``, IMPORT-17 to 38)."""

from .importer import ReplaybookImporter

__all__ = ["ReplaybookImporter"]
