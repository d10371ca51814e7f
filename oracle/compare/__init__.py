"""Rule sets beside one another: question by question what they say alike, and where they contradict each other."""
