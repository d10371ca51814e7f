"""Files of cases for other programs, line by line or as Parquet."""
