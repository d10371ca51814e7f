"""What `odds` prints, and the committed reports of odds."""
