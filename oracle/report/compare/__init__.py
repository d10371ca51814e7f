"""What `compare` prints, and the committed report of contradictions between sources."""
