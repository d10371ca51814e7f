"""Odds beyond outcomes: bets and stakes, free cells, changed rules, cards that are gone, the coup before, chances."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from msgspec.structs import replace

from oracle.cards import Card, parse_cards
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.odds.bets import BetOdds, Hit, confidence, over_stakes
from oracle.odds.composition import Composition, parse_shoe
from oracle.odds.consecutive import consecutive, shuffled_between
from oracle.odds.counts import Odds
from oracle.odds.decisions import FreeCell, free_cells, parse_strategy
from oracle.odds.removal import removal
from oracle.odds.replies import replies
from oracle.odds.rule_change import change
from oracle.odds.settlement_table import WINNERS, Net
from oracle.spans import BadChoice, BadShoe, OracleError, Undecided, UnknownName
from tests.conftest import mostly_slow
from tests.nonempty import nonempty
from tests.unit.small_shoes import rules_of, small

# --- bets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "cards"),
    [
        ("home-pt", "AC 3H 4S 4S 8H 9S"),
        ("selminha/classica", "KH KS KH 5C 5D 9S"),
        ("selminha/sem-comissao", "6H KS KH 5C 5D AC"),
        ("ez", "7H KS 3H 4C AC AC"),
        ("super-6", "6H KS 3H AC AC 2S"),
        ("dragon-bonus", "9H KS KS 4C 4C KC"),
        ("pair-bets", "9H 9H 9S KS KS 8D"),
        ("egalite", "9H 9H 9S KS KS 8D"),
    ],
)
@pytest.mark.slow
def test_every_bet_is_what_playing_all_orders_gives(id: str, cards: str) -> None:
    """Each order of six cards of a small shoe played, and a unit settled on each bet."""
    rules = rules_of(id)
    shoe, composition = small(cards)
    nets: dict[str, Counter[tuple[str, Fraction]]] = {bet: Counter() for bet in rules.bets}
    orders = 0
    for order, copies in Counter(permutations(shoe, 6)).items():
        coup = play(rules, order)
        for settled in settle(rules, coup, {bet: Fraction(1) for bet in rules.bets}):
            nets[settled.bet][settled.outcome, settled.net] += copies
        orders += copies
    odds = Odds(rules, composition)
    assert odds.total == orders
    for bet, found in nonempty(odds.bets.items()):
        assert {(hit.outcome, hit.net): hit.sequences for hit in found.hits if hit.sequences} == nets[bet]
        mean = sum(net * count for (_, net), count in nets[bet].items()) / Fraction(orders)
        square = sum(net**2 * count for (_, net), count in nets[bet].items()) / Fraction(orders)
        assert (found.expectation, found.edge, found.payback) == (mean, -mean, 1 + mean)
        assert found.variance == square - mean**2


def test_hits_and_returns() -> None:
    """10 coups: three win two, two come back, five lose: 6 - 5 = 1 in ten; squares 12 + 5 = 17 in ten."""
    bet = BetOdds("bet", 10, (Hit("win", Fraction(2), 3), Hit("push", Fraction(0), 2), Hit("lose", Fraction(-1), 5)))
    assert (bet.hit, bet.share("push"), bet.share("lose")) == (Fraction(3, 10), Fraction(1, 5), Fraction(1, 2))
    assert (bet.expectation, bet.payback, bet.edge) == (Fraction(1, 10), Fraction(11, 10), Fraction(-1, 10))
    assert bet.variance == Fraction(17, 10) - Fraction(1, 100)
    low, high = confidence(bet, 169)  # the variance is 1.69, so the deviation of the mean 1.3 / 13 = 0.1
    assert (low, high) == (Fraction(11, 10) - Fraction("0.1959964"), Fraction(11, 10) + Fraction("0.1959964"))


def test_unknown_bets_and_missing_decks_are_errors() -> None:
    with pytest.raises(UnknownName, match="has no bet `tei`: did you mean `tie`"):
        Odds(rules_of("home-pt")).bet("tei")
    with pytest.raises(OracleError, match="punto-es doesn't say how many decks"):
        Odds(rules_of("punto-es"))


@pytest.mark.parametrize("id", ["grid-pt", "punto-es", "selminha/classica"])
def test_open_states_are_refused(id: str) -> None:
    with pytest.raises(Undecided):
        Odds(rules_of(id, literal=True), Composition.full(8))


def test_suits_have_to_be_known_where_bets_ask_for_them() -> None:
    with pytest.raises(BadShoe, match="asks for suits"):
        Odds(rules_of("pair-bets"), parse_shoe("A=30, K=30")).bet("perfect_pair")
    assert Odds(rules_of("pair-bets"), parse_shoe("AS=30, KH=30")).bet("perfect_pair").hit > Fraction(1, 2)


def test_perfect_pairs_from_an_endless_shoe() -> None:
    """Each hand has one in 52: 103 in 2,704 with one or two."""
    found = Odds(rules_of("pair-bets"), parse_shoe("endless")).bet("perfect_pair")
    assert found.hit == Fraction(103, 2704)


def test_no_perfect_pair_comes_from_one_deck() -> None:
    assert Odds(rules_of("pair-bets"), Composition.full(1)).bet("perfect_pair").hit == 0


# --- stakes ---------------------------------------------------------------------------------------


def test_rounding_up_favours_some_stakes() -> None:
    """19/20 of five is 4.75, rounded up to 5: the banker then pays even, and wins more often than the player.

    A stake favours the bettor if (net / stake) x banker wins exceed player wins, counted here by hand.
    """
    rules = rules_of("both-sides")
    odds = Odds(rules)
    banker, player = odds.outcomes["banker"], odds.outcomes["player"]
    found = over_stakes(rules, odds.bet("banker"))
    assert found is not None
    stakes = range(5, 501, 5)
    nets = {stake: -(-stake * 19 // 100) * 5 for stake in stakes}  # in steps of five, up
    wanted = [stake for stake in stakes if Fraction(nets[stake], stake) * banker > player]
    assert list(found.favourable) == wanted
    assert (found.checked, found.limited) == (100, True)
    assert found.least == (5, Fraction(player - banker, odds.total))
    assert found.most[1] == odds.bet("banker").edge
    assert over_stakes(rules, odds.bet("player")).favourable == ()  # type: ignore[union-attr]


@pytest.mark.parametrize("id", ["home-pt", "grid-pt", "selminha/classica", "selminha/sem-comissao"])
def test_no_legal_stake_favours_the_bettor_at_a_shipped_table(id: str) -> None:
    rules = rules_of(id)
    for bet in nonempty(Odds(rules).bets.values()):
        found = over_stakes(rules, bet)
        assert found is None or (found.checked > 0 and not found.favourable and not found.all_favour)


# --- free cells -----------------------------------------------------------------------------------


def test_free_cells_of_chemin_de_fer() -> None:
    rules = rules_of("chemin-de-fer")
    assert [str(cell) for cell in free_cells(rules)] == ["player:5", "banker:3,9", "banker:5,4"]
    assert free_cells(rules_of("home-pt")) == ()
    with pytest.raises(BadChoice, match="leaves player:5 free"):
        Odds(rules)
    with pytest.raises(BadChoice, match="leaves banker:5,4 free"):
        Odds(rules, strategy=parse_strategy(rules, ["player=draw", "banker:3,9=stand"]))


def test_choices_as_people_write_them() -> None:
    rules = rules_of("chemin-de-fer")
    five, nine, four = free_cells(rules)
    assert parse_strategy(rules, ["banker=draw", "player:5=stand"]) == {nine: "draw", four: "draw", five: "stand"}
    for texts, message in (
        (["player"], "is no choice"),
        (["player=fold"], "is no choice"),
        (["banker=draw", "banker:3,9=stand"], "banker:3,9 is chosen twice"),
    ):
        with pytest.raises(BadChoice, match=message):
            parse_strategy(rules, texts)
    with pytest.raises(UnknownName, match="leaves nothing free at `player:4`; free cells: player:5"):
        parse_strategy(rules, ["player:4=draw"])


def test_the_usual_choices_are_punto_banco() -> None:
    """Drawing on 5, drawing on 3 against 9 and on 5 against 4 is the table that everybody knows."""
    rules = rules_of("chemin-de-fer")
    odds = Odds(rules, strategy=parse_strategy(rules, ["player=draw", "banker=draw"]))
    assert odds.ends == Odds(rules_of("home-pt")).ends


def test_best_replies() -> None:
    """Each line counted apart; a side plays best if no other line with the other side alike nets it more."""
    rules = rules_of("chemin-de-fer")
    found = replies(rules)
    assert len(found.lines) == 8
    nets = {}
    for line in found.lines:
        strategy = dict(zip(found.cells, line.actions, strict=True))
        odds = Odds(rules, strategy=strategy)
        nets[line.actions] = {"player": odds.expectation("player"), "banker": odds.expectation("banker")}
        assert nets[line.actions] == {"player": line.player, "banker": line.banker}
    for line in found.lines:
        player, *banker = line.actions
        others = {"player": [a for a in nets if list(a[1:]) == banker], "banker": [a for a in nets if a[0] == player]}
        for side in ("player", "banker"):
            best = all(nets[line.actions][side] >= nets[other][side] for other in others[side])
            assert (side in line.best) == best
    five, nine, four = found.cells
    assert found.best("banker", {five: "draw"}) == {nine: "draw", four: "draw"}
    assert found.best("banker", {five: "stand"}) == {nine: "stand", four: "stand"}
    assert found.best("player", {nine: "draw", four: "draw"}) == {five: "draw"}
    with pytest.raises(BadChoice, match="player:5 is left free"):
        found.best("banker", {})


def test_draws_that_depend_on_bets_have_no_odds() -> None:
    with pytest.raises(OracleError, match="depends on the bets laid"):
        Odds(rules_of("backed-five"), strategy={FreeCell("player_draw", (5,)): "draw"})


# --- changed rules --------------------------------------------------------------------------------


def flipped(odds: Odds, banker: int, third: int) -> Odds:
    """The same table with one cell of the banker's turned."""
    made = odds.book.decisions
    draws = tuple((row, yes != (row[1] == banker and row[2] == third)) for row, yes in made.banker_draws)
    return odds.otherwise(made=replace(made, banker_draws=draws))


