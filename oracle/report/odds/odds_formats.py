"""The output formats of `odds`: a new one is a module with `render`, and a line here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.odds.replies import Replies
    from oracle.odds.summary import OddsSummary

# Modules by name: the command line lists the formats without importing what makes them.
FORMATS = {
    "text": "oracle.report.odds.odds_text",
    "json": "oracle.report.odds.odds_payload",
    "csv": "oracle.report.odds.odds_csv",
}


def render_odds(found: OddsSummary | Replies, form: str) -> str:
    """What is printed in one of `FORMATS`, the last line ended."""
    text: str = importlib.import_module(FORMATS[form]).render(found)
    return text
