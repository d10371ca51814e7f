"""Checking sources that are given by name, by file or as they are: these, or all there are."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from oracle.checks import engines
from oracle.checks.document import cited_sentences
from oracle.checks.engines import CheckResult
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.sentences import read_document
from oracle.spans import OracleError


def check(
    *sources: str | Path | Spec,
    library: Library | None = None,
    solvers: str = "auto",
    claims: bool = True,
    proofs: bool = False,
    document: Path | None = None,
) -> CheckResult:
    """Check sources: is every state decided, once, and reachable, and does the document assert what its rules say?

    Each is an id (`home-pt`), the file of a spec, or a spec; all rule sets of it are checked, and without any source
    every one of the library (default: the shipped specs). `solvers` says which engines have to agree with the
    enumeration: `auto` for those that are installed, `none`, or names as `z3,cvc5`. Without `claims` none is judged;
    with `proofs` every resolution is left out once, to see what returns. `document` is the text that the one source is
    about: the result then has its sentences with what cites them.

    Findings are in the result, not raised: `exit` is 0 if no error is open. Raises `UnknownName` for a source or solver
    that doesn't exist, `SpecError` for a file that can't be read or a document that is another copy, `NotInstalled` for
    a missing solver, `OracleError` for two files of one source, and for a document beside several sources.

    >>> import oracle
    >>> oracle.check("home-pt", solvers="none", claims=False).exit
    0
    """
    library = Library() if library is None else library
    named = [source if isinstance(source, Spec) else library.find_spec(source) for source in sources]
    chosen = list({id(spec): spec for spec in named}.values()) if sources else library.specs()
    if document is None:
        return _checked(chosen, library, solvers, claims=claims, proofs=proofs)
    if not sources or len(chosen) != 1:
        raise OracleError(f"a document goes with one source, not with {len(chosen)}: name the one that is about it")
    read = read_document(document)
    sentences = cited_sentences(chosen[0], read)
    return replace(_checked(chosen, library, solvers, claims=claims, proofs=proofs), document=read, sentences=sentences)


def _checked(chosen: list[Spec], library: Library, solvers: str, *, claims: bool, proofs: bool) -> CheckResult:
    others = library.specs() if claims else []
    return engines.check_all(chosen, solvers=solvers, others=others, claims=claims, proofs=proofs)
