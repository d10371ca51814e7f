"""The solver room: what enumeration decides, asked again of SMT solvers, which are imported nowhere else."""
