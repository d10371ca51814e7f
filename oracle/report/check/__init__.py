"""What `check` and `new` print."""
