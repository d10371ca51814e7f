"""What `check` and `new` print: findings as text, Markdown, SARIF and JUnit, documents beside their spec."""