@pytest.mark.parametrize(("banker", "third"), [(3, 8), (4, 1), (5, 4), (6, 6)])
def test_four_flips_leave_the_printed_edge_as_it_is(banker: int, third: int) -> None:
    """Each of these leaves 1.06 per cent: a simulation of the edge proves nothing."""
    odds = Odds(rules_of("home-pt"))
    other = flipped(odds, banker, third)
    assert other.expectation("banker") != odds.expectation("banker")
    assert f"{float(other.bet('banker').edge) * 100:.2f}" == "1.06"
    found = change(odds, other)
    assert found.otherwise == Fraction(odds.cells("banker_draw")[banker, third], odds.total)
    assert 0 < found.winners < found.otherwise
    assert found.edges["banker"] == other.bet("banker").edge - odds.bet("banker").edge


def test_the_rarest_cell_shows_in_its_winner_once_in_some_1370_coups() -> None:
    """Banker 3 against a seven, with replacement: 0.073 per cent of coups."""
    odds = Odds(rules_of("home-pt"), parse_shoe("endless"))
    assert f"{float(change(odds, flipped(odds, 3, 7)).winners) * 100:.3f}" == "0.073"


def naive_change(one: Rules, two: Rules, shoe: tuple[Card, ...]) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """The same, by playing every order of a small shoe at both tables; free cells are drawn on at both."""
    orders = Counter(permutations(shoe, 6))
    total, ends, winners, nets = sum(orders.values()), 0, 0, Counter[str]()
    bets = [bet for bet in one.bets if bet in two.bets]
    for order, copies in orders.items():
        coups = [played(rules, order) for rules in (one, two)]
        ends += copies * (coups[0].end != coups[1].end or coups[0].winner != coups[1].winner)
        winners += copies * (coups[0].winner != coups[1].winner)
        paid = [
            settle(rules, coup, {bet: Fraction(1) for bet in bets})
            for rules, coup in zip((one, two), coups, strict=True)
        ]
        for first, second in zip(*paid, strict=True):
            nets[first.bet] += copies * ((first.outcome, first.net) != (second.outcome, second.net))
    return Fraction(ends, total), Fraction(winners, total), {bet: Fraction(nets[bet], total) for bet in bets}


