"""Sessions of one bettor: what may be left over from the coup before, the order of money, and how a session ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

from oracle.cases.case import Case
from oracle.cases.coup_cases import stakes_of
from oracle.cases.reference import Reference
from oracle.cases.script import (
    Like,
    Maker,
    NoCards,
    SessionScript,
    Stakes,
    any_end,
    banker_wins,
    banker_with_six,
    both_drew,
    losing,
    natural_of_banker,
    natural_of_player,
    player_stood,
    player_wins,
    stood_ahead,
    stood_on_six,
    third_eight,
    third_six,
    tied,
    turned,
    winning,
    won_by,
)
from oracle.game.listed_numbers import tested_constants
from oracle.game.money import legal_stakes
from oracle.game.rules import Rules
from oracle.programs.bettor import Bettor, start_of
from oracle.rules.answers import show_number

_MIXED = 16
_LENGTH = 8


def sessions(reference: Reference) -> Iterator[Case]:
    """Sessions of every sort; those that these rules or their shoe don't allow are left out."""
    maker = Maker(reference)
    start = None if maker.balance is None else show_number(maker.balance)
    for tag, write in _SORTS.items():
        for script in write(maker):
            if script is not None:
                yield reference.session(script.steps, (tag,), balance=start)


def _tried(write: Callable[[], SessionScript]) -> SessionScript | None:
    try:
        return write()
    except NoCards:
        return None


# The sorts of sessions


def _one_coup(maker: Maker) -> Iterator[SessionScript | None]:
    for bet, winner in product(maker.least, ("player", "banker", "tie")):
        yield _tried(lambda bet=bet, winner=winner: maker.script().coup(maker.least[bet], won_by(winner)))  # type: ignore[misc]


def _after_a_tie(maker: Maker) -> Iterator[SessionScript | None]:
    """A tie after each winner, with a bet on each side; once more after a second tie."""

    def write(first: str, bet: str) -> SessionScript:
        script = maker.script().coup(maker.least[first], won_by(first)).coup(maker.least[bet], tied)
        return script.coup(maker.least[bet], tied).coup(maker.least[bet], won_by(bet))

    sides = [bet for bet in ("player", "banker") if bet in maker.least]
    for first, bet in product(sides, sides):
        yield _tried(lambda first=first, bet=bet: write(first, bet))  # type: ignore[misc]


def _after_a_natural(maker: Maker) -> Iterator[SessionScript | None]:
    """A natural, then coups that third cards turn, then hands that stand."""
    bets = list(maker.least)

    def write(natural: Like, bet: str) -> SessionScript:
        script = maker.script().coup(maker.least[bet], natural)
        for _ in range(min(3, maker.longest - 2)):
            script.coup(maker.least[bet], turned)
        return script.coup(maker.least[bet], player_stood)

    for natural, bet in product((natural_of_player, natural_of_banker), bets[:2]):
        yield _tried(lambda natural=natural, bet=bet: write(natural, bet))  # type: ignore[misc]


def _left_cards(maker: Maker) -> Iterator[SessionScript | None]:
    """Coups of few cards and of many in turn, and third cards before hands that stand."""

    def write(bet: str, order: Sequence[Like]) -> SessionScript:
        script = maker.script()
        for like in order[: maker.longest]:
            script.coup(maker.least[bet], like)
        return script

    orders = (
        (natural_of_player, both_drew, natural_of_banker, both_drew, turned),
        (both_drew, player_stood, player_stood, both_drew, player_stood),
        (third_eight, stood_ahead, stood_ahead, stood_ahead),
        (third_six, stood_on_six, stood_on_six, stood_on_six),
    )
    for bet, order in product(list(maker.least)[:2], orders):
        yield _tried(lambda bet=bet, order=order: write(bet, order))  # type: ignore[misc]


