"""Shoes for users of the package: shuffled from a seed, dealt as the rules say. See `oracle.game.shoe`."""

from oracle.game.shoe import Certain, Shoe, ShoeCoup, SplitMix64, certain_coups, full_shoe

__all__ = ["Certain", "Shoe", "ShoeCoup", "SplitMix64", "certain_coups", "full_shoe"]
