"""Words and shapes that several reports share: wording, wrapping, figures, escaping."""