def _after_a_pair(maker: Maker) -> Iterator[SessionScript | None]:
    """A pair of each side, then hands without any, with bets on both."""
    pairs = [bet for bet in maker.least if bet.endswith("_pair")]

    def write(side: str, stakes: Stakes) -> SessionScript:
        script = maker.script().coup(stakes, any_end, pair=side)
        for _ in range(3):
            script.coup(stakes, any_end, pair="nobody")
        return script.coup(stakes, any_end, pair=side)

    for side, bet in product(("player", "banker") if pairs else (), pairs):
        yield _tried(lambda side=side, bet=bet: write(side, maker.least[bet]))  # type: ignore[misc]


def _other_bets(maker: Maker) -> Iterator[SessionScript | None]:
    """From one bet to another that wins or loses, at another stake; sets of bets before and after."""

    def write(first: str, second: str) -> SessionScript:
        more = {second: maker.ladder[second][min(1, len(maker.ladder[second]) - 1)]}
        script = maker.script().coup(maker.least[first], losing(first)).coup(maker.least[second], losing(second))
        return script.coup(more, winning(second)).coup(maker.least[first], winning(first)).coup(more, losing(second))

    def several(bets: Sequence[str]) -> SessionScript:
        stakes = {bet: maker.ladder[bet][0] for bet in bets}
        script = (
            maker.script().coup(stakes, banker_wins).coup(maker.least[bets[0]], player_wins).coup(stakes, player_wins)
        )
        return script.coup(maker.least[bets[-1]], banker_wins).coup(stakes, tied)

    for first, second in list(permutations(maker.least, 2))[:6]:
        yield _tried(lambda first=first, second=second: write(first, second))  # type: ignore[misc]
    for bets in maker.sets:
        if len(bets) > 1:
            yield _tried(lambda bets=bets: several(bets))  # type: ignore[misc]


def _banker_wins(maker: Maker) -> Iterator[SessionScript | None]:
    """One win of the banker after the other, at all stakes, and leaving then."""

    def write(turn: int) -> SessionScript:
        script, stakes = maker.script(), maker.ladder["banker"]
        for step in range(4):
            stake = stakes[(step + turn) % len(stakes)]
            script.coup({"banker": min(stake, script.balance) if _is_short(maker, script) else stake}, banker_wins)
        return script.leave() if maker.leaves else script

    for turn in range(3 if "banker" in maker.ladder else 0):
        yield _tried(lambda turn=turn: write(turn))  # type: ignore[misc]


def _is_short(maker: Maker, script: SessionScript) -> bool:
    """Whether the balance is below a stake that the table takes, and that matters."""
    return bool(maker.rules.clauses_about("total_stake")) and script.balance < max(maker.ladder["banker"])


def _bounds(maker: Maker) -> Iterator[SessionScript | None]:
    """Balances on, above and below each bound that ends a session, reached exactly, and a coup after it."""
    if not {"player", "banker"} <= set(maker.ladder):
        return
    constants, _ = tested_constants(maker.rules, "session_end", "balance")
    step, least = maker.ladder["player"][0], maker.ladder["banker"][0]

    def write(target: Fraction, first: tuple[Fraction, Like] | None) -> SessionScript:
        script = maker.script()
        if first is not None:  # which may net a fraction
            script.coup({"banker": first[0]}, first[1])
        for stake in _stakes_to(maker, script.balance, target):
            script.coup({"player": stake}, player_wins if target > script.balance else banker_wins)
        return script.coup(maker.least["player"], player_wins)

    targets = {Fraction(0), *(Fraction(bound) + change for bound in constants for change in (-step, 0, step, 1, -1))}
    firsts = [None, (least, banker_wins), (least, banker_with_six)]
    if constants and (stake := _leaving_little(maker, step)):
        firsts.append((stake, banker_wins))
    for target, first in product(sorted(targets), firsts):
        yield _tried(lambda target=target, first=first: write(target, first))  # type: ignore[misc]


def _leaving_little(maker: Maker, step: Fraction) -> Fraction | None:
    """A stake on the banker whose win makes a balance of which whole steps leave less than one, and not nothing."""
    start = start_of(maker.rules, maker.balance)
    units = {factor for (bet, _), factor in maker.reference.behaviour.nets.items() if bet == "banker" and factor > 0}
    for stake in legal_stakes(maker.rules, "banker") or ():
        if stake <= start and all(0 < (start + stake * factor) % step < 1 for factor in units):
            return Fraction(stake)
    return None


