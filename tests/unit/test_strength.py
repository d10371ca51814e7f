"""Slips in a spec: each kind is made, and the layer that notices it is the one that should."""

from __future__ import annotations

import pytest

from oracle.cases.experiments.strength import LAYERS, Strength, _Watch, strength
from oracle.game.rules import Rules
from oracle.mutants.clauses import Slip, slips
from oracle.rules.library import Library
from tests.conftest import RULE_SETS


@pytest.fixture(scope="module")
def watch(library: Library, shipped: dict[str, Rules]) -> _Watch:
    return _Watch(shipped["home-pt"], library.specs())


@pytest.fixture(scope="module")
def tried(shipped: dict[str, Rules]) -> dict[str, Slip]:
    return {slip.says: slip for slip in slips(shipped["home-pt"])}


@pytest.mark.parametrize(
    ("says", "layer"),
    [
        # The rows of the banker's table end in an otherwise that stands: a lost row leaves every state decided.
        ("banker-table/24: left out", "another source"),
        ("banker-table/22: answers stand, not draw", "another source"),
        ("banker-table/23: player_third without 4", "another source"),
        ("banker-table/23: player_third 4 moved to banker-table/24", "another source"),
        # Nothing else says when the player stands.
        ("player-acts/16.1#3: left out", "checks"),
        ("player-acts/16.1#3: player2 with 5", "checks"),
        # Of what no player who stood can have.
        ("banker-table/25: left out", "equivalent"),
    ],
)
def test_a_slip_is_noticed_by_the_first_layer_that_can(
    watch: _Watch, tried: dict[str, Slip], says: str, layer: str
) -> None:
    assert watch.layer(tried[says]) == layer


def test_every_kind_of_slip_is_made_of_own_clauses_alone(tried: dict[str, Slip], shipped: dict[str, Rules]) -> None:
    assert {slip.kind for slip in tried.values()} == {"left-out", "answer", "value", "moved"}
    asked = {c.id for c in shipped["home-pt"].clauses if c.question not in ("other", "decks") and not c.borrowed}
    assert {slip.clause for slip in tried.values()} <= asked
    for slip in tried.values():
        assert slip.spec != shipped["home-pt"].spec


@pytest.mark.exhaustive
@pytest.mark.parametrize("id", RULE_SETS)
def test_no_slip_goes_unnoticed(library: Library, shipped: dict[str, Rules], id: str) -> None:
    found: Strength = strength(shipped[id], library.specs())
    assert found.unnoticed == ()
    assert sum(found.total(layer) for layer in LAYERS) == len(list(slips(shipped[id])))
