from __future__ import annotations

import io
import stat
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.programs import archive
from engine.programs.archive import MAX_FILES, MAX_UNPACKED_BYTES, files_of
from engine.programs.errors import UploadRefusal, UploadRefusedError
from tests.engine.programs import zips
from tests.engine.programs.zips import MAIN, zip_of

GOOD = zip_of(("main.py", MAIN), ("lib/tables.py", b"A = 1\n"))
ZEROS = b"\0" * 30_000_000


def refusal(data: bytes) -> UploadRefusal:
    with pytest.raises(UploadRefusedError) as caught:
        files_of(data)
    assert caught.value.detail
    return caught.value.refusal


def test_files_come_with_their_names_and_contents():
    assert files_of(GOOD) == {"main.py": MAIN, "lib/tables.py": b"A = 1\n"}


def test_stored_files_directories_and_a_comment_are_fine():
    data = zip_of(("lib/", b""), ("lib/main.py", MAIN), method=zipfile.ZIP_STORED)
    data_with_comment = data[:-2] + b"\x05\x00" + b"hello"
    assert files_of(data_with_comment) == {"lib/main.py": MAIN}


def test_what_macos_adds_is_left_out():
    data = zip_of(("bot/main.py", MAIN), ("__MACOSX/bot/._main.py", b"x"), ("bot/.DS_Store", b"x"))
    assert files_of(data) == {"bot/main.py": MAIN}


def test_archive_in_an_archive_is_only_data():
    assert files_of(zip_of(("main.py", MAIN), ("book.zip", GOOD)))["book.zip"] == GOOD


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "lib/../../evil.py",
        "..",
        "/etc/cron.d/evil",
        "//evil",
        "C:/evil.py",
        "C:evil.py",
        "..\\evil.py",
        "lib\\evil.py",
        "lib//evil.py",
        "./evil.py",
        "lib/./evil.py",
        "a\nb.py",
        "a\x1bb.py",
        "main.py ",
        "nul.",
        "a:stream",
        "<script>alert(1)<",
        "a\u202eyp.exe",
        "a\u200b.py",
    ],
    ids=ascii,
)
def test_name_that_leads_elsewhere_is_refused(name):
    assert refusal(zip_of(("main.py", MAIN), (name, b"x"))) is UploadRefusal.UNSAFE_NAME


def test_name_cut_by_a_zero_is_refused():
    data = zips.rename_entry(
        zip_of(("main.py", MAIN), ("evil.pyX.txt", b"x")), "evil.pyX", "evil.py\0"
    )
    assert refusal(data) is UploadRefusal.UNSAFE_NAME


@pytest.mark.parametrize(
    "name", ["n" * 201, "é" * 101, "/".join("d" * 17), "/".join(["d" * 99] * 5)]
)
def test_long_names_are_refused(name):
    assert refusal(zip_of(("main.py", MAIN), (name, b"x"))) is UploadRefusal.NAME_TOO_LONG


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lib.py", "lib.py"),
        ("lib.py", "LIB.py"),
        ("lib/a.py", "Lib/b.py"),
        ("straße.py", "STRASSE.py"),
        ("caf\u00e9.py", "cafe\u0301.py"),
        ("lib", "lib/a.py"),
        ("lib/a.py", "lib"),
        ("lib/", "lib"),
    ],
    ids=ascii,
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_for_one_file_are_refused(one, other):
    assert refusal(zip_of((one, b"1"), (other, b"2"))) is UploadRefusal.DUPLICATE_NAME


@pytest.mark.parametrize(
    "kind",
    [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR],
    ids=["link", "character-device", "block-device", "fifo", "socket", "directory-without-slash"],
)
def test_what_is_no_file_is_refused(kind):
    data = zip_of(("main.py", MAIN), (zips.with_mode("x", kind | 0o777), b"/etc/passwd"))
    assert refusal(data) is UploadRefusal.SPECIAL_FILE


def test_directory_that_is_a_link_is_refused():
    assert (
        refusal(zip_of(("main.py", MAIN), (zips.link("lib/"), b""))) is UploadRefusal.SPECIAL_FILE
    )


def test_setuid_file_is_just_a_file():
    data = zip_of((zips.with_mode("main.py", stat.S_IFREG | 0o4755), MAIN))
    assert files_of(data) == {"main.py": MAIN}


@pytest.mark.long
def test_bomb_is_refused_by_its_declared_sizes(monkeypatch):
    monkeypatch.setattr(archive, "_content", pytest.fail)
    assert refusal(zip_of(("a", ZEROS), ("b", ZEROS))) is UploadRefusal.UNPACKED_TOO_LARGE


