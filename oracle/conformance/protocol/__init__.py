"""The protocol: its messages, reading them, and the oracle itself on the other side."""
