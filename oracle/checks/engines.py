"""Checking everything: enumeration decides, and the solvers must give the same answers.

Solvers work in processes of their own while enumeration goes on here. One that fails to answer disagrees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from oracle.checks.claim_context import ClaimContext
from oracle.checks.document import CitedSentence
from oracle.checks.run import SpecReport, check_spec, exit_code
from oracle.progress import track
from oracle.rules.model import Spec
from oracle.rules.sentences import Document
from oracle.spans import OracleError


class CheckResult(msgspec.Struct, frozen=True):
    """A whole check. Of `properties` asked of every engine, `agreed` were answered as by enumeration.

    `disagreements` says which were not, with all answers; an engine that gave up counts too. `doubtful` has the text of
    each script that is not confirmed, by a name to keep it under. `sentences` are those of `document`.
    """

    engines: tuple[str, ...]
    reports: tuple[SpecReport, ...]
    properties: int
    agreed: int
    disagreements: tuple[str, ...]
    exit: int
    doubtful: Mapping[str, str] = {}
    document: Document | None = None
    sentences: tuple[CitedSentence, ...] = ()


def check_all(
    specs: Sequence[Spec],
    *,
    solvers: str = "auto",
    others: Sequence[Spec] = (),
    claims: bool = True,
    proofs: bool = False,
) -> CheckResult:
    """Check all rule sets of these sources; `solvers` as `oracle.solver.engine.available_engines` takes it.

    `others` are further sources that claims may speak of; without `claims` none is judged. With `proofs` every
    resolution is proved too.

    Raises `UnknownName` for a solver that doesn't exist, `NotInstalled` for a missing one.
    """
    from oracle.solver.engine import available_engines
    from oracle.solver.pool import EnginePool
    from oracle.solver.scripts import scripts_of

    files: dict[str, str] = {}
    for spec in specs:
        if files.setdefault(spec.id, spec.file) != spec.file:
            raise OracleError(f"{files[spec.id]} and {spec.file} are both source `{spec.id}`: check them one at a time")
    engines = available_engines(solvers)
    known = {spec.id for spec in specs}
    context = ClaimContext([*specs, *(spec for spec in others if spec.id not in known)])
    with EnginePool(engines) as trial:
        for rules in (rules for spec in specs for rules in context.tables(spec)) if engines else ():
            for script in track(scripts_of(rules), f"writing scripts for solvers, {rules.id}"):
                trial.ask(script)
        reports = [
            check_spec(spec, context.tables(spec), context=context if claims else None, proofs=proofs) for spec in specs
        ]
        outcome = trial.outcome()
    return CheckResult(
        engines=("enumeration", *(str(engine) for engine in engines)),
        reports=tuple(reports),
        properties=outcome.properties,
        agreed=outcome.agreed,
        disagreements=outcome.disagreements,
        exit=exit_code(reports, incomplete=bool(outcome.doubts)),
        doubtful={doubt.file: doubt.text for doubt in outcome.doubts},
    )