def _stakes_to(maker: Maker, balance: Fraction, target: Fraction) -> list[Fraction]:
    """Stakes on the player that lead from a balance to another one, or as near as they can. Raises `NoCards`."""
    legal = legal_stakes(maker.rules, "player")
    left = abs(target - balance)
    found: list[Fraction] = []
    while left > 0 and len(found) < maker.longest - 2:
        fitting = [stake for stake in legal if stake <= left] if legal else [left]
        if not fitting:
            break
        found.append(Fraction(fitting[-1]))
        left -= found[-1]
    if not found or left >= (legal[0] if legal else 1):
        raise NoCards
    if left and legal and target < balance:  # below the target by a fraction that no stake has
        smallest = Fraction(legal[0])
        if len(found) == 1 and found[0] + smallest in legal:
            found[0] += smallest
        else:
            found.append(smallest)
    return found


def _number_of_coups(maker: Maker) -> Iterator[SessionScript | None]:
    """One coup less, as many and one more than each bound of coups, with and without bets that are refused."""
    constants, _ = tested_constants(maker.rules, "session_end", "coups")
    bets = list(maker.least)

    def write(count: int, *, refused: bool) -> SessionScript:
        script = maker.script()
        for turn in range(count):
            if refused and turn % 4 == 2:
                _refused_step(maker, script)
            script.coup(maker.least[bets[turn % len(bets)]], any_end)
        return script

    for bound in sorted(bound for bound in constants if 0 < bound < maker.longest):
        for count, refused in product((bound - 1, bound, bound + 1, bound + 2), (False, True)):
            yield _tried(lambda count=count, refused=refused: write(count, refused=refused))  # type: ignore[misc]


def _leaving(maker: Maker) -> Iterator[SessionScript | None]:
    """Leaving at once, after some coups, twice, and a coup after it."""
    if not maker.leaves:
        return
    bet = next(iter(maker.least))
    for coups in range(3):

        def write(coups: int = coups) -> SessionScript:
            script = maker.script()
            for _ in range(coups):
                script.coup(maker.least[bet], player_wins)
            return script.leave()

        yield _tried(write)
        yield _tried(lambda write=write: write().coup(maker.least[bet], player_wins))  # type: ignore[misc]
        yield _tried(lambda write=write: write().leave())  # type: ignore[misc]


def _refused_step(maker: Maker, script: SessionScript) -> None:
    """A coup whose bets are refused, by the rules of these bets or for want of balance."""
    for stakes in _illegal(maker, script.balance):
        bet = next((bet for bet in stakes if bet in maker.rules.bets), "player")
        script.coup(stakes, winning(bet))
        return
    raise NoCards


def _illegal(maker: Maker, balance: Fraction) -> Iterator[Stakes]:
    """Bets that the rules refuse of one who has so much."""
    bettor = Bettor(maker.reference.behaviour, balance)
    legal = {bet: legal_stakes(maker.rules, bet) for bet in maker.ladder}
    every = {bet: stakes[0] for bet, stakes in maker.ladder.items()}
    tried: list[Stakes] = [{bet: Fraction(min(above))} for bet in legal if (above := _above(legal[bet], balance))]
    for bets in maker.sets:
        most = {bet: max((Fraction(s) for s in legal[bet] or () if s <= balance), default=Fraction(0)) for bet in bets}
        if len(bets) > 1 and all(most.values()):  # each is there, all of them are not
            tried.insert(1, most)
    tried += [{first: every[first], second: every[second]} for first, second in list(permutations(every, 2))[:2]]
    tried += [{"dragon": min(every.values())}, every, {}]
    for bet, stakes in maker.ladder.items():
        tried += [{bet: 2 * stakes[-1]}, {bet: stakes[0] + 1}, {bet: Fraction(0)}, {bet: stakes[-1]}]
    seen: list[Stakes] = []
    for asked in tried:
        if asked not in seen and not bettor.takes(asked, balance):
            seen.append(asked)
            yield asked


