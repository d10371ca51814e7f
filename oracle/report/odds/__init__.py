"""What `odds` prints, and the committed math report of every rule set."""
