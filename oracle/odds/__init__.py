"""Exact odds: how many ordered sequences of six cards end a coup in each way. Integers and fractions only."""
