"""Cases with expected answers: what an implementation is asked, and what the rules say. Kept in `fixtures/`."""
