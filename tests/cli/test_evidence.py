"""Evidence holds exactly what was written: a changed byte, a cut log, a file too many or too few is told by name."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cli import run
from oracle.conformance.evidence import verify as verifying
from oracle.conformance.evidence.files import check_files
from oracle.conformance.evidence.index import FileDigest, digest_file, read_index, sums_text
from oracle.spans import OracleError

FILES = [
    "SHA256SUMS", "badge.svg", "evidence.json", "junit.xml", "log.ndjson", "report.html", "specs/grid-pt.yaml",
    "specs/home-pt.yaml", "specs/punto-es.yaml", "specs/selminha.yaml", "summary.md", "test.json", "test.txt",
]  # fmt: skip
TEST = ["test", "--rules", "home-pt", "--tier", "minimal", "--seed", "7f3a"]


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Evidence of a program whose banker stands on three against a seven."""
    folder = tmp_path_factory.mktemp("evidence")
    text = (root / "examples" / "mine.py").read_text().replace("5, 6, 7, 9)", "5, 6, 9)")
    (folder / "mine.py").write_text(text)
    here = Path.cwd()
    os.chdir(folder)
    try:
        assert run([*TEST, "--evidence", "filed", "--subject", "mine.py", "--", "python3", "mine.py"]) == 1
    finally:
        os.chdir(here)
    return folder / "filed"


@pytest.fixture
def copy(filed: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(filed, tmp_path / "copy")


Verify = Callable[..., tuple[int, str]]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Verify:
    """Verifies a folder: the exit code, and what was printed on one line."""

    def go(folder: Path, *options: str) -> tuple[int, str]:
        capsys.readouterr()
        code = run(["evidence", "verify", str(folder), *options])
        out, err = capsys.readouterr()
        return code, " ".join((out + err).split())

    return go


def write_index(folder: Path, index: dict[str, Any]) -> None:
    """Write the index in its form."""
    text = msgspec.json.format(msgspec.json.encode(index), indent=1).decode()
    (folder / "evidence.json").write_text(f"{text}\n")


def resign(folder: Path) -> None:
    """Write index and sums anew, as somebody would who hides a change."""
    path = folder / "evidence.json"
    index = json.loads(path.read_text())
    for name in index["files"]:
        found = digest_file(folder / name)
        index["files"][name] = {"bytes": found.bytes, "sha256": found.sha256}
    write_index(folder, index)
    there = {p.relative_to(folder).as_posix(): digest_file(p) for p in folder.rglob("*") if p.is_file()}
    del there["SHA256SUMS"]
    (folder / "SHA256SUMS").write_text(sums_text(there))


def test_it_has_every_file_and_no_secret(filed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(p.relative_to(filed).as_posix() for p in filed.rglob("*") if p.is_file()) == FILES
    index = json.loads((filed / "evidence.json").read_text())
    subject = (filed.parent / "mine.py").read_bytes()
    assert index["subjects"] == {"mine.py": {"bytes": len(subject), "sha256": hashlib.sha256(subject).hexdigest()}}
    assert index["command"] == [
        "baccarat-oracle", "test", "--rules", "home-pt", "--tier", "minimal", "--seed", "7f3a", "--", "python3",
        "mine.py",
    ]  # fmt: skip
    assert set(index["environment"]) == {"python", "system", "machine", "locale", "msgspec"}
    values = {value for value in os.environ.values() if len(value) > 20}
    assert not [value for value in values if value in (filed / "evidence.json").read_text()]
    assert index["documents"][0]["sha256"] in (filed / "specs" / "home-pt.yaml").read_text()


def test_sha256sum_reads_its_sums(filed: Path, tool: Callable[[str], str]) -> None:
    done = subprocess.run(
        [tool("sha256sum"), "-c", "--strict", "SHA256SUMS"], cwd=filed, capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.slow
def test_as_it_was_written_it_is_verified(filed: Path, verify: Verify) -> None:
    code, said = verify(filed)
    assert code == 0
    assert said == (
        "not compared: tested files, give them with --subject: mine.py asked: all cases of tier minimal "
        "verified: 13 files, 121 answers judged anew; home-pt: differs"
    )
    assert verify(filed, "--subject", str(filed.parent / "mine.py"))[0] == 0
    code, said = verify(filed, "--subject", __file__)
    assert code == 1
    assert "test_evidence.py is none of the files that were tested" in said


def change(copy: Path, name: str) -> None:
    """One bit of a file of the folder; of the index one of a name in it, so that it can still be read."""
    path = copy / name
    data = bytearray(path.read_bytes())
    place = data.index(b"home-pt") if name == "evidence.json" else len(data) // 2
    data[place] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_seen_in_its_file_alone(name: str, copy: Path) -> None:
    change(copy, name)
    told = list(check_files(copy, read_index(copy)))
    assert told
    assert all(name in line for line in told)


@pytest.mark.parametrize("name", ["SHA256SUMS", "evidence.json", "log.ndjson", "specs/home-pt.yaml"])
def test_a_changed_byte_fails_and_names_the_file(name: str, copy: Path, verify: Verify) -> None:
    change(copy, name)
    code, said = verify(copy)
    assert code == 1
    assert name in said
    assert "not verified: " in said


@pytest.mark.parametrize("name", ["SHA256SUMS", "log.ndjson"])
def test_a_missing_file_is_told(name: str, copy: Path, verify: Verify) -> None:
    (copy / name).unlink()
    code, said = verify(copy)
    assert code == 1
    assert f"{name} is missing" in said


def test_no_byte_of_the_index_can_change(copy: Path) -> None:
    """By its digest alone, or because it can't be read any more."""
    path = copy / "evidence.json"
    data = path.read_bytes()
    due = read_index(copy)
    assert list(check_files(copy, due)) == []
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 2]) + data[place + 1 :])
        try:
            told = list(check_files(copy, read_index(copy)))
        except OracleError as error:
            told = [str(error)]
        assert any("evidence.json" in line for line in told), place


