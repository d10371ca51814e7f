"""Options that several subcommands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from oracle.rules.library import Library, display_path

Function = TypeVar("Function", bound=Callable[..., Any])


def specs_option(function: Function) -> Function:
    """`--specs DIR`, any number of times."""
    return click.option(
        "--specs",
        "folders",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="A folder of your own specs; the same id replaces a shipped one.",
    )(function)


def solvers_option(function: Function) -> Function:
    """`--solvers NAMES`."""
    return click.option(
        "--solvers",
        default="auto",
        show_default=True,
        metavar="NAMES",
        help="auto, none, z3, or z3,cvc5: what must agree.",
    )(function)


def open_library(folders: tuple[Path, ...], *, claims: bool = False) -> Library:
    """The shipped specs and the user's folders, with a note on stderr for each of these that holds none.

    Only `check` asks for the claims of documents.
    """
    library = Library(folders, claims=claims)
    for folder in folders:
        if not library.files(folder):
            click.echo(f"note: {display_path(folder)} holds no .yaml files", err=True)
    return library


DISAGREEMENTS = Path("disagreements")


def save_doubtful(scripts: Mapping[str, str]) -> None:
    """Keep scripts that engines didn't confirm in a folder below the current one, and say so on stderr."""
    if not scripts:
        return
    from oracle.files import write_files

    for path in write_files(DISAGREEMENTS, dict(scripts)):
        click.echo(f"not confirmed by every engine: the script is in {path}", err=True)


def tell_replaced(library: Library) -> None:
    """Say on stderr which shipped specs a user's folder replaced."""
    for note in library.replaced:
        click.echo(f"note: {note}", err=True)
