"""What must hold of a suite: `lint` looks at form and coverage, `check_suite` also works every answer out anew.

Nothing is searched for here: a certificate is checked by playing what it names, which is much faster than finding it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from oracle.cases.case import Answer, Case, StepCoup, id_of
from oracle.cases.firing import Reached, reached_by, read_amount, read_card, unfired
from oracle.cases.large_tiers import large_entry, large_name
from oracle.cases.manifest import MANIFEST, Certificate, Manifest, certificate_path, digest
from oracle.cases.meaning import meaning_digest
from oracle.cases.minimal import SETS, shown_by
from oracle.cases.reference import Reference, reference_of
from oracle.cases.shipped import read_cases
from oracle.cases.suite import COMMAND, TAGS, cells, described, lines, pretty
from oracle.cases.tiers import LARGE, TIERS, cases, silent
from oracle.game.rules import Rules
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import play
from oracle.programs.observables import BY_BET, SHOW_PAIRS, observe
from oracle.progress import track
from oracle.spans import OracleError
from oracle.text import printable

_SHOWN = 5


def lint(files: Mapping[str, bytes], rule_sets: Sequence[Rules]) -> Iterator[str]:
    """What is wrong with the form of a suite, as lines for people: bytes, schema, ids, tags, and what nothing tests.

    `files` are its bytes by path.
    """
    try:
        manifest = read_manifest(files)
    except OracleError as error:
        yield str(error)
        return
    read: dict[str, list[Case]] = {}
    for path, entry in manifest.files.items():
        data = files.get(path)
        if data is None:
            yield f"{printable(path)} is missing: run `{COMMAND}`"
            continue
        if digest(data) != entry.sha256:
            yield f"{printable(path)} has not the bytes that the manifest names"
        try:
            found = read_cases(data)
        except msgspec.DecodeError as error:
            yield f"{printable(path)}: {error}"
            continue
        if len(found) != entry.cases:
            yield f"{printable(path)} has {len(found):,} cases, the manifest says {entry.cases:,}"
        if lines(found).encode() != data:
            yield f"{printable(path)} is not written as cases are: fields that none has, or another order"
        yield from _cases(path, found)
        read[path] = [case for case in found if _is_playable(case)]
    for id, named in manifest.rules.items():
        for tier in sorted(tier for tier, path in named.tiers.items() if path not in manifest.files):
            yield f"{printable(id)}: the manifest has no file for the tier {printable(tier)}: run `{COMMAND}`"
    yield from _clashes(manifest, read)
    known = {rules.id: rules for rules in rule_sets}
    for id in sorted({*known, *manifest.rules}):
        if id not in manifest.rules or id not in known:
            where = "the manifest" if id in manifest.rules else "the specs"
            yield f"{printable(id)} stands in {where} alone: run `{COMMAND}`"
    references = {id: reference_of(known[id]) for id in manifest.rules if id in known}
    yield from _beside(manifest, files, references)
    shared: dict[tuple[object, ...], Reached] = {}  # of files that rule sets share
    for id, reference in references.items():
        paths = manifest.rules[id].tiers.values()
        if not all(path in read for path in paths):
            continue
        fields = reference.rules.space("player_draw").fields
        keys = {path: (path, reference.tableau, fields) for path in paths if path.startswith("tableau-")}
        for path, key in keys.items():
            if key not in shared:
                shared[key] = reached_by(reference, read[path])
        own = [case for path in paths if path not in keys for case in read[path]]
        lost = [clause.id for clause in unfired(reference, own, [shared[key] for key in keys.values()])]
        if lost:
            yield f"{id}: no case comes to what {', '.join(lost[:_SHOWN])} says, and `check` doesn't say why"


def read_manifest(files: Mapping[str, bytes]) -> Manifest:
    """The manifest of a suite. Raises `OracleError`."""
    try:
        return msgspec.json.decode(files.get(MANIFEST, b""), type=Manifest)
    except (msgspec.DecodeError, RecursionError) as error:
        raise OracleError(f"manifest.json can't be read: {error}; run `{COMMAND}`") from error


def _cases(path: str, found: Sequence[Case]) -> Iterator[str]:
    """Ids that come twice or are not those of what is asked, tags that nobody explains, cases that expect nothing."""
    seen: set[str] = set()
    for case in found:
        if case.id in seen:
            yield f"{printable(path)}: {printable(case.id)} comes twice"
        seen.add(case.id)
        if case.id != id_of(case):
            yield f"{printable(path)}: {printable(case.id)} is not the id of what it asks"
        if not _is_playable(case):
            yield f"{printable(path)}: {printable(case.id)} has cards or stakes that can't be read, or not six cards"
        if case.expect == Answer():
            yield f"{printable(path)}: {printable(case.id)} expects nothing"
        for tag in case.tags:
            if tag not in TAGS:
                yield f"{printable(path)}: {printable(case.id)} has the tag `{printable(tag)}`, which nothing explains"


def _is_playable(case: Case) -> bool:
    """Whether cards and stakes can be read, and a coup has cards enough."""
    try:
        coups = [step for step in case.steps if isinstance(step, StepCoup)]
        for text in (*case.bets.values(), case.balance or "0", *(s for coup in coups for s in coup.bets.values())):
            read_amount(text)
        cards = [read_card(text) for text in case.cards]
        dealt = [[read_card(text) for text in coup.cards] for coup in coups]
    except (OracleError, ValueError, ZeroDivisionError):
        return False
    return (case.kind != "coup" or len(cards) == 6) and all(len(cards) == 6 for cards in dealt)


def _beside(manifest: Manifest, files: Mapping[str, bytes], references: Mapping[str, Reference]) -> Iterator[str]:
    """What is wrong with the files that explain cases, and files that belong to nothing."""
    due = dict(described())
    for id, reference in references.items():
        due[f"{id}/cells.json"] = pretty(cells(reference))
    for path, text in due.items():
        if files.get(path) != text.encode():
            yield f"{printable(path)} {'is not as it should be' if path in files else 'is missing'}: run `{COMMAND}`"
    more = [certificate_path(path) for path, entry in manifest.files.items() if entry.tier in SETS]
    more += [f"{id}/cells.json" for id in manifest.rules]
    for path in sorted(set(files) - {MANIFEST, *manifest.files, *due, *more}):
        yield f"{printable(path)} belongs to nothing in the manifest"


def _clashes(manifest: Manifest, read: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    """Cases of one rule set that ask the same and expect different answers."""
    for id, entry in manifest.rules.items():
        seen: dict[str, Case] = {}
        for path in entry.tiers.values():
            for case in read.get(path, ()):
                other = seen.setdefault(case.id, case)
                if other.expect != case.expect:
                    yield f"{printable(id)}: {printable(case.id)} is expected to be answered in two ways"


def check_suite(files: Mapping[str, bytes], rule_sets: Sequence[Rules], large: Collection[str] = ()) -> Iterator[str]:
    """Everything that is wrong with a suite, as lines for people: what `lint` tells, answers, minimal sets.

    Of the large tiers only those in `large` are made anew, to be compared with their digests.
    """
    yield from lint(files, rule_sets)
    try:
        manifest = read_manifest(files)
    except OracleError:
        return
    read: dict[str, list[Case]] = {}
    for path in manifest.files:
        with suppress(msgspec.DecodeError, KeyError):
            read[path] = [case for case in read_cases(files[path]) if _is_playable(case)]
    checked: set[str] = set()
    for rules in sorted(rule_sets, key=lambda rules: rules.id):
        if rules.id in manifest.rules:
            reference = reference_of(rules)
            yield from _rule_set(reference, manifest, files, read, checked)
            yield from _large(reference, manifest, large, checked)


def _large(reference: Reference, manifest: Manifest, wanted: Collection[str], checked: set[str]) -> Iterator[str]:
    """What is wrong with the digests of large tiers."""
    named = manifest.rules[reference.rules.id].large
    for tier in LARGE:
        name = large_name(reference, tier)
        if named.get(tier) != name or name not in manifest.large:
            yield f"{reference.rules.id}: the manifest names no digest of {name}: run `{COMMAND}`"
        elif tier in wanted and name not in checked:
            checked.add(name)
            if large_entry(reference, tier) != manifest.large[name]:
                yield f"{name} is not what the manifest says: run `{COMMAND}`"


def _rule_set(
    reference: Reference,
    manifest: Manifest,
    files: Mapping[str, bytes],
    read: Mapping[str, Sequence[Case]],
    checked: set[str],
) -> Iterator[str]:
    id = reference.rules.id
    entry = manifest.rules[id]
    if entry.meaning != meaning_digest(reference):
        yield (
            f"the rules of {id} no longer mean what they did when its cases were written: run `{COMMAND}`; "
            f"if a case is answered otherwise the suite, now {manifest.suite}, needs a new major version"
        )
    if entry.silent != {tier: why for tier in TIERS if (why := silent(reference.rules, tier))}:
        yield f"{id}: the manifest tells otherwise of tiers that have no cases: run `{COMMAND}`"
    if missing := sorted({*SETS, *TIERS} - {*LARGE, *entry.silent, *entry.tiers}):
        yield f"{id}: no cases of the tier {', '.join(missing)}: run `{COMMAND}`"
    reached = {cell for path in entry.tiers.values() for case in read.get(path, ()) for cell in case.cells}
    wanted = {mutant.cells[0] for mutant in reference.mutants if mutant.family == "flip"}
    if wanted - reached:
        yield f"{id}: no case comes to {', '.join(sorted(wanted - reached)[:_SHOWN])}"
    for tier, path in track(entry.tiers.items(), f"answers of {id}", of=len(entry.tiers)):
        if path.startswith("tableau-") and not path.startswith(f"tableau-{reference.tableau[:8]}/"):
            yield f"{id}: {path} is of another tableau"
            continue
        found = read.get(path)
        if found is None or path in checked:  # shared with a rule set of the same tableau
            continue
        checked.add(path)
        due = None if tier in SETS else list(cases(reference.rules, tier))
        wrong = [] if found == due else [case.id for case in found if reference.again(case) != case]
        if wrong:
            yield f"{path}: the rules of {id} answer {len(wrong):,} cases otherwise: {', '.join(wrong[:_SHOWN])}"
        if tier in SETS:
            place = certificate_path(path)
            try:
                known = msgspec.json.decode(files.get(place, b""), type=Certificate)
            except (msgspec.DecodeError, RecursionError) as error:
                yield f"{place} can't be read: {error}"
                continue
            for problem in certified(reference, SETS[tier], known, found):
                yield f"{place}: {problem}"
        elif due is not None and [case.id for case in found] != [case.id for case in due]:
            yield f"{path} doesn't ask what the tier {tier} asks"


def certified(
    reference: Reference, observables: Sequence[str], known: Certificate, found: Sequence[Case]
) -> Iterator[str]:
    """What is wrong with a certificate: a mutant that its case doesn't show, one that can be seen, a false bound."""
    if tuple(known.observables) != tuple(observables):
        yield f"it is for {', '.join(known.observables)}, not for {', '.join(observables)}"
        return
    mutants = {mutant.id: mutant for mutant in shown_by(reference, observables)}
    by_id = {case.id: case for case in found}
    if len(known.bound) != len(found):
        yield f"{len(found)} cases, and {len(known.bound)} mutants of which no coup shows two"
    told = {*known.shown, *known.unseen}
    if told != set(mutants):
        yield f"it doesn't speak of {', '.join(sorted(set(mutants) ^ told)[:_SHOWN])}"
        return
    for id, name in known.shown.items():
        if name not in by_id or not _shows(reference, mutants[id], by_id[name], observables):
            yield f"{name} doesn't show `{id}`"
    domain = reference.domain
    for id in track(known.unseen, f"changes that no coup of {reference.rules.id} shows", of=len(known.unseen)):
        if not unseen(domain, mutants[id], observables):
            yield f"`{id}` can be seen"
    yield from _bound(reference, [mutants[id] for id in known.bound if id in mutants], observables)


