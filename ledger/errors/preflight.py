"""The environment contract: its configuration, and which checks are asked for."""

from canon.refusal import Refusal


class ConfigSyntax(Refusal):
    """The configuration of a preflight is no JSON or TOML."""

    code = "E_PREFLIGHT_SYNTAX"
    remedy = "mend the file where the message says; it is TOML if its name ends with .toml"


class ConfigKey(Refusal):
    """The configuration of a preflight has a key that there is not."""

    code = "E_PREFLIGHT_KEY"
    remedy = "take one of the keys that the message lists; specs/preflight.md has them all"


class ConfigMissing(Refusal):
    """The configuration of a preflight lacks a key that it must have."""

    code = "E_PREFLIGHT_MISSING"
    remedy = "add the key to the file, or give it with --set"


class ConfigValue(Refusal):
    """A value in the configuration of a preflight is of another kind than its key takes."""

    code = "E_PREFLIGHT_VALUE"
    remedy = "give a value of that kind; seconds and ports are whole numbers"


class OverrideInvalid(Refusal):
    """A value set beside the configuration has no such key, or is of another kind; exit code 64."""

    code = "E_PREFLIGHT_SET"
    remedy = "give --set KEY=VALUE, such as --set build.java=/usr/bin/java"


class CheckUnknown(Refusal):
    """A preflight has no check of that name, or none is left to run; exit code 64."""

    code = "E_PREFLIGHT_CHECK"
    remedy = "see the names with `coldledger preflight list`"
