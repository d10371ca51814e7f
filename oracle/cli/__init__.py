"""The command line. Each subcommand is a module of its own, imported when it is called."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any, NoReturn

import click

from oracle._version import __version__
from oracle.spans import OracleError, SpecError, Undecided

_EPILOG = """
\b
Examples:
  baccarat-oracle check
  baccarat-oracle play --rules home-pt 4H 2S 9C AD 8D --bet banker=20

\b
Exit codes:
  0  everything holds
  1  an error is open, or files differ
  2  bad input or use
  3  something was left open: unknown, skipped, undecided or disagreeing
"""

_COMMANDS = {
    "check": "prove where documents are incomplete or inconsistent",
    "compare": "compare rule sets, question by question",
    "play": "play one coup, with the reason for every decision",
    "odds": "count who wins how often, and what each bet costs",
    "session": "replay a script of coups, and print the score sheet",
    "fixtures": "cases with the answers of the rules: write, check or export them",
    "new": "write a spec to fill in, with every sentence of a document",
    "adapter": "print an adapter for your program, to fill in",
    "test": "run your program against a rule set",
    "diff": "compare two runs: what regressed, what was fixed",
    "evidence": "check what `test --evidence` wrote",
    "serve": "be an implementation: answer the adapter protocol",
    "report": "write everything under reports/, or compare it",
    "rules": "list the rule sets",
    "schema": "print the JSON Schema of specs, or of the protocol",
}


def _discard_output() -> None:
    """Let what is still in the buffer of stdout go nowhere, so that ending the process doesn't fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reader_left() -> int:
    """The exit code of a process whose reader went away, as `head` does."""
    _discard_output()
    return 128 + 13


def _tell(message: str) -> None:
    """A message on stderr: each paragraph one line for programs, wrapped for people."""
    if sys.stderr is not None and sys.stderr.isatty():
        from oracle.report.words.layout import WIDTH, wrap

        lines = message.split("\n")
        indents = [" " * (len(line) - len(line.lstrip(" "))) for line in lines]
        pairs = zip(lines, indents, strict=True)
        message = "\n".join(
            wrap(line.lstrip(" "), first=indent, rest=f"{indent}  ") if len(line) > WIDTH else line
            for line, indent in pairs
        )
    click.echo(message, err=True)


class _Commands(click.Group):
    """A group that imports a subcommand only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's)
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"oracle.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # before click makes an exit code of its own of it
            raise click.exceptions.Exit(_reader_left()) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from oracle.text import did_you_mean, quoted

            raise click.UsageError(f"no command {quoted(args[0])}: {did_you_mean(args[0], _COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog=_EPILOG,
)
@click.version_option(__version__, prog_name="baccarat-oracle", message="%(prog)s %(version)s")
@click.option("--quiet", is_flag=True, help="Show no progress on the standard error.")
def baccarat_oracle(*, quiet: bool) -> None:
    """A verification harness and reference oracle for baccarat (punto banco)."""


def main(args: list[str] | None = None) -> None:
    """Run the command line; ends the process with the exit code."""
    _end_by_signals()
    sys.exit(run(args))


def _end_by_signals() -> None:
    """Being told to end is an end as by an interrupt: what was started is ended, what is temporary goes.

    A signal that is ignored, as by nohup, still is.
    """
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]

    def end(number: int, frame: object) -> NoReturn:  # noqa: ARG001 (the signature of a handler)
        for other in numbers:  # once is enough
            signal.signal(other, signal.SIG_IGN)
        sys.exit(128 + number)

    for number in numbers:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")


def run(args: list[str] | None = None) -> int:
    """Run the command line; the exit code. User errors print one message, others a traceback."""
    if sys.stdout is None:
        click.echo("error: the standard output is closed: there is nowhere to print", err=True)
        return 2
    try:
        result: Any = baccarat_oracle.main(args=args, prog_name="baccarat-oracle", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        return _reader_left()
    except Undecided as error:
        _tell(f"error[undecided]: {error}")
        return 3
    except OracleError as error:
        message = str(error)
        if isinstance(error, SpecError):  # with excerpts, which stay as they are
            click.echo(message, err=True)
        else:
            _tell(message if ": error[" in message else f"error: {message}")
        return 2
    except OSError as error:
        _discard_output()
        click.echo(f"error: {error.filename or 'the output'}: {error.strerror}", err=True)
        return 3
    except Exception:  # noqa: BLE001 (whatever it is, it is told and ends in an exit code)
        import traceback

        traceback.print_exc()
        click.echo(
            "this is a mistake in baccarat-oracle, not in your input: please report it with the lines above",
            err=True,
        )
        return 3
