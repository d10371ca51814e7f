"""Files of cases, written for other programs."""
