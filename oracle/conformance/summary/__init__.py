"""What a run results in: verdict, failures by what they share, known failures, and the changes between two runs."""
