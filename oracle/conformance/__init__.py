"""Running somebody's implementation against fixtures, and saying which rule it has wrong."""
