"""A run of an implementation for people and machines: text, JSON, JUnit, Markdown, a page and a badge."""