def played(rules: Rules, order: tuple[Card, ...]):  # type: ignore[no-untyped-def]
    """A coup with the player standing, the banker drawing where they are free."""
    for choose in ({}, {"player": "stand"}, {"banker": "draw"}, {"player": "stand", "banker": "draw"}):
        try:
            return play(rules, order, choose=choose)
        except BadChoice:
            continue
    raise AssertionError(order)


@pytest.mark.parametrize(
    ("first", "second"),
    mostly_slow(
        [("home-pt", "chemin-de-fer"), ("selminha/classica", "selminha/sem-comissao"), ("ez", "super-6")],
        ("home-pt", "chemin-de-fer"),
        ("selminha/classica", "selminha/sem-comissao"),
    ),
)
@pytest.mark.parametrize("cards", ["5C KD 4H 3C 6D 2H", "7H 7S KD KC 3H 3H"])
def test_a_change_is_what_playing_both_tables_gives(first: str, second: str, cards: str) -> None:
    shoe, composition = small(cards)
    one, two = rules_of(first), rules_of(second)
    strategy = parse_strategy(two, ["player=stand", "banker=draw"]) if free_cells(two) else {}
    found = change(Odds(one, composition), Odds(two, composition, strategy=strategy))
    assert (found.otherwise, found.winners, dict(found.nets)) == naive_change(one, two, shoe)


