"""The right answers: coups, nets and legality as the rules of one table have them, in the shape of cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from msgspec.structs import replace

from oracle.cards import Card, parse_card, parse_cards
from oracle.cases.case import LEAVE, Answer, Case, Step, StepCoup, answer_with, case_id, id_of
from oracle.cases.digests import tableau_digest
from oracle.game.bets import refusals
from oracle.game.rules import Rules
from oracle.mutants.domain import Domain
from oracle.mutants.mistakes import mistakes, other_ways
from oracle.mutants.single import Mutant, single_changes
from oracle.programs.behaviour import Behaviour, Played, behaviour_of, play
from oracle.programs.bettor import Bettor, start_of
from oracle.programs.card_reader import read
from oracle.programs.cells import decisions
from oracle.programs.observables import values_played
from oracle.programs.shoe_left import left_of
from oracle.rules.answers import show_number

Stakes = Mapping[str, Fraction]
_DOMAINS: dict[str, Domain] = {}  # by tableau


def answer_of(behaviour: Behaviour, played: Played, stakes: Stakes) -> Answer:
    """What a behaviour answers about a coup that it played, with these bets."""
    return answer_with(values_played(behaviour, played, stakes))


class Reference:
    """The answers of one rule set. Raises `OracleError` if it leaves anything open that a coup can come to."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.behaviour = behaviour_of(rules)
        self.tiers: dict[str, tuple[Case, ...]] = {}  # that were laid, by name

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Every single change of the rules and every catalogued mistake."""
        return (*single_changes(self.behaviour), *mistakes(self.behaviour))

    @cached_property
    def candidates(self) -> tuple[Mutant, ...]:
        """What may be wrong with a program: the mutants, and the mistakes made in other ways, by the same ids."""
        return (*self.mutants, *other_ways(self.behaviour))

    @cached_property
    def domain(self) -> Domain:
        """The coups that prove a mutant unseen."""
        first = _DOMAINS.setdefault(self.tableau, Domain(self.behaviour))
        return first if first.right is self.behaviour else Domain(self.behaviour, like=first)

    @cached_property
    def tableau(self) -> str:
        """The digest of the tableau: rule sets that have it alike play coups alike."""
        return tableau_digest(self.behaviour)

    def coup(self, cards: Sequence[Card], stakes: Stakes | None = None, tags: Sequence[str] = ()) -> Case:
        """The case of these six cards with these stakes by bet."""
        stakes = stakes or {}
        played = play(self.behaviour, cards)
        texts = tuple(map(str, cards))
        bets = {bet: show_number(stake) for bet, stake in stakes.items()}
        return Case(
            id=case_id("coup", texts, bets),
            kind="coup",
            expect=answer_of(self.behaviour, played, stakes),
            cards=texts,
            bets=bets,
            cells=decisions(played),
            tags=tuple(tags),
        )

    def placed(self, stakes: Stakes, tags: Sequence[str] = (), *, balance: Fraction | None = None) -> Case:
        """The case whether these bets may be laid, by one who has `balance`."""
        stakes = dict(sorted(stakes.items()))
        found = list(refusals(self.rules, stakes, balance=balance))
        bets = {bet: show_number(stake) for bet, stake in stakes.items()}
        owned = None if balance is None else show_number(balance)
        return Case(
            id=case_id("bets", (), bets, owned),
            kind="bets",
            expect=Answer(legal=not found),
            bets=bets,
            balance=owned,
            tags=tuple(tags),
            why="; ".join(refusal.reason for refusal in found),
        )

    def shoe(
        self,
        dealt: int,
        tags: Sequence[str] = (),
        *,
        burnt: int = 0,
        decks: int | None = None,
        cut_card: bool | None = None,
    ) -> Case:
        """The case whether a shoe is shuffled from which coups took `dealt` cards; see `Case` for the rest."""
        shoe = left_of(self.rules, dealt, burnt=burnt, decks=decks, cut_card=cut_card)
        asked = Case("", "shoe", Answer(reshuffle=shoe.due), tags=tuple(tags), dealt=dealt, burnt=burnt, decks=decks)
        return _with_id(replace(asked, cut_card=cut_card))

    def session(self, steps: Sequence[Step], tags: Sequence[str] = (), *, balance: str | None = None) -> Case:
        """The case of a session of these steps, which starts with `balance` where the rules don't say with how much."""
        start = start_of(self.rules, None if balance is None else Fraction(balance))
        balances, ended = Bettor(self.behaviour, start).sit(map(step_of, steps))
        expect = Answer(balances=tuple(map(show_number, balances)), ended=ended)
        return _with_id(Case("", "session", expect, balance=balance, tags=tuple(tags), steps=tuple(steps)))

    def card(self, text: str, tags: Sequence[str] = ()) -> Case:
        """The case of a text that names a card, or none."""
        card = read(text)
        expect = Answer(refused=True) if card is None else Answer(rank=card.rank, suit=card.suit or None)
        return _with_id(Case("", "cards", expect, tags=tuple(tags), text=text))

    def again(self, case: Case) -> Case:
        """What a case asks, answered anew."""
        stakes = {bet: Fraction(text) for bet, text in case.bets.items()}
        match case.kind:
            case "coup":
                return self.coup(parse_cards(case.cards), stakes, case.tags)
            case "bets":
                return self.placed(stakes, case.tags, balance=None if case.balance is None else Fraction(case.balance))
            case "shoe":
                shoe = {"burnt": case.burnt, "decks": case.decks, "cut_card": case.cut_card}
                return self.shoe(case.dealt or 0, case.tags, **shoe)  # type: ignore[arg-type]
            case "session":
                return self.session(case.steps, case.tags, balance=case.balance)
            case "cards":
                return self.card(case.text or "", case.tags)


def step_of(step: Step) -> tuple[tuple[Card, ...], dict[str, Fraction]] | Literal["leave"]:
    """A step of a case with its cards and stakes read."""
    if not isinstance(step, StepCoup):
        return LEAVE
    return tuple(map(_card, step.cards)), {bet: Fraction(stake) for bet, stake in step.bets.items()}


_card = lru_cache(maxsize=1024)(parse_card)


def _with_id(case: Case) -> Case:
    return replace(case, id=id_of(case))


@lru_cache(maxsize=8)
def reference_of(rules: Rules) -> Reference:
    """The reference of a rule set, made once."""
    return Reference(rules)
