"""A run to record in."""

from pathlib import Path

import pytest
from run_made import opened, put, recorder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run that was just opened, with a call in it."""
    run = opened(tmp_path / "run")
    with recorder(run) as recording:
        recording.call("c1", "t", {})
        recording.result("c1", "ok")
    put(run / "answer.json", {"carts": []})
    return run
