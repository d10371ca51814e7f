"""Packages that are called as the function that they are named after: `oracle.odds(…)`, `oracle.compare(…)`.

Importing a submodule binds its package in `oracle`, whatever stood there under that name. The package therefore has to
be what is called; `oracle.odds.counts` stays what it is.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package whose call is that of a function in one of its modules, which is imported by the first call."""

    _home: str
    _name: str

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return getattr(import_module(self._home), self._name)(*args, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature of the function."""
        return inspect.signature(getattr(import_module(self._home), self._name))


def make_callable(package: str, home: str) -> None:
    """Let calls of `package` be those of the function in the module `home` that is named as the package is."""
    module = sys.modules[package]
    module.__class__ = CallablePackage
    vars(module).update(_home=home, _name=package.rpartition(".")[2])