def test_a_folder_without_an_index_holds_no_evidence(copy: Path, verify: Verify) -> None:
    (copy / "evidence.json").unlink()
    assert verify(copy) == (2, f"error: {copy} holds no evidence: evidence.json: No such file or directory")


def test_a_file_too_many_is_told(copy: Path, verify: Verify) -> None:
    (copy / "specs" / ".mine\x1b.yaml").write_text("")
    (copy / "link").symlink_to("test.txt")
    code, said = verify(copy)
    assert code == 1
    assert "specs/.mine\\x1b.yaml is too many" in said
    assert "link is no file of its own" in said


def cut(lines: list[str]) -> list[str]:
    return lines[:50]


def cut_but_footer(lines: list[str]) -> list[str]:
    return [*lines[:50], lines[-1]]


def conforming(lines: list[str]) -> list[str]:
    """Cut where nothing is wrong yet, with a footer that agrees."""
    kept = list(takewhile(lambda line: '"outcome":"pass"' in line, lines[1:]))
    footer = {**json.loads(lines[-1]), "counts": {"pass": len(kept)}, "verdict": "conforms"}
    return [lines[0], *kept, json.dumps(footer, separators=(",", ":")) + "\n"]


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (cut, "the log has no footer"),
        (cut_but_footer, "counts other outcomes than its lines"),
        (conforming, "was to be asked, and is not there"),
    ],
)
def test_a_log_cut_short_never_conforms(
    edit: Callable[[list[str]], list[str]], told: str, copy: Path, verify: Verify
) -> None:
    """Not even if every digest is made anew, and the index says `conforms`."""
    log, index = copy / "log.ndjson", copy / "evidence.json"
    log.write_text("".join(edit(log.read_text().splitlines(keepends=True))))
    index.write_text(index.read_text().replace('"verdict": "differs"', '"verdict": "conforms"'))
    resign(copy)
    code, said = verify(copy)
    assert code == 1
    assert told in said
    assert "not verified: " in said


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("evidence.json", '"verdict": "differs"', '"verdict": "conforms"', "log.ndjson comes to differs"),
        ("evidence.json", "mine.py", "other.py", "log.ndjson is of another run"),
        ("evidence.json", '"meaning": "4', '"meaning": "5', "mean something else"),
        ("evidence.json", "Home training", "Another", "name other documents"),
        ("specs/home-pt.yaml", "4-7", "3-7", "something else here than in the folder"),
        ("report.html", "differs", "conforms", "report.html is not what its log comes to"),
        ("badge.svg", "differs", "conforms", "badge.svg is not what its log comes to"),
        ("test.json", '"exit": 1', '"exit": 0', "test.json is not what its log comes to"),
    ],
)
@pytest.mark.slow
def test_what_does_not_follow_is_told_even_with_digests_made_anew(
    name: str, old: str, new: str, *, told: str, copy: Path, verify: Verify
) -> None:
    path = copy / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    resign(copy)
    code, said = verify(copy)
    assert code == 1
    assert told in said


