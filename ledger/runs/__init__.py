"""Cold-start runs: the run directory, what records it, and its events (``specs/runs.md``)."""
