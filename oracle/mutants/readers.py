"""Wrong readers of cards: notation that a program doesn't know, and texts that it takes for cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from oracle.cards import RANKS, SUITS, Card
from oracle.programs.card_reader import Reader, read

_SYMBOLS = "♣♦♥♠"


class ReaderMutant(msgspec.Struct, frozen=True):
    """A wrong reader: what it does wrong in words, and the card that it makes of a text, None if it refuses it."""

    id: str
    says: str
    reads: Reader


def reader_mutants() -> Iterator[ReaderMutant]:
    """Every wrong reader."""
    for id, says, refuses in _REFUSING:
        yield ReaderMutant(f"reads-{id}", says, _refusing(refuses))
    for id, says, makes in _TAKING:
        yield ReaderMutant(f"reads-{id}", says, _taking(makes))
    yield ReaderMutant("reads-nothing", "every text is refused", lambda _: None)
    yield ReaderMutant("reads-first-sign", "a rank is one sign, so that 10 is read as 1", _first_sign)
    yield ReaderMutant("reads-no-suit", "suits are left out", lambda text: _without_suit(read(text)))
    yield ReaderMutant("reads-hearts-as-diamonds", "hearts and diamonds are swapped", _swapped({"H": "D", "D": "H"}))
    yield ReaderMutant("reads-spades-as-clubs", "spades and clubs are swapped", _swapped({"S": "C", "C": "S"}))
    yield ReaderMutant(
        "reads-ten-as-ace", "a ten is read as an ace", lambda text: _as({"T": "A"}, read(text)) or read(text)
    )


def _body(text: str) -> str:
    """A text without its suit."""
    shown = text.strip()
    return shown[:-1] if shown[-1:].upper() in (*SUITS, *_SYMBOLS) else shown


def _is_low(text: str, *, suit: bool) -> bool:
    shown = text.strip()
    part = shown[-1:] if suit else _body(text)
    return any(letter.isascii() and letter.islower() for letter in part) and (not suit or part.upper() in SUITS)


_REFUSING: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("no-10", "10 is refused, only T is a ten", lambda text: _body(text) == "10"),
    ("no-t", "T is refused, only 10 is a ten", lambda text: _body(text) in ("T", "t")),
    ("no-lower-t", "t is refused, T is not", lambda text: _body(text) == "t"),
    ("no-lower-rank", "ranks in lower case are refused", lambda text: _is_low(text, suit=False)),
    ("no-lower-suit", "suits in lower case are refused", lambda text: _is_low(text, suit=True)),
    (
        "no-lower-case",
        "lower case is refused",
        lambda text: _is_low(text, suit=False) or _is_low(text, suit=True),
    ),
    ("no-symbols", "♣ ♦ ♥ ♠ are refused", lambda text: text.strip()[-1:] in tuple(_SYMBOLS)),
    ("no-bare-rank", "a rank without a suit is refused", lambda text: _body(text) == text.strip()),
    ("no-suits", "a card with a suit is refused", lambda text: _body(text) != text.strip()),
    ("no-spaces", "spaces before and after a card are refused", lambda text: text != text.strip()),
)

_FACES: Mapping[str, str] = MappingProxyType({"11": "J", "12": "Q", "13": "K"})
_OTHERS: Mapping[str, str] = MappingProxyType({"V": "J", "D": "Q", "R": "K"})


def _as(ranks: Mapping[str, str], card: Card | None) -> Card | None:
    """The card with a rank that stands for another."""
    return None if card is None or card.rank not in ranks else Card(ranks[card.rank], card.suit)


def _named(ranks: Mapping[str, str]) -> Reader:
    """Reads texts whose rank is written as in `ranks`."""

    def reads(text: str) -> Card | None:
        body = _body(text).upper()
        suited = read(f"A{text.strip()[len(body) :]}")
        return Card(ranks[body], suited.suit) if body in ranks and suited else None

    return reads


def _start(text: str) -> Card | None:
    """What the longest beginning that is a card names."""
    return next((card for end in range(len(text), 0, -1) if (card := read(text[:end]))), None)


def _end(text: str) -> Card | None:
    """What the longest end that is a card names."""
    return next((card for start in range(len(text)) if (card := read(text[start:]))), None)


_WORDS = {"ACE": "A", "TWO": "2", "TEN": "T", "JACK": "J", "QUEEN": "Q", "KING": "K"}


def _word(text: str) -> Card | None:
    first, *rest = text.upper().split() or [""]
    suit = rest[-1][:1] if rest else ""
    return Card(_WORDS[first], suit if suit in SUITS else "") if first in _WORDS else None


def _plain_digits(text: str) -> str:
    return "".join(str(int(sign)) if sign.isdecimal() else sign for sign in text)


_TAKING: tuple[tuple[str, str, Reader], ...] = (
    ("1-as-ace", "1 is taken for an ace", _named({"1": "A"})),
    ("14-as-ace", "14 is taken for an ace", _named({"14": "A"})),
    ("0-as-ten", "0 is taken for a ten", _named({"0": "T"})),
    ("11-as-jack", "11, 12 and 13 are taken for court cards", _named(_FACES)),
    ("x-as-ten", "X is taken for a ten", _named({"X": "T"})),
    ("other-courts", "V, D and R are taken for court cards", _named(_OTHERS)),
    (
        "zeros-before",
        "zeros before a rank are left out",
        lambda text: read(text.strip().lstrip("0")) if text.strip()[:1] == "0" else None,
    ),
    ("junk-after", "whatever follows a card is left out", _start),
    ("junk-before", "whatever precedes a card is left out", _end),
    ("spaces-between", "a space between rank and suit is left out", lambda text: read(text.replace(" ", ""))),
    (
        "dashes-between",
        "signs between rank and suit are left out",
        lambda text: read(text.replace("-", "").replace("_", "").replace("/", "")),
    ),
    ("suit-first", "a suit before the rank is taken", lambda text: read(text.strip()[1:] + text.strip()[:1])),
    (
        "rank-twice",
        "a card written twice is taken for one",
        lambda text: read(text[: len(text) // 2]) if text[: len(text) // 2] == text[len(text) // 2 :] else None,
    ),
    ("hollow-symbols", "♧ ♢ ♡ ♤ are taken for suits", lambda text: read(text.translate(str.maketrans("♧♢♡♤", "CDHS")))),
    ("styled-symbols", "a sign of style after a symbol is left out", lambda text: read(text.rstrip("\ufe0f"))),
    ("words", "words are taken for cards", _word),
    (
        "suit-alone",
        "a suit alone is taken for its ace",
        lambda text: read(f"A{text}") if len(text.strip()) == 1 else None,
    ),
    ("nothing-as-ten", "an empty text is taken for a ten", lambda text: None if text.strip() else Card("T")),
    (
        "joker",
        "a joker is taken for a card that counts nothing",
        lambda text: Card("T") if text.strip().upper() in ("JOKER", "JK", "*") else None,
    ),
    (
        "suits-of-one-letter",
        "any letter is taken for a suit",
        lambda text: read(text.strip()[:-1]) if text.strip()[-1:].isalpha() else None,
    ),
    ("wide-digits", "other scripts' digits are taken for ranks", lambda text: read(_plain_digits(text))),
)


def _refusing(refuses: Callable[[str], bool]) -> Reader:
    return lambda text: None if refuses(text) else read(text)


def _taking(makes: Reader) -> Reader:
    return lambda text: read(text) or makes(text)


def _first_sign(text: str) -> Card | None:
    shown = text.strip().upper()
    if not shown or shown[0] not in (*RANKS, "1"):
        return None
    rank = "A" if shown[0] == "1" else shown[0]
    last = read(f"A{shown[-1]}") if len(shown) > 1 else Card("A")
    return Card(rank, last.suit if last else "")


def _without_suit(card: Card | None) -> Card | None:
    return None if card is None else Card(card.rank)


def _swapped(suits: Mapping[str, str]) -> Reader:
    def reads(text: str) -> Card | None:
        card = read(text)
        return None if card is None else Card(card.rank, suits.get(card.suit, card.suit))

    return reads