def test_another_harness_judges_but_does_not_compare_reports(copy: Path, verify: Verify) -> None:
    path = copy / "evidence.json"
    index = json.loads(path.read_text())
    index["harness"]["sha256"] = "0" * 64
    write_index(copy, index)
    resign(copy)
    code, said = verify(copy)
    assert code == 0
    assert "not compared: reports with their log, since the harness here is another one (0.1.0, there 0.1.0): " in said
    assert "badge.svg, junit.xml, report.html, summary.md, test.json, test.txt" in said
    assert verify(copy, "--strict")[0] == 3


@pytest.mark.slow
def test_own_rules_are_judged_by_the_specs_in_the_folder(
    tmp_path: Path, plain_text: Callable[..., str], root: Path, verify: Verify
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "plain.yaml").write_text(plain_text())
    words = ["--", "python3", str(root / "examples" / "mine.py")]
    arguments = ["test", "--rules", "plain", "--specs", str(own), "--tier", "totals"]
    assert run([*arguments, "--evidence", str(tmp_path / "filed"), *words]) == 0
    shutil.rmtree(own)
    code, said = verify(tmp_path / "filed")
    assert code == 0
    assert "not compared: plain with an installed rule set, there is none" in said
    assert verify(tmp_path / "filed", "--strict")[0] == 3


@pytest.mark.slow
def test_a_digest_noted_elsewhere_shows_what_was_made_anew(
    filed: Path, copy: Path, tmp_path: Path, verify: Verify, root: Path
) -> None:
    """A whole forgery, of a right program under the wrong one's name: with all digests anew it is evidence."""
    noted = digest_file(filed / "SHA256SUMS").sha256
    assert verify(copy, "--sha256", noted.upper())[0] == 0
    shutil.rmtree(copy)
    (tmp_path / "mine.py").write_bytes((root / "examples" / "mine.py").read_bytes())
    with contextlib.chdir(tmp_path):
        assert run([*TEST, "--evidence", "copy", "--subject", "mine.py", "--", "python3", "mine.py"]) == 0
    index = json.loads((copy / "evidence.json").read_text())
    index["subjects"] = json.loads((filed / "evidence.json").read_text())["subjects"]
    write_index(copy, index)
    resign(copy)
    assert verify(copy)[0] == 0
    code, said = verify(copy, "--sha256", noted)
    assert code == 1
    assert "SHA256SUMS is not the one whose digest was noted: sha256 " in said
    assert noted in said


def test_a_digest_has_its_form(copy: Path, verify: Verify) -> None:
    code, said = verify(copy, "--sha256", "abc")
    assert code == 2
    assert "64 hexadecimal digits" in said


def spaced(text: str) -> str:
    return text.replace(": ", ":  ", 1)


def ended_otherwise(text: str) -> str:
    return text + "\n"


def with_a_field(text: str) -> str:
    return text.replace('"limits": {', '"limits": {\n  "sandbox": true,', 1)


def with_a_key_twice(text: str) -> str:
    return text.replace('\n "verdict": "differs"', '\n "verdict": "conforms",\n "verdict": "differs"', 1)


def with_a_file_twice(text: str) -> str:
    return text.replace('"files": {', '"files": {\n  "badge.svg": {"bytes": 0, "sha256": ""},', 1)


def escaped(text: str) -> str:
    return text.replace('"home-pt"', '"home\\u002dpt"', 1)


def in_another_order(text: str) -> str:
    index = json.loads(text)
    index["files"] = dict(reversed(index["files"].items()))
    index = {**dict(reversed(index.items()))}
    return msgspec.json.format(msgspec.json.encode(index), indent=1).decode() + "\n"


