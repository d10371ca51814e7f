"""The one vocabulary of all reports: sentences, numbers, wrapping, and escaping for each format."""
