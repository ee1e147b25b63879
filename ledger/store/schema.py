"""The tables of a ledger file (``specs/store.md``).

The chain is the proof; the triggers are a guard rail against slips, not against an owner of the
file. Everything but ``events``, ``blobs`` and ``documents`` can be dropped and made again.
"""

APPLICATION_ID = 0x434C4447  # "CLDG"
VERSION = 1
PAGE_BYTES = 16_384
ATTEMPTS = "attempts"
"""Name of the one table that may be missing: a projection, as of a size."""

TABLES = """
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  entry BLOB NOT NULL
) STRICT;

CREATE TABLE blobs (
  seq INTEGER NOT NULL,
  slot TEXT NOT NULL,
  salt BLOB NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (seq, slot)
) STRICT;

CREATE TABLE documents (
  digest BLOB PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE identities (
  key TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE head (
  id INTEGER PRIMARY KEY CHECK (id = 0),
  origin TEXT NOT NULL,
  size INTEGER NOT NULL,
  leaf BLOB NOT NULL,
  frontier BLOB NOT NULL
) STRICT;

CREATE TABLE views (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  size INTEGER NOT NULL
) STRICT;
"""

# `INSERT OR REPLACE` fires no delete trigger unless recursive_triggers is on, so the insert
# trigger must refuse a number that is taken.
TRIGGERS = """
CREATE TRIGGER events_are_appended BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), -1) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are appended in order'); END;

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

CREATE TRIGGER blobs_are_not_changed BEFORE UPDATE ON blobs
BEGIN SELECT RAISE(ABORT, 'blobs are never changed'); END;

CREATE TRIGGER documents_are_not_changed BEFORE UPDATE ON documents
BEGIN SELECT RAISE(ABORT, 'documents are never changed'); END;

CREATE TRIGGER documents_are_not_deleted BEFORE DELETE ON documents
BEGIN SELECT RAISE(ABORT, 'documents are never deleted'); END;
"""
