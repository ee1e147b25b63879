"""``demo``: what the program is for, told step by step on made-up data."""

import shutil
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.errors import UsageInvalid
from cli.text import emit, line, note, safe

from .stage import Stage, Unexpected, to_stdout, untouched_environment
from .story import tell

__all__ = ["demo"]
