"""What is said of a run of an implementation: its outline, the formats that serialise it, what differs of two runs."""
