"""For tests of other programs: hypothesis strategies and the pytest plugin."""