def test_another_net() -> None:
    """A program that pays the banker even: its edge is that of the wins and losses alone."""
    odds = Odds(rules_of("home-pt"))

    def even(rules: Rules, bet: str, state: object) -> Net:
        known = odds.book.net_of(rules, bet, state)  # type: ignore[arg-type]
        return Net("win", Fraction(1)) if (bet, known.outcome) == ("banker", "win") else known

    other = odds.otherwise(net_of=even)
    wins, losses = odds.outcomes["banker"], odds.outcomes["player"]
    assert other.bet("banker").edge == Fraction(losses - wins, odds.total)
    found = change(odds, other)
    assert (found.otherwise, found.nets["banker"], found.nets["tie"]) == (0, Fraction(wins, odds.total), 0)


def test_a_net_may_ask_for_what_the_rules_dont() -> None:
    """Half pay for a player who wins with six, at a table without such a rule."""
    odds = Odds(rules_of("home-pt"))

    def half(rules: Rules, bet: str, state) -> Net:  # type: ignore[no-untyped-def]
        six = (bet, state["winner"], state["player_total"]) == ("player", "player", 6)
        known = {field: value for field, value in state.items() if field != "player_total"}
        return Net("win", Fraction(1, 2)) if six else odds.book.net_of(rules, bet, known)

    other = odds.otherwise(net_of=half, more=("player_total",))
    space = odds.end_space
    rows = zip(space.column("winner"), space.column("player_total"), space.counts, strict=True)
    sixes = sum(count for winner, total, count in rows if (winner, total) == ("player", 6))
    assert other.bet("player").edge - odds.bet("player").edge == Fraction(sixes, 2 * odds.total)


def test_changes_are_of_one_shoe() -> None:
    rules = rules_of("home-pt")
    with pytest.raises(OracleError, match="on one shoe"):
        change(Odds(rules), Odds(rules, Composition.full(6)))


# --- cards that are gone --------------------------------------------------------------------------


def test_removal_is_the_edge_of_what_is_left() -> None:
    rules = rules_of("pair-bets")
    shoe = parse_shoe("AS=2, AH=1, KD=3, 9C=2")
    odds = Odds(rules, shoe)
    found = removal(odds)
    assert set(found) == {"A", "9", "K"}
    left = {card: Odds(rules, shoe.without(parse_cards(card))).bet("perfect_pair").edge for card in ("AS", "AH", "KD")}
    edge = odds.bet("perfect_pair").edge
    assert found["K"]["perfect_pair"] == left["KD"] - edge
    assert found["A"]["perfect_pair"] == (2 * left["AS"] + left["AH"]) / 3 - edge


