"""The closed list of codes: what each kind of finding means, how much it weighs, and what closes it.

Every report, the SARIF rules, what `accepted` may name and the table in `docs/language.md` come from here.
"""

from __future__ import annotations

import msgspec


class Code(msgspec.Struct, frozen=True):
    """A kind of finding, by its `name`.

    `means` says what was found, without a capital or a full stop; `level` is error or note. With `acceptable` an entry
    of `accepted` may let it stay, with a reason. `closed_by` are one or two sentences for whoever has it to close.
    """

    name: str
    means: str
    level: str
    acceptable: bool
    closed_by: str


_ALL = (
    Code(
        "gap",
        "a reachable state that no statement answers",
        level="error",
        acceptable=False,
        closed_by="Add the statement that the document has, or a resolution that fills the states, with its reason.",
    ),
    Code(
        "conflict",
        "a reachable state whose statements leave no permitted answer",
        level="error",
        acceptable=False,
        closed_by="Mend the statements, or add a resolution that names in instead_of the one that it sets aside.",
    ),
    Code(
        "ambiguous",
        "one sentence with several readings that differ in some state",
        level="error",
        acceptable=False,
        closed_by="Choose a reading in a resolution, with the reason.",
    ),
    Code(
        "undecided",
        "several permitted actions and nobody declared to choose",
        level="error",
        acceptable=False,
        closed_by="Name in choosers who chooses, or add a resolution.",
    ),
    Code(
        "dead",
        "no state meets the guard: contradictory in itself, or unreachable",
        level="error",
        acceptable=True,
        closed_by="Mend the guard, or accept the finding with the reason.",
    ),
    Code(
        "vacuous",
        "a question, a guard or a comparison with no state to speak about",
        level="error",
        acceptable=True,
        closed_by="Mend the guard or the question, or accept the finding with the reason.",
    ),
    Code(
        "false-claim",
        "an assertion of the document that its own rules refute",
        level="error",
        acceptable=True,
        closed_by="See whether the claim is encoded as the document has it, then accept the finding with the reason.",
    ),
    Code(
        "chips",
        "legal stakes whose net is not payable in chips, and no rounding rule",
        level="error",
        acceptable=True,
        closed_by="Say how nets are rounded, in a statement or a resolution, or accept the finding with the reason.",
    ),
    Code(
        "unaccounted",
        "a sentence of the document that nothing in the spec cites",
        level="error",
        acceptable=False,
        closed_by="Cite the sentence in a statement or a claim, or list it as silent with the reason.",
    ),
    Code(
        "not-encoded",
        "a document of which nothing is encoded: its sentences are free text, silent or blank, and no claim is judged",
        level="error",
        acceptable=False,
        closed_by="Encode what the document says of the rules in statements, or judge its assertions in claims.",
    ),
    Code(
        "stated-and-silent",
        "a sentence that statements or claims cite, and that is listed as silent",
        level="error",
        acceptable=False,
        closed_by="Take the sentence out of silent, or out of what cites it.",
    ),
    Code(
        "self-claim",
        "a claim that sets a source, a rule set or a measure against itself",
        level="error",
        acceptable=False,
        closed_by="Name the other one that the document speaks of, limit the claim to other tables, or remove it.",
    ),
    Code(
        "no-bet",
        "a rule set at which nothing can be bet",
        level="error",
        acceptable=False,
        closed_by="Say which bets there are, which go together, and which stakes may be laid.",
    ),
    Code(
        "shadowed",
        "questions taken from a file beside the spec, though a folder of specs has another one of that name",
        level="error",
        acceptable=False,
        closed_by="Name the file and its source otherwise, or give its folder with --specs.",
    ),
    Code(
        "overrides-clear",
        "a resolution that changes what the text says where it is clear, by setting statements aside",
        level="error",
        acceptable=True,
        closed_by="Narrow its guard to what is open or in conflict, or accept the finding with the reason.",
    ),
    Code(
        "yielded-conflict",
        "a contradiction of two sentences that yields_to decides",
        level="error",
        acceptable=True,
        closed_by="Drop yields_to and resolve the conflict, or accept the finding with the reason.",
    ),
    Code(
        "refuted-invariant",
        "something that has to hold at any table, and that the rules of this one refute",
        level="error",
        acceptable=True,
        closed_by="See whether the rules are encoded as the document has them, or accept the finding with the reason.",
    ),
    Code(
        "unneeded-resolution",
        "a resolution that closes nothing",
        level="error",
        acceptable=False,
        closed_by="Remove the resolution, or name in instead_of what it sets aside.",
    ),
    Code(
        "overriding-resolution",
        "a resolution that changes what a clear statement says without naming it",
        level="error",
        acceptable=False,
        closed_by="Narrow its guard, or name in instead_of what it sets aside.",
    ),
    Code(
        "unneeded-acceptance",
        "an accepted entry that accepts nothing",
        level="error",
        acceptable=False,
        closed_by="Remove the entry, or name a finding as check prints it.",
    ),
    Code(
        "miscounted-acceptance",
        "an accepted entry whose findings are more, fewer or others than it says, or several without a number",
        level="error",
        acceptable=False,
        closed_by="Look at each of its findings again, then write their number as cases, or their states as states.",
    ),
    Code(
        "masked",
        "a statement fully covered by others that say the same",
        level="note",
        acceptable=True,
        closed_by="Nothing has to be done: the statement agrees with those that cover it.",
    ),
    Code(
        "overlap",
        "several statements answer a state alike",
        level="note",
        acceptable=False,
        closed_by="Nothing has to be done: the statements agree.",
    ),
    Code(
        "assumed",
        "a closed-world default of the language was used",
        level="note",
        acceptable=False,
        closed_by="Nothing has to be done; a statement or a resolution can say it in so many words.",
    ),
)

CODES = {code.name: code for code in _ALL}
"""By name, in the order in which reports list them."""

ACCEPTABLE = tuple(code.name for code in CODES.values() if code.acceptable)
