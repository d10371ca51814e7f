"""Everything that turns results into text: terminal, JSON, Markdown."""
