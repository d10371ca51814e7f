"""Experiments with the cases: what they, and others, would notice of slips and wrong programs."""
