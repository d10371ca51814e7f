"""Which rules a program follows instead, learnt from its answers layer by layer, and named."""