def with_a_mark(text: str) -> str:
    return f"\ufeff{text}"


@pytest.mark.parametrize(
    "edit",
    [
        spaced,
        ended_otherwise,
        with_a_field,
        with_a_key_twice,
        with_a_file_twice,
        escaped,
        in_another_order,
        with_a_mark,
    ],
)
def test_the_index_is_the_text_that_is_written_of_it(edit: Callable[[str], str], copy: Path, verify: Verify) -> None:
    """Whatever reads it otherwise than we do, as the first of two keys, finds nothing else."""
    path = copy / "evidence.json"
    before = path.read_text()
    path.write_text(edit(before))
    assert path.read_text() != before
    sums = {p.relative_to(copy).as_posix(): digest_file(p) for p in copy.rglob("*") if p.is_file()}
    del sums["SHA256SUMS"]
    (copy / "SHA256SUMS").write_text(sums_text(sums))
    code, said = verify(copy)
    assert code in (1, 2)
    assert "evidence.json is not the text that is written of" in said or "evidence.json can't be read" in said


@pytest.mark.slow
def test_a_changed_tested_file_is_named_as_changed(filed: Path, tmp_path: Path, verify: Verify) -> None:
    mine = tmp_path / "mine.py"
    mine.write_bytes((filed.parent / "mine.py").read_bytes() + b"#\n")
    with contextlib.chdir(tmp_path):
        for given in ("mine.py", "./mine.py", str(mine)):
            code, said = verify(filed, "--subject", given)
            assert code == 1
            assert "mine.py was changed since it was tested: sha256 " in said
            assert "not compared" not in said
        mine.rename("other.py")
        code, said = verify(filed, "--subject", "other.py")
        assert code == 1
        assert "other.py is none of the files that were tested" in said
        mine.write_bytes((filed.parent / "mine.py").read_bytes())
        code, said = verify(filed, "--subject", str(mine), "--strict")
        assert code == 0, "under another path, the same file"


@pytest.mark.slow
def test_tested_files_that_changed_places_are_changed(copy: Path, tmp_path: Path, verify: Verify) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("1\n")
    two.write_text("2\n")
    index = json.loads((copy / "evidence.json").read_text())
    index["subjects"] = {str(path): msgspec.to_builtins(digest_file(path)) for path in (one, two)}
    write_index(copy, index)
    resign(copy)
    arguments = ("--subject", str(one), "--subject", str(two), "--strict")
    assert verify(copy, *arguments)[0] == 0
    assert verify(copy, *arguments[2:])[0] == 3
    one.write_text("2\n")
    two.write_text("1\n")
    code, said = verify(copy, *arguments)
    assert code == 1
    assert said.count("was changed since it was tested") == 2


@pytest.mark.parametrize("name", ["log.ndjson", "evidence.json", "SHA256SUMS", "specs/home-pt.yaml", "known.jsonl"])
@pytest.mark.parametrize("kind", ["pipe", "link", "endless"])
def test_what_is_no_file_is_told_and_never_read(name: str, kind: str, copy: Path, verify: Verify) -> None:
    """A pipe would be waited for, a device never ends, and what a link leads to may change."""
    path = copy / name
    if path.exists():
        path.rename(copy.parent / "moved")
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(copy.parent / "moved" if kind == "link" else Path("/dev/zero"))
    code, said = verify(copy)
    assert code == (2 if name == "evidence.json" else 1)
    assert f"{name} is no file of its own" in said