def _above(stakes: Sequence[int] | None, balance: Fraction) -> list[int]:
    return [stake for stake in stakes or () if stake > balance]


def _refusals(maker: Maker) -> Iterator[SessionScript | None]:
    """Bets that are refused, at once and after losses, each followed by bets that are taken."""
    bets = list(maker.least)

    def at_once(stakes: Stakes) -> SessionScript:
        known = next((bet for bet in stakes if bet in maker.rules.bets), bets[0])
        other = bets[1] if known == bets[0] and len(bets) > 1 else bets[0]
        script = maker.script().coup(stakes, winning(known)).coup(maker.least[other], losing(other))
        return script.coup(stakes, losing(known)).coup(maker.least[known], winning(known))

    def after_losses(turn: int) -> SessionScript:
        script = maker.script()
        legal = legal_stakes(maker.rules, "player")
        most = [stake for stake in legal or () if stake <= script.balance * 3 / 5]
        script.coup({"player": Fraction(most[-1])} if most else maker.least["player"], banker_wins)
        script.coup(maker.least["banker"], player_wins)
        refused = list(_illegal(maker, script.balance))
        script.coup(refused[turn], winning(next(iter(refused[turn]), "player")))
        taken = [Fraction(stake) for stake in legal or () if stake <= script.balance]
        script.coup({"player": taken[-1]} if taken else maker.least["player"], player_wins)
        return script.coup(maker.least["player"], banker_wins)

    start = start_of(maker.rules, maker.balance)
    illegal = list(_illegal(maker, start))
    for stakes in illegal[:8]:
        yield _tried(lambda stakes=stakes: at_once(stakes))  # type: ignore[misc]
    if {"player", "banker"} <= set(bets):
        for turn in range(min(6, len(illegal))):
            yield _tried(lambda turn=turn: after_losses(turn))  # type: ignore[misc]


def _mixed(maker: Maker) -> Iterator[SessionScript | None]:
    """Whatever may come: bets, stakes and coups as they fall, some of them refused."""

    def write(turn: int) -> SessionScript:
        script = maker.script()
        for _ in range(min(_LENGTH, maker.longest)):
            if maker.random.below(6) == 0:
                _refused_step(maker, script)
                continue
            names = maker.sets[maker.any_of(maker.sets)]
            kept = [name for name in names if maker.random.below(3)] or [names[0]]
            stakes = {name: maker.ladder[name][maker.any_of(maker.ladder[name])] for name in kept}
            script.coup(stakes, (any_end, turned, tied, any_end)[maker.random.below(4)])
        return script.leave() if maker.leaves and turn % 2 else script

    for turn in range(_MIXED):
        yield _tried(lambda turn=turn: write(turn))  # type: ignore[misc]


_SORTS: dict[str, Callable[[Maker], Iterator[SessionScript | None]]] = {
    "one-coup": _one_coup,
    "after-a-tie": _after_a_tie,
    "after-a-natural": _after_a_natural,
    "left-cards": _left_cards,
    "after-a-pair": _after_a_pair,
    "other-bets": _other_bets,
    "banker-wins": _banker_wins,
    "bounds": _bounds,
    "number-of-coups": _number_of_coups,
    "leaving": _leaving,
    "refusals": _refusals,
    "mixed": _mixed,
}


def silent_of_sessions(rules: Rules) -> str:
    """Why there is no session; empty if there are some."""
    if rules.value("commission_due") not in (None, "coup"):
        return f"{rules.id} takes commission at the end of the shoe, which no session here has"
    if not any(stakes_of(rules, bet) for bet in rules.bets):
        return f"{rules.id} takes no stake on any bet"
    for question in ("session_end", "score"):
        if rules.clauses_about(question) and rules.evaluation(question).open:
            return f"{rules.id} leaves open {rules.evaluation(question).question.asks}"
    return ""
