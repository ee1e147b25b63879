"""The version of this software, which a manifest names as the publisher's claim."""

__version__ = "0.1.0"