def test_a_file_that_changes_while_it_is_verified_is_told(
    copy: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right when its digest is taken, another when it is read."""
    log = copy / "log.ndjson"

    def check(*arguments: Any) -> Any:
        log.write_bytes(log.read_bytes().replace(b'"language":"python"', b'"language":"pyth0n"'))
        yield from ()

    monkeypatch.setattr(verifying, "check_files", check)
    code, said = verify(copy)
    assert code == 1
    assert "log.ndjson was changed while it was verified" in said


def test_a_full_disk_is_no_forgery(copy: Path, tmp_path: Path, root: Path) -> None:
    """The log is written again to be compared; where that fails nothing is said of the folder."""
    code = "import resource, sys; sys.dont_write_bytecode = True; "
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)); from oracle.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "evidence", "verify", str(copy)]
    env = {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: can't write the log ")
    assert done.stderr.endswith("/log.ndjson: File too large\n")


@pytest.mark.slow
def test_it_says_what_was_asked(tmp_path: Path, root: Path, verify: Verify) -> None:
    words = ["--", "python3", str(root / "examples" / "mine.py")]
    id = "coup-76a978d9640f"
    for number, (options, said) in enumerate(
        [
            (["--tier", "totals", "--case", id], f"asked: only {id} of tier totals"),
            (["--tier", "minimal", "--tier", "shoe"], "asked: all cases of tiers minimal, shoe"),
            (["--adaptive"], "asked: coups chosen by the answers, of tiers "),
        ]
    ):
        folder = tmp_path / str(number)
        run(["test", "--rules", "home-pt", *options, "--evidence", str(folder), *words])
        assert said in verify(folder)[1]


@pytest.mark.slow
def test_known_failures_are_filed_too(filed: Path, tmp_path: Path, verify: Verify) -> None:
    known = tmp_path / "known.jsonl"
    known.write_text('{"format":1,"rules":"home-pt"}\n{"cell":"banker_draw 3/7","reason":"so it is"}\n')
    words = ["--", "python3", str(filed.parent / "mine.py")]
    assert run([*TEST, "--known", str(known), "--evidence", str(tmp_path / "filed"), *words]) == 0
    assert verify(tmp_path / "filed")[0] == 0
    assert (tmp_path / "filed" / "known.jsonl").read_bytes() == known.read_bytes()


def test_an_incomplete_run_stays_one(tmp_path: Path, verify: Verify) -> None:
    program = tmp_path / "dies.py"
    program.write_text("raise SystemExit(1)\n")
    assert run([*TEST, "--evidence", str(tmp_path / "filed"), "--", "python3", str(program)]) == 3
    code, said = verify(tmp_path / "filed")
    assert code == 3
    assert "note: the run was given up before its end" in said
    assert "home-pt: incomplete" in said
    index = tmp_path / "filed" / "evidence.json"
    index.write_text(index.read_text().replace('"verdict": "incomplete"', '"verdict": "conforms"'))
    resign(tmp_path / "filed")
    code, said = verify(tmp_path / "filed")
    assert code == 1
    assert "log.ndjson comes to incomplete, evidence.json says conforms" in said


def test_nothing_is_written_over(filed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--", "python3", str(filed.parent / "mine.py")]
    assert run([*TEST, "--evidence", str(filed), *words]) == 2
    assert "is not empty: evidence goes into a folder of its own" in capsys.readouterr().err
    assert run([*TEST, "--evidence", str(tmp_path / "new"), "--subject", "no-such-file", *words]) == 2
    assert not (tmp_path / "new").exists()
    assert run([*TEST, "--subject", __file__, *words]) == 2


def test_a_subject_that_changes_during_the_run_is_no_evidence(
    filed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "mine.py"
    text = (filed.parent / "mine.py").read_text()
    program.write_text(text.replace("import json\n", "import json\nopen(__file__, 'a').write('#\\n')\n", 1))
    words = ["--subject", str(program), "--", "python3", str(program)]
    assert run([*TEST, "--evidence", str(tmp_path / "new"), *words]) == 2
    assert "changed while it was tested" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_two_of_one_seed_are_alike_but_for_the_date(
    filed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(filed.parent)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    words = ["--subject", "mine.py", "--", "python3", "mine.py"]
    assert run([*TEST, "--evidence", str(tmp_path / "new"), *words]) == 1
    for name in FILES:
        if name not in ("SHA256SUMS", "evidence.json"):
            assert (tmp_path / "new" / name).read_bytes() == (filed / name).read_bytes(), name
    old, new = (json.loads((folder / "evidence.json").read_text()) for folder in (filed, tmp_path / "new"))
    assert new["date"] == "2001-09-09T01:46:40Z"
    assert {key for key in new if new[key] != old[key]} == {"date"}
    assert isinstance(FileDigest(**new["subjects"]["mine.py"]), FileDigest)
