"""What `odds` reports of one shoe, computed once: outcomes, bets, and if wanted what stands behind them.

Text, JSON, CSV and the Markdown report are made from the same summary; none of them computes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from oracle.cards import Card
from oracle.game.rules import Rules, load_rules
from oracle.game.settle import check_bet
from oracle.game.space import Row
from oracle.odds.bets import BetOdds, Stakes, confidence, depends_on_stake, over_stakes
from oracle.odds.composition import Composition, parse_shoe
from oracle.odds.counts import Odds
from oracle.odds.decisions import FreeCell, free_cells, parse_strategy
from oracle.odds.removal import removal
from oracle.odds.replies import Replies, replies
from oracle.rules.questions import DECISION_QUESTIONS
from oracle.spans import BadShoe, OracleError

if TYPE_CHECKING:
    from oracle.odds.consecutive import Consecutive

END_FIELDS = ("winner", "natural", "player_total", "banker_total", "player_cards", "banker_cards")
COUPS = (10_000, 100_000, 1_000_000)


class BetSummary(msgspec.Struct, frozen=True):
    """A bet: its odds at a unit stake, and its edges over the legal stakes.

    `stakes` is None if no stake is legal, or if too many would have to be looked at: `unsettled` then says why.
    """

    odds: BetOdds
    stakes: Stakes | None
    unsettled: str = ""


class OddsDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What stands behind the odds of a shoe.

    `cells` has by question how many sequences ask each cell of its table; `ends` how many end in each way, as
    `END_FIELDS` have it. `removal` has by rank and bet how much the edge grows once a card of this rank is gone; None
    for a shoe that no card can leave. `shuffled` if nothing of a coup is left for the next; else `consecutive` has the
    winners of two coups in a row, None if the shoe is too small for two. `ranges` has by bet, for each number of coups
    in `COUPS`, between which returns the mean lies with a probability of 95 %.
    """

    cells: Mapping[str, Mapping[Row, int]]
    ends: Mapping[Row, int]
    removal: Mapping[str, Mapping[str, Fraction]] | None
    shuffled: bool
    consecutive: Consecutive | None
    ranges: Mapping[str, tuple[tuple[Fraction, Fraction], ...]]


class OddsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of one shoe under one rule set. Counts are of ordered sequences of six cards, of `total` in all.

    `gone` are the cards that the shoe lacks because they are known; `strategy` is what is done in cells that the rules
    leave free; `rounded` says whether nets are rounded, so that an edge depends on the stake.
    """

    rules: str
    shoe: Composition
    gone: tuple[Card, ...]
    strategy: Mapping[FreeCell, str]
    total: int
    outcomes: Mapping[str, int]
    bets: Mapping[str, BetSummary]
    rounded: bool
    details: OddsDetails | None = None


def odds(
    rules: Rules | str,
    shoe: Composition | str | None = None,
    *,
    gone: Iterable[Card] = (),
    bets: Iterable[str] = (),
    choices: Iterable[str] = (),
    everything: bool = False,
) -> OddsSummary | Replies:
    """Count every coup of a shoe: who wins how often, and what each bet costs, exactly.

    `rules` is a rule set or its id; `shoe` a composition, or a text as `parse_shoe` reads it (default: the full shoe of
    the rules), from which the cards `gone` are missing. `bets` are the bets looked at (default: all). `choices` say
    what is done where the rules leave cells free, as `player=draw` or `banker:3,9=stand`; where they leave some and
    nothing is chosen, the answer is every way to play them instead, as `Replies`. With `everything` the summary has
    `details`, which takes longer.

    Edges and expectations are of the unit first staked, a coup that returns the stake counted; the convention is that
    of the published tables (see `oracle.odds.counts`).

    Raises `UnknownName` for a rule set, bet or free cell that doesn't exist, `BadShoe` for a shoe that can't be or
    isn't said, `BadChoice` for choices that can't be read, `Undecided` where the rules are open.

    >>> import oracle
    >>> found = oracle.odds("home-pt", "8 decks", bets=["banker"])
    >>> round(float(found.bets["banker"].odds.edge), 6)
    0.010579
    """
    rules = load_rules(rules) if isinstance(rules, str) else rules
    chosen, choices, gone = tuple(bets), tuple(choices), tuple(gone)
    for bet in chosen:
        check_bet(rules, bet)
    composition = _said(rules) if shoe is None else parse_shoe(shoe) if isinstance(shoe, str) else shoe
    if gone:
        composition = composition.without(gone)
    strategy = parse_strategy(rules, choices)
    if free_cells(rules) and not choices:
        return replies(rules, composition)
    return summarise_odds(Odds(rules, composition, strategy=strategy), gone=gone, bets=chosen, everything=everything)


def summarise_odds(
    counted: Odds, *, gone: tuple[Card, ...] = (), bets: Sequence[str] = (), everything: bool = False
) -> OddsSummary:
    """The summary of a shoe that is counted already; of these bets, by default of all. Raises as `odds` does."""
    found = {bet: _bet(counted.rules, counted.bet(bet)) for bet in bets or counted.rules.bets}
    return OddsSummary(
        rules=counted.rules.id,
        shoe=counted.composition,
        gone=gone,
        strategy=counted.strategy,
        total=counted.total,
        outcomes=counted.outcomes,
        bets=found,
        rounded=depends_on_stake(counted.rules),
        details=_details(counted, found) if everything else None,
    )


def _said(rules: Rules) -> Composition:
    """The shoe of the rules."""
    try:
        return Composition.of(rules)
    except OracleError as error:
        raise BadShoe(f'{error}: give --shoe, as in --shoe "8 decks"') from None


def _bet(rules: Rules, bet: BetOdds) -> BetSummary:
    try:
        return BetSummary(bet, over_stakes(rules, bet))
    except OracleError as error:
        return BetSummary(bet, None, str(error))


def _details(counted: Odds, bets: Mapping[str, BetSummary]) -> OddsDetails:
    from oracle.odds.consecutive import shuffled_between

    shuffled = shuffled_between(counted.rules) or counted.composition.endless
    return OddsDetails(
        cells={question: counted.cells(question) for question in DECISION_QUESTIONS},
        ends=_ends(counted),
        removal=_removal(counted, bets),
        shuffled=shuffled,
        consecutive=None if shuffled else _consecutive(counted),
        ranges={name: tuple(confidence(bet.odds, coups) for coups in COUPS) for name, bet in bets.items()},
    )


def _ends(counted: Odds) -> dict[Row, int]:
    space = counted.end_space
    columns = [space.column(field) for field in END_FIELDS]
    found: dict[Row, int] = {}
    for key, count in zip(zip(*columns, strict=True), space.counts, strict=True):
        found[key] = found.get(key, 0) + count
    return found


def _removal(counted: Odds, bets: Iterable[str]) -> dict[str, dict[str, Fraction]] | None:
    try:
        found = removal(counted)
    except OracleError:
        return None
    return {rank: {bet: by_bet[bet] for bet in bets} for rank, by_bet in found.items()}


def _consecutive(counted: Odds) -> Consecutive | None:
    from oracle.odds.consecutive import consecutive

    try:
        return consecutive(counted)
    except OracleError:
        return None
