"""Evidence of a run: its index, its files, and judging its log again without the program."""
