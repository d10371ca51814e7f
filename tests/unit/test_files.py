"""Files are written atomically: two writers never mix, no link is followed, what was interrupted can be resumed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from oracle.files import part_file, part_of, write_files
from oracle.spans import OracleError

OLD = b"precious\n"


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_writer_of_a_file_is_refused(tmp_path: Path, *, resume: bool) -> None:
    path = tmp_path / "cases"
    with part_file(path) as first:
        first.write(b"one\n")
        with (
            pytest.raises(OracleError, match="cases.part: another process is writing it"),
            part_file(path, resume=resume) as second,
        ):
            second.write(b"two\n")
        first.write(b"three\n")
    assert path.read_bytes() == b"one\nthree\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_never_followed(tmp_path: Path, *, there: bool) -> None:
    victim, path = tmp_path / "victim", tmp_path / "cases"
    if there:
        victim.write_bytes(OLD)
    part_of(path).symlink_to(victim)
    with pytest.raises(OracleError, match="cases.part: it is a link"), part_file(path, resume=True):
        pass
    assert victim.exists() is there
    assert not there or victim.read_bytes() == OLD
    assert part_of(path).is_symlink()
    assert not path.exists()


def test_a_file_with_another_name_is_not_written(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "cases"
    victim.write_bytes(OLD)
    part_of(path).hardlink_to(victim)
    with pytest.raises(OracleError, match="it has another name, too"), part_file(path):
        pass
    assert victim.read_bytes() == OLD


def test_what_was_put_in_its_place_is_not_moved(tmp_path: Path) -> None:
    path = tmp_path / "cases"

    def written() -> None:
        with part_file(path, keep=True) as stream:
            stream.write(b"one\n")
            part_of(path).unlink()
            part_of(path).write_bytes(OLD)

    with pytest.raises(OracleError, match="something else was put in its place"):
        written()
    assert part_of(path).read_bytes() == OLD
    assert not path.exists()


@pytest.mark.parametrize("keep", [False, True])
def test_what_was_written_before_an_error_stays_if_it_is_to_be_resumed(tmp_path: Path, *, keep: bool) -> None:
    path = tmp_path / "cases"

    def interrupted() -> None:
        with part_file(path, keep=keep) as stream:
            stream.write(b"one\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert part_of(path).exists() is keep
    if keep:
        with part_file(path, resume=True) as stream:
            assert stream.read() == b"one\n"
            stream.write(b"two\n")
        assert path.read_bytes() == b"one\ntwo\n"


def test_a_file_gets_the_rights_that_the_user_gives_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with part_file(tmp_path / "cases") as stream:
            stream.write(OLD)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "cases").stat().st_mode) == 0o640


def test_writing_files_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(OLD)
    (tmp_path / "report.md").symlink_to(victim)
    write_files(tmp_path, {"report.md": "new\n"})
    assert victim.read_bytes() == OLD
    assert not (tmp_path / "report.md").is_symlink()
    assert (tmp_path / "report.md").read_text() == "new\n"
