"""`python -m oracle` is the command `baccarat-oracle`."""

from oracle.cli import main

main()
