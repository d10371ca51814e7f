"""The version of the distribution, read by the build and at run time alike."""

__version__ = "0.1.0"
