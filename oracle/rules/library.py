"""Where specs live, and finding sources and rule sets by id.

The one module that knows where data lies: top-level folders in a checkout, `oracle/data` in an installed
wheel. The checkout wins.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from oracle.rules.fields import is_id
from oracle.rules.link import Base
from oracle.rules.model import Extends, RuleSet, Spec
from oracle.rules.nodes import SpecFile
from oracle.rules.read import read_spec
from oracle.spans import Problem, Span, SpecError, UnknownName
from oracle.text import did_you_mean, quoted

_PACKAGE = Path(__file__).resolve().parent.parent
SPEC_SUFFIXES = (".yaml", ".yml")


def checkout() -> Path | None:
    """The folder of the checkout that this package is used from; None for an installed wheel."""
    above = _PACKAGE.parent
    return above if (above / "pyproject.toml").is_file() and (above / "specs").is_dir() else None


def data_folder(name: str) -> Path:
    """The folder `specs`, `fixtures` … of this project: the checkout's own, else the wheel's copy."""
    above = checkout()
    return above / name if above is not None and (above / name).is_dir() else _PACKAGE / "data" / name


def reports_folder() -> Path:
    """Where reports are written unless somebody says where: in the checkout, else in the current folder."""
    return (checkout() or Path()) / "reports"


def fixtures_folder() -> Path:
    """Where fixtures are written unless somebody says where: in the checkout, else in the current folder."""
    return (checkout() or Path()) / "fixtures"


def display_path(path: Path) -> str:
    """`path` as messages show it, in `/` form: from the current folder for what lies there, else as it was given.

    Shipped specs are `specs/…` from anywhere.
    """
    real = _real(path)
    here = _current_folder()
    if here is not None and real.is_relative_to(here):
        return real.relative_to(here).as_posix()
    shipped = data_folder("specs")
    if real.is_relative_to(shipped):
        return f"specs/{real.relative_to(shipped).as_posix()}"
    return path.as_posix()


def _real(path: Path) -> Path:
    """`path` with links followed; unlike with `Path.resolve`, a circle of links raises nothing."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path


