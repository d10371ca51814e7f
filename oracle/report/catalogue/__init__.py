"""The reports that are committed under `reports/`: the table of them, and those that no other room makes."""
