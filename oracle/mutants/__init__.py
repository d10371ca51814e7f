"""Wrong programs on purpose: every single change of a rule set, and the mistakes that real programs make."""
