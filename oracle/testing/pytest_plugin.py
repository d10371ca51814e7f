"""The pytest plugin: fixtures that put the cases of a rule set to code under test. See docs/pytest.md.

Every pytest run of an environment imports this module. It imports nothing but pytest until a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pytest

if TYPE_CHECKING:
    from oracle.conformance.trial import Trial
    from oracle.game.rules import Rules

_T = TypeVar("_T")

_MARK = "baccarat"
_USE = '@pytest.mark.baccarat("home-pt")'


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, also to --strict-markers."""
    config.addinivalue_line(
        "markers",
        "baccarat(rules, tier='minimal', specs=(), observables=()): the rule set that `baccarat_rules`, "
        "`baccarat_case` and `baccarat_check` follow, the cases that `baccarat_case` runs through, folders of more "
        "specs, and what the code under test reports, for which `minimal` is the set",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the tier."""
    if "baccarat_case" not in metafunc.fixturenames:
        return
    asked = _asked(metafunc.definition)
    trials = _told(lambda: _trials(asked))
    metafunc.parametrize("baccarat_case", trials, ids=[trial.id for trial in trials])


@pytest.fixture
def baccarat_rules(request: pytest.FixtureRequest) -> Rules:
    """The rule set that the marker names, as `oracle.load_rules` returns it."""
    asked = _asked(request.node)
    return _told(lambda: _rules(asked.rules, asked.specs))


@pytest.fixture
def baccarat_check(baccarat_rules: Rules) -> Callable[..., None]:
    """`baccarat_check(cards, answer, bets=None)` holds the answer to any coup against the rules of the marker."""

    def check(cards: Any, answer: Any, bets: Any = None, *, observables: Any = ()) -> None:
        __tracebackhide__ = True
        from oracle.conformance.trial import trial_of

        text = cards if isinstance(cards, str) else " ".join(map(str, cards))
        trial_of(baccarat_rules, text, bets).check(answer, observables=observables)

    return check


class _Asked(NamedTuple):
    """What a marker asks for."""

    rules: str
    tier: str
    specs: tuple[str, ...]
    observables: tuple[str, ...]


def _asked(node: Any) -> _Asked:
    """What the nearest marker asks for."""
    marker = node.get_closest_marker(_MARK)
    if marker is None:
        raise pytest.UsageError(f"{node.nodeid}: which rules? Mark the test, its class or its module with {_USE}")
    try:
        return _arguments(*marker.args, **marker.kwargs)
    except TypeError:
        raise pytest.UsageError(
            f"{node.nodeid}: the marker baccarat takes a rule set, tier, folders of specs, observables, as in {_USE}"
        ) from None


def _arguments(rules: Any, tier: Any = "minimal", specs: Any = (), observables: Any = ()) -> _Asked:
    if not (isinstance(rules, str) and isinstance(tier, str)):
        raise TypeError
    named = (observables,) if isinstance(observables, str) else tuple(map(str, observables))
    return _Asked(rules, tier, (str(specs),) if isinstance(specs, str | Path) else tuple(map(str, specs)), named)


def _told(make: Callable[[], _T]) -> _T:
    """What `make` returns; what it has to say about bad names and specs is told without a traceback."""
    from oracle.spans import OracleError

    try:
        return make()
    except OracleError as error:
        raise pytest.UsageError(str(error)) from error


@lru_cache(maxsize=32)
def _rules(id: str, specs: tuple[str, ...]) -> Rules:
    from oracle.game.rules import load_rules

    return load_rules(id, folders=[Path(folder) for folder in specs])


@lru_cache(maxsize=32)
def _trials(asked: _Asked) -> list[Trial]:
    """The cases of the tier; of `minimal` those for the observables, of every set where it isn't said what is reported.

    So a change that shows in anything that code may report shows in some case.
    """
    from oracle.cases.minimal import SETS
    from oracle.cases.tiers import cases
    from oracle.conformance.run.asked import check_observables, tiers_of
    from oracle.conformance.trial import Trial

    rules = _rules(asked.rules, asked.specs)
    check_observables(asked.observables)
    tiers = tiers_of((asked.tier,), asked.observables) if asked.tier != "minimal" or asked.observables else tuple(SETS)
    found = {case.id: case for tier in tiers for case in cases(rules, tier)}
    return [Trial(rules, case) for case in found.values()]
