"""Replaybook releases, read into events (``specs/importers.md`` §5 and §6)."""

from .importer import ReplaybookImporter

__all__ = ["ReplaybookImporter"]
