"""The committed reports: what stands under `reports/`."""