def test_what_a_mean_card_changes_is_nothing() -> None:
    """A card nobody saw changes no edge: the effects, weighed by how many of a rank there are, add up to zero."""
    odds = Odds(rules_of("selminha/sem-comissao"), parse_shoe("8 decks, A=20, 9=11, K=30"))
    for bet in nonempty(odds.rules.bets):
        assert sum(odds.composition.ranks[rank] * by_bet[bet] for rank, by_bet in removal(odds).items()) == 0


def test_nothing_is_gone_from_an_endless_shoe() -> None:
    with pytest.raises(BadShoe, match="no card can be gone from an endless shoe"):
        removal(Odds(rules_of("home-pt"), parse_shoe("endless")))
    with pytest.raises(BadShoe, match="no card can be gone from 6 cards"):
        removal(Odds(rules_of("home-pt"), parse_shoe("A=6")))


# --- the coup before ------------------------------------------------------------------------------


def two_coups(left: dict[str, int]) -> Counter[tuple[str, str]]:
    """The winners of two coups in a row over every order of twelve cards of a few ranks."""
    found: Counter[tuple[str, str]] = Counter()
    rules = rules_of("home-pt")

    @cache
    def coup(ranks: tuple[str, ...]) -> tuple[str, int]:
        played = play(rules, [Card(rank) for rank in ranks])
        return played.winner, played.cards_used

    def deal(ranks: tuple[str, ...], ways: int) -> None:
        if len(ranks) == 12:
            first, used = coup(ranks[:6])
            found[first, coup(ranks[used : used + 6])[0]] += ways
            return
        for rank, count in left.items():
            if count:
                left[rank] -= 1
                deal((*ranks, rank), ways * count)
                left[rank] += 1

    deal((), 1)
    return found


@pytest.mark.parametrize("left", [{"A": 8, "6": 8}, {"7": 6, "9": 6}, {"4": 5, "5": 4, "K": 4}])
def test_two_coups_are_what_dealing_them_gives(left: dict[str, int]) -> None:
    found = consecutive(Odds(rules_of("home-pt"), Composition(left)))
    naive = two_coups(dict(left))
    assert {pair: count for pair, count in found.counts.items() if count} == naive
    assert found.total == sum(naive.values())


def test_two_coups_of_eight_decks() -> None:
    """Each side wins the second coup as often as the first; the table is symmetric; a tie makes a tie rarer."""
    odds = Odds(rules_of("selminha/classica"))
    found = consecutive(odds)
    for one in WINNERS:
        assert found.share(one) == Fraction(odds.outcomes[one], odds.total)
        assert sum(found.deviation(one, two) for two in WINNERS) == 0
        for two in WINNERS:
            assert found.counts[one, two] == found.counts[two, one]
    assert found.largest == ("tie", "tie")
    assert Fraction(-2, 100_000) < found.deviation("tie", "tie") < 0


def test_two_coups_from_more_cards_than_64_bits_count() -> None:
    odds = Odds(rules_of("home-pt"), parse_shoe("4=1500, K=1500, 9=700"))
    assert odds.total > 2**63
    found = consecutive(odds)
    assert {one: found.share(one) for one in WINNERS} == {
        one: Fraction(odds.outcomes[one], odds.total) for one in WINNERS
    }


def test_shuffled_after_each_coup() -> None:
    assert shuffled_between(rules_of("home-pt"))
    assert not shuffled_between(rules_of("selminha/classica"))
    with pytest.raises(OracleError, match="of twelve cards at least"):
        consecutive(Odds(rules_of("home-pt"), parse_shoe("A=11")))
    with pytest.raises(OracleError, match="a shoe that ends"):
        consecutive(Odds(rules_of("home-pt"), parse_shoe("endless")))
