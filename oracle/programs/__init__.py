"""A rule set as a program that answers: how it plays and settles, and what can be seen of it. Wrong ones: `mutants`."""
