"""What `play` and `session` print."""