def test_bomb_that_declares_little_is_stopped_early():
    bomb = zip_of(("main.py", MAIN), ("a", ZEROS))
    lying = zips.with_size(bomb, "a", 10)
    tracemalloc.start()
    try:
        assert refusal(lying) is UploadRefusal.BAD_ARCHIVE
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_real_bytes_are_counted_while_they_come():
    with zipfile.ZipFile(io.BytesIO(zip_of(("a", ZEROS)))) as zip_file:
        with pytest.raises(UploadRefusedError) as caught:
            archive._content(zip_file, zip_file.getinfo("a"), limit=1_000_000)
        assert caught.value.refusal is UploadRefusal.UNPACKED_TOO_LARGE


def test_data_that_many_names_share_are_counted_for_each(monkeypatch):
    monkeypatch.setattr(archive, "_content", pytest.fail)
    bomb = zips.overlapping(99, ZEROS[:1_000_000])
    assert len(bomb) < 10_000
    assert refusal(bomb) is UploadRefusal.UNPACKED_TOO_LARGE


def test_two_names_for_the_same_data_are_refused():
    assert refusal(zips.overlapping(2, b"x")) is UploadRefusal.BAD_ARCHIVE


@pytest.mark.parametrize("name", ["'onclick='a.py", "&lt;.py", "-rf", "~", "$(id).py"])
def test_name_with_a_meaning_elsewhere_is_only_a_name(name):
    assert files_of(zip_of(("main.py", MAIN), (name, b"x")))[name] == b"x"


def test_size_that_is_too_large_is_a_lie_too():
    assert refusal(zips.with_size(GOOD, "main.py", 5000)) is UploadRefusal.BAD_ARCHIVE


def test_wrong_checksum_is_refused():
    at = zips.central(GOOD, "main.py") + 16
    assert refusal(zips.patch(GOOD, at, b"\1\2\3\4")) is UploadRefusal.BAD_ARCHIVE


def test_as_many_files_as_allowed_are_read():
    assert len(files_of(zips.many(MAX_FILES - 1))) == MAX_FILES


@pytest.mark.long
@pytest.mark.parametrize("count", [None, 1], ids=["honest", "told-to-be-one"])
def test_65000_files_are_refused_before_an_object_is_made_of_each(monkeypatch, count):
    data = zips.many(65_000)
    monkeypatch.setattr(zipfile, "ZipInfo", pytest.fail)
    assert (
        refusal(data if count is None else zips.with_count(data, count))
        is UploadRefusal.TOO_MANY_FILES
    )


@pytest.mark.parametrize("count", [1, 3, 0xFFFF])
def test_wrong_number_of_files_is_refused(count):
    expected = UploadRefusal.TOO_MANY_FILES if count > MAX_FILES else UploadRefusal.BAD_ARCHIVE
    assert refusal(zips.with_count(GOOD, count)) is expected


@pytest.mark.parametrize("flags", [0x1, 0x41, 0x2000])
def test_encrypted_entry_is_refused(flags):
    assert refusal(zips.with_flags(GOOD, "main.py", flags)) is UploadRefusal.ENCRYPTED


@pytest.mark.parametrize("method", [1, 9, 12, 14, 93, 99])
def test_unusual_compression_is_refused(method):
    assert refusal(zips.with_method(GOOD, "main.py", method)) is UploadRefusal.COMPRESSION


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04",
        GOOD[:-1],
        GOOD[:-30],
        GOOD + b"tail",
        b"#!/usr/bin/python3\n" + GOOD,
        GOOD[: len(GOOD) // 2],
        GOOD + GOOD,
        b"PK\x05\x06" + b"\xff" * 18,
    ],
    ids=["mark", "cut", "cut-end", "tail", "prefix", "half", "twice", "end-only"],
)
def test_archive_with_something_missing_or_more_is_refused(data):
    assert refusal(data) is UploadRefusal.BAD_ARCHIVE


def test_local_name_that_differs_is_refused():
    at = GOOD.index(b"main.py")
    assert refusal(zips.patch(GOOD, at, b"evil.py")) is UploadRefusal.BAD_ARCHIVE


@given(st.binary(max_size=400))
def test_garbage_is_refused_by_name(garbage):
    for data in (garbage, b"PK\x03\x04" + garbage, garbage + GOOD[-22:]):
        with pytest.raises(UploadRefusedError):
            files_of(data)


@pytest.mark.long
@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255), st.integers(0, len(GOOD) - 1))
def test_archive_with_a_changed_byte_is_read_or_refused_by_name(at, byte, other):
    data = zips.patch(zips.patch(GOOD, at, bytes([byte])), other, bytes([byte ^ 0xFF]))
    try:
        files = files_of(data)
    except UploadRefusedError:
        return
    assert sum(map(len, files.values())) <= MAX_UNPACKED_BYTES
    assert not any(name.startswith("/") or ".." in name.split("/") for name in files)
