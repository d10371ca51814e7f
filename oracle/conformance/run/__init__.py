"""A run: which cases are asked, the program's process, its limits and restarts, and the log of what it answered."""
