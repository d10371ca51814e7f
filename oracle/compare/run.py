"""Pairs of rule sets compared by enumeration, and by every engine that is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from oracle.compare.pair import Pair, compare_rules
from oracle.compare.proof import equality_scripts
from oracle.game.rules import Rules
from oracle.progress import track


class Comparison(msgspec.Struct, frozen=True):
    """Pairs compared. Of `properties` asked of every engine, `agreed` were answered as by enumeration.

    `disagreements` says which were not, and `doubtful` has the scripts, by a name to keep them under.
    """

    engines: tuple[str, ...]
    pairs: tuple[Pair, ...]
    properties: int
    agreed: int
    disagreements: tuple[str, ...]
    doubtful: Mapping[str, str]

    @property
    def complete(self) -> bool:
        """Whether every question of every pair was compared, and every engine confirms it."""
        return not self.disagreements and not any(pair.incomplete for pair in self.pairs)


def compare_pairs(pairs: Sequence[tuple[Rules, Rules]], *, solvers: str = "auto") -> Comparison:
    """Compare these pairs of rule sets; `solvers` as `oracle.solver.engine.available_engines` takes it.

    Raises `UnknownName` for a solver that doesn't exist, `NotInstalled` for a missing one.
    """
    from oracle.solver.engine import available_engines
    from oracle.solver.pool import EnginePool

    engines = available_engines(solvers)
    with EnginePool(engines) as trial:
        if engines:
            for a, b in pairs:
                for script in track(equality_scripts(a, b), f"writing scripts for solvers, {a.id} and {b.id}"):
                    trial.ask(script)
        found = tuple(compare_rules(a, b) for a, b in track(pairs, "comparing pairs of rule sets", of=len(pairs)))
        outcome = trial.outcome()
    return Comparison(
        engines=("enumeration", *(str(engine) for engine in engines)),
        pairs=found,
        properties=outcome.properties,
        agreed=outcome.agreed,
        disagreements=outcome.disagreements,
        doubtful={doubt.file: doubt.text for doubt in outcome.doubts},
    )
