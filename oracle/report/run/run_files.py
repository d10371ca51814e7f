"""The reports of a run as files, all from the same log, and in the words of one outline."""

from __future__ import annotations

import click

from oracle.conformance.summary.summary import Summary
from oracle.report.payload import dump
from oracle.report.run.outline import outline
from oracle.report.run.run_badge import run_badge
from oracle.report.run.run_html import run_html
from oracle.report.run.run_junit import run_junit
from oracle.report.run.run_markdown import run_markdown
from oracle.report.run.run_payload import run_payload
from oracle.report.run.run_text import run_text


def run_files(summary: Summary) -> dict[str, str]:
    """The text of each report by file name."""
    said = outline(summary)
    return {
        "test.txt": click.unstyle(run_text(said)) + "\n",
        "test.json": dump(run_payload(summary)) + "\n",
        "junit.xml": run_junit(summary, said),
        "summary.md": run_markdown(said),
        "report.html": run_html(said),
        "badge.svg": run_badge(said),
    }
