"""Checking everything: enumeration decides, and the solvers must give the same answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from oracle.checks.claims import Courtroom
from oracle.checks.run import SpecReport, check_spec, exit_code
from oracle.rules.model import Spec
from oracle.rules.questions import COUP_QUESTIONS


class Result(msgspec.Struct, frozen=True):
    """A whole check. Of `properties` asked of every engine, `agreed` were answered as by enumeration.

    `disagreements` says which were not, with all answers; an engine that gave up counts too.
    """

    engines: tuple[str, ...]
    reports: tuple[SpecReport, ...]
    properties: int
    agreed: int
    disagreements: tuple[str, ...]
    exit: int


def check_all(
    specs: Sequence[Spec], *, solvers: str = "auto", others: Sequence[Spec] = (), claims: bool = True
) -> Result:
    """Check all rule sets of these sources; `solvers` as `oracle.solver.engine.available_engines` takes it.

    `others` are further sources that claims may speak of; without `claims` none is judged.

    Raises `UnknownName` for a solver that doesn't exist, `NotInstalled` for a missing one.
    """
    from oracle.solver.agree import cross_check
    from oracle.solver.engine import available_engines

    engines = available_engines(solvers)
    known = {spec.id for spec in specs}
    room = Courtroom([*specs, *(spec for spec in others if spec.id not in known)])
    reports = []
    properties = agreed = 0
    disagreements: list[str] = []
    for spec in specs:
        tables = room.tables(spec)
        reports.append(check_spec(spec, tables, room=room if claims else None))
        for rules in tables if engines else ():
            for question in COUP_QUESTIONS:
                agreement = cross_check(rules, question, engines)
                properties += len(agreement.checks)
                agreed += sum(check.agreed for check in agreement.checks)
                disagreements += [agreement.show(check) for check in agreement.checks if not check.agreed]
    return Result(
        engines=("enumeration", *(str(engine) for engine in engines)),
        reports=tuple(reports),
        properties=properties,
        agreed=agreed,
        disagreements=tuple(disagreements),
        exit=exit_code(reports, incomplete=bool(disagreements)),
    )
