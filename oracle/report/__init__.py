"""Everything that turns results into text: terminal, JSON, CSV, Markdown, pages, badges, JUnit XML, SARIF, Parquet."""
