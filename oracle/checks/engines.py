"""Checking everything: enumeration decides, and the solvers must give the same answers.

Solvers work in processes of their own while enumeration goes on here. One that fails to answer disagrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import msgspec

from oracle.checks.claims import Courtroom
from oracle.checks.run import SpecReport, check_spec, exit_code
from oracle.rules.model import Spec
from oracle.rules.questions import COUP_QUESTIONS
from oracle.spans import OracleError


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
    from oracle.solver.agree import compare_answers
    from oracle.solver.engine import SolverError, available_engines
    from oracle.solver.smtlib import write_script
    from oracle.solver.worker import Worker

    files: dict[str, str] = {}
    for spec in specs:
        if files.setdefault(spec.id, spec.file) != spec.file:
            raise OracleError(f"{files[spec.id]} and {spec.file} are both source `{spec.id}`: check them one at a time")
    engines = available_engines(solvers)
    known = {spec.id for spec in specs}
    room = Courtroom([*specs, *(spec for spec in others if spec.id not in known)])
    properties = agreed = 0
    disagreements: list[str] = []
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(engine)) for engine in engines]
        asked = []
        for rules in (rules for spec in specs for rules in room.tables(spec)) if workers else ():
            for question in COUP_QUESTIONS:
                script = write_script(rules, question)
                asked.append((script, [worker.submit(script.text) for worker in workers]))
        reports = [check_spec(spec, room.tables(spec), room=room if claims else None) for spec in specs]
        for script, answers in asked:
            properties += len(script.properties)
            try:
                agreement = compare_answers(script, engines, [answer.result() for answer in answers])
            except SolverError as error:
                disagreements.append(f"{script.rule_set} {script.question}: {error}")
                continue
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
