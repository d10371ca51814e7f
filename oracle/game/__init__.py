"""The game: rules resolved question by question, coups played and settled."""
