"""shadowed: questions that are taken from another file than the folders of specs have under that name."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.rules.model import Spec


def check_shadowed(spec: Spec) -> Iterator[Finding]:
    """One finding for each file beside a spec that `extends` took though a folder of specs has another of its name."""
    if spec.extends is None:
        return
    for words in spec.extends.shadows:
        yield Finding(
            code="shadowed",
            rules=spec.rule_sets[0].id,
            question="",
            subject=spec.extends.source,
            message=f"{spec.id} extends {spec.extends.source}: {words}",
            span=spec.extends.span,
            help="give its folder with --specs if that is meant; else name the file and its source otherwise",
        )
