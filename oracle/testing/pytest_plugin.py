"""The pytest plugin: fixtures that put the cases of a rule set to code under test. See docs/pytest.md.

Every pytest run of an environment imports this module. It imports nothing but pytest until a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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
        "baccarat(rules, tier='minimal', specs=()): the rule set that `baccarat_rules`, `baccarat_case` and "
        "`baccarat_check` follow, the cases that `baccarat_case` runs through, and folders of more specs",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the tier."""
    if "baccarat_case" not in metafunc.fixturenames:
        return
    id, tier, specs = _asked(metafunc.definition)
    trials = _told(lambda: _trials(id, tier, specs))
    metafunc.parametrize("baccarat_case", trials, ids=[trial.id for trial in trials])


@pytest.fixture
def baccarat_rules(request: pytest.FixtureRequest) -> Rules:
    """The rule set that the marker names, as `oracle.load_rules` returns it."""
    id, _, specs = _asked(request.node)
    return _told(lambda: _rules(id, specs))


@pytest.fixture
def baccarat_check(baccarat_rules: Rules) -> Callable[..., None]:
    """`baccarat_check(cards, answer, bets=None)` holds the answer to any coup against the rules of the marker."""

    def check(cards: Any, answer: Any, bets: Any = None, *, observables: Any = ()) -> None:
        __tracebackhide__ = True
        from oracle.conformance.trial import trial_of

        text = cards if isinstance(cards, str) else " ".join(map(str, cards))
        trial_of(baccarat_rules, text, bets).check(answer, observables=observables)

    return check


def _asked(node: Any) -> tuple[str, str, tuple[str, ...]]:
    """The rule set, tier and spec folders of the nearest marker."""
    marker = node.get_closest_marker(_MARK)
    if marker is None:
        raise pytest.UsageError(f"{node.nodeid}: which rules? Mark the test, its class or its module with {_USE}")
    try:
        return _arguments(*marker.args, **marker.kwargs)
    except TypeError:
        raise pytest.UsageError(
            f"{node.nodeid}: the marker baccarat takes a rule set, a tier and folders of specs, as in {_USE}"
        ) from None


def _arguments(rules: Any, tier: Any = "minimal", specs: Any = ()) -> tuple[str, str, tuple[str, ...]]:
    if not (isinstance(rules, str) and isinstance(tier, str)):
        raise TypeError
    return rules, tier, (str(specs),) if isinstance(specs, str | Path) else tuple(map(str, specs))


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
def _trials(id: str, tier: str, specs: tuple[str, ...]) -> list[Trial]:
    from oracle.cases.tiers import cases
    from oracle.conformance.trial import Trial

    rules = _rules(id, specs)
    return [Trial(rules, case) for case in cases(rules, tier)]