def _shows(reference: Reference, mutant: Mutant, case: Case, observables: Sequence[str]) -> bool:
    cards = [read_card(text) for text in case.cards]
    stakes = {bet: read_amount(text) for bet, text in case.bets.items()}
    right, wrong = reference.behaviour, mutant.behaviour
    due = observe(right, play(right, cards), observables, stakes)
    return due != observe(wrong, play(wrong, cards), observables, stakes)


def _bound(reference: Reference, bound: Sequence[Mutant], observables: Sequence[str]) -> Iterator[str]:
    """Two mutants of the bound that one coup shows. Nets and pairs show no draw that cards don't show."""
    plain = tuple(name for name in observables if name not in BY_BET | SHOW_PAIRS)
    key = (reference.tableau, tuple(mutant.id for mutant in bound), plain)
    if key not in _BOUNDS:
        _BOUNDS[key] = _together(reference, bound, plain)
    if _BOUNDS[key]:
        yield _BOUNDS[key]


_BOUNDS: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}  # shared by rule sets of one tableau


def _together(reference: Reference, bound: Sequence[Mutant], plain: Sequence[str]) -> str:
    """Two mutants that one coup shows, in words; none if there are no two.

    Flips of two cells of the banker's table never show together, since a coup comes to one of them. So for those only
    coups are played that show something else.
    """
    domain, right = reference.domain, reference.behaviour
    taken: dict[int, str] = {}
    tables = [m for m in bound if m.id.startswith("flip banker_draw ")]
    if len({m.cells for m in tables}) < len(tables):
        return "a flip of the banker's table stands twice in the bound"
    others = [m for m in bound if not m.id.startswith("flip banker_draw ")]
    for place, mutant in enumerate([*others, *tables]):
        for i, played in domain.differing(mutant):
            if place >= len(others) and i not in taken:
                continue
            if observe(mutant.behaviour, played, plain) != observe(right, domain.played[i], plain):
                other = taken.setdefault(i, mutant.id)
                if other != mutant.id:
                    return f"`{other}` and `{mutant.id}` show in one coup, so they don't need two"
    return ""
