"""The reports of a run as files, all from the same log, and in the words of one outline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from oracle.conformance.summary.summary import Summary
from oracle.report.payload import dump
from oracle.report.run.outline import Outline, outline
from oracle.report.run.run_badge import run_badge
from oracle.report.run.run_html import run_html
from oracle.report.run.run_junit import run_junit
from oracle.report.run.run_markdown import run_markdown
from oracle.report.run.run_payload import run_payload
from oracle.report.run.run_text import run_text

# By file name. A new report is a module, and a line here; the help of `test` lists what stands here.
REPORTS: Mapping[str, Callable[[Summary, Outline], str]] = {
    "test.txt": lambda _, said: click.unstyle(run_text(said)) + "\n",
    "test.json": lambda summary, _: dump(run_payload(summary)) + "\n",
    "junit.xml": run_junit,
    "summary.md": lambda _, said: run_markdown(said),
    "report.html": lambda _, said: run_html(said),
    "badge.svg": lambda _, said: run_badge(said),
}


def run_files(summary: Summary) -> dict[str, str]:
    """The text of each report by file name."""
    said = outline(summary)
    return {name: make(summary, said) for name, make in REPORTS.items()}