def is_there(path: Path) -> bool:
    """Whether anything lies at `path`."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _current_folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        return None


class Library:
    """Specs by source id, loaded when first asked for. Later folders replace earlier ones, id by id.

    `replaced` says in words which files of later folders replaced which. Without `claims` those are not read.
    """

    def __init__(self, folders: Sequence[Path] = (), *, shipped: bool = True, claims: bool = True) -> None:
        wanted = ([data_folder("specs")] if shipped else []) + [Path(folder) for folder in folders]
        self.folders = list({_real(folder): folder for folder in reversed(wanted)}.values())[::-1]
        self.claims = claims
        self.replaced: list[str] = []
        self._loaded: dict[Path, Spec] = {}
        self._loading: list[Path] = []
        self._everything: dict[str, Spec] | None = None

    def files(self, folder: Path) -> list[Path]:
        """The spec files of a folder, by name. Raises `SpecError` if there is no such folder."""
        try:
            return sorted(p for p in folder.iterdir() if p.suffix in SPEC_SUFFIXES and _is_file(p))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            span = Span(display_path(folder), 1, 1, 1, 2)
            help = "give a folder that holds .yaml files"
            raise SpecError([Problem("unreadable", f"no folder of specs: {reason}", span, help)]) from error

    def load(self, path: Path) -> Spec:
        """The spec at `path`, read once. Raises `SpecError`."""
        key = _real(path)
        if key not in self._loaded:
            self._loading.append(key)
            try:
                self._loaded[key] = read_spec(
                    path, name=display_path(path), find_base=self._find_base, claims=self.claims
                )
            finally:
                self._loading.pop()
        return self._loaded[key]

    def specs(self) -> list[Spec]:
        """Every spec of all folders, shipped ones first. Raises `SpecError` for all bad files together."""
        return list(self._all().values())

    def paths(self) -> dict[str, Path]:
        """Where each of `specs` lies, by source. Raises `SpecError`."""
        places = {id(spec): path for path, spec in self._loaded.items()} if self._all() else {}
        return {source: places[id(spec)] for source, spec in self._all().items()}

    def _all(self) -> dict[str, Spec]:
        if self._everything is None:
            found: dict[str, tuple[Path, Spec]] = {}
            problems: dict[Problem, None] = {}
            for folder in self.folders:
                here: dict[str, Path] = {}
                for path in self.files(folder):
                    try:
                        spec = self.load(path)
                    except SpecError as error:
                        problems.update(dict.fromkeys(error.problems))
                        continue
                    if spec.id in here:
                        problems[_two_files(spec, here[spec.id])] = None
                    elif spec.id in found:
                        self._tell_replaced(spec.id, path, found[spec.id][0])
                    here[spec.id] = path
                    found[spec.id] = (path, spec)
            if problems:
                raise SpecError(list(problems))
            self._everything = {source: spec for source, (_, spec) in found.items()}
        return self._everything

    def _tell_replaced(self, source: str, path: Path, other: Path) -> None:
        note = f"{source}: {display_path(path)} replaces {display_path(other)}"
        if note not in self.replaced:
            self.replaced.append(note)

    def spec(self, source: str) -> Spec:
        """The spec of the source with this id. Raises `UnknownName`, `SpecError`."""
        spec = self._spec_by_file(source) if self._everything is None and is_id(source) else None
        if spec is not None:
            return spec
        everything = self._all()
        if source not in everything:
            help = self._lies_here(source) or did_you_mean(source, everything) or "no specs are loaded"
            raise UnknownName(f"no source {quoted(source, 60)}: {help}")
        return everything[source]

    def _lies_here(self, source: str) -> str:
        """Help for somebody whose spec lies in the current folder, which is none of ours; else empty."""
        here = _current_folder()
        if here is None or not is_id(source) or here in {_real(folder) for folder in self.folders}:
            return ""
        names = [f"{source}{suffix}" for suffix in SPEC_SUFFIXES if _is_file(here / f"{source}{suffix}")]
        return f"`{names[0]}` lies in the current folder, which --specs . adds" if names else ""

    def _spec_by_file(self, source: str) -> Spec | None:
        """The spec in the file of the last folder that is named after its source."""
        path = self.folders[-1] / f"{source}.yaml" if self.folders else None
        if path is None or not _is_file(path) or (spec := self.load(path)).id != source:
            return None
        for folder in self.folders[:-1]:
            if _is_file(folder / path.name):
                self._tell_replaced(source, path, folder / path.name)
        return spec

    def rule_set(self, name: str) -> tuple[Spec, RuleSet]:
        """The rule set `source`, or `source/table`. Raises `UnknownName`, `SpecError`."""
        source, _, table = name.partition("/")
        try:
            spec = self.spec(source)
        except UnknownName:
            known = [rule_set.id for other in self.specs() for rule_set in other.rule_sets]
            help = self._lies_here(source) or did_you_mean(name, known) or "no specs are loaded"
            raise UnknownName(f"no rule set {quoted(name, 60)}: {help}") from None
        return spec, choose_rule_set(spec, table, name)

    def find_spec(self, name: str | Path) -> Spec:
        """The spec in a file, of a source, or of the source of a rule set. Raises `UnknownName`, `SpecError`."""
        path, name = Path(name), str(name)
        if path.suffix in SPEC_SUFFIXES:
            return self.load(path)
        source, slash, table = name.partition("/")
        if not slash:
            return self.spec(name)
        if not (is_id(source) and is_id(table)) or is_there(path):
            return self.load(path)
        return self.rule_set(name)[0]

    def find_rule_set(self, name: str | Path) -> tuple[Spec, RuleSet]:
        """The rule set of this id, or the one in a file. Raises `UnknownName`, `SpecError`."""
        path = Path(name)
        if path.suffix in SPEC_SUFFIXES:
            spec = self.load(path)
            return spec, choose_rule_set(spec, "", str(name))
        return self.rule_set(str(name))

    def _find_base(self, file: SpecFile, extends: Extends) -> Base | None:
        source, _, table = extends.source.partition("/")
        path = self._path_of(source, self._loading[-1].parent)
        if path is None:
            files = {p for folder in [self._loading[-1].parent, *self.folders] for p in self._names(folder)}
            help = did_you_mean(source, {p.stem for p in files if _real(p) not in self._loading})
            what = f"no file `{source[:60]}.yaml`, beside this one or in a folder of specs"
            file.problem("unknown-source", what, extends.span, help=help or "give its folder with --specs")
            return None
        if _real(path) in self._loading:
            way = [p.stem for p in self._loading[self._loading.index(_real(path)) :]]
            circle = " → ".join(f"`{name}`" for name in [*way, way[0]])
            help = "take the questions from a source that extends nothing"
            file.problem("cyclic-extends", f"sources that extend in a circle: {circle}", extends.span, help=help)
            return None
        try:
            spec = self.load(path)
            if spec.id == source:
                return Base(spec, choose_rule_set(spec, table, extends.source), self._shadows(path))
            what = f"`{path.name}` holds the source `{spec.id}`, not `{source}`"
            file.problem("unknown-source", what, extends.span, help="name a file after its source")
        except UnknownName as error:
            what, _, help = str(error).partition(": ")
            file.problem("unknown-source", what, extends.span, help=help)
        except SpecError as error:
            file.adopt(error.problems)
        return None

    def _path_of(self, source: str, beside: Path) -> Path | None:
        """The file `source.yaml`: beside the file that asks, else in the last folder that has one."""
        if not is_id(source):
            return None
        for folder in [beside, *reversed(self.folders)]:
            for suffix in SPEC_SUFFIXES:
                path = folder / f"{source}{suffix}"
                if _is_file(path):
                    return path
        return None

    def _shadows(self, path: Path) -> str:
        """In words which other file of this name the last folder that has one holds; empty if none, or a copy."""
        for folder in reversed(self.folders):
            for suffix in SPEC_SUFFIXES:
                other = folder / f"{path.stem}{suffix}"
                if not _is_file(other):
                    continue
                if _real(other) == _real(path) or _same_text(path, other):
                    return ""
                return f"{display_path(path)} is taken, not {display_path(other)}"
        return ""

    def _names(self, folder: Path) -> Iterable[Path]:
        try:
            return self.files(folder)
        except SpecError:
            return ()


def _same_text(one: Path, two: Path) -> bool:
    try:
        return one.read_bytes() == two.read_bytes()
    except OSError:
        return False


def _two_files(spec: Spec, other: Path) -> Problem:
    what = f"two files of source `{spec.id}`, the other is {display_path(other)}"
    return Problem("duplicate-id", what, spec.source.span, "give one of them another id")


def choose_rule_set(spec: Spec, name: str, asked: str) -> RuleSet:
    """The rule set `name` of a spec; the only one if no name is given. Raises `UnknownName`."""
    if not name and len(spec.rule_sets) == 1:
        return spec.rule_sets[0]
    for rule_set in spec.rule_sets:
        if rule_set.name == name and name:
            return rule_set
    known = [rule_set.id for rule_set in spec.rule_sets]
    if not name:
        raise UnknownName(f"{quoted(asked, 60)} has several rule sets: say {' or '.join(known)}")
    raise UnknownName(f"no rule set {quoted(asked, 60)}: {did_you_mean(asked, known)}")
