"""The checks: one module for each kind of finding, and what they share."""
