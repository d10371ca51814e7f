"""Which rule is wrong: what explains the answers of a run."""
