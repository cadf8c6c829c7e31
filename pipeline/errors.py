"""What can go wrong, and with which exit code the command line says so.

SilverError            exit 1: the tool failed
└── InputError         exit 2: the user's input or configuration is wrong
    ├── ConfigError    a key of the configuration
    └── SettingsError  data on disk was made with other settings than the ones asked for
"""


class SilverError(Exception):
    """A failure that the user reads as one plain sentence."""

    exit_code = 1


class InputError(SilverError):
    """A file, line or option that the user gave is wrong."""

    exit_code = 2


class ConfigError(InputError):
    """A key of the configuration is unknown, missing or has a wrong value."""


class SettingsError(InputError):
    """An input was made with other settings, or another version, than this stage assumes."""
