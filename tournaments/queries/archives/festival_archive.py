"""A festival as a file: its name with the archives of its sections, which are computed again one by one.

`docs/reference/event-archive.md` describes the file.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from tournaments.models.festivals import MAX_SECTIONS
from tournaments.queries.archives import archive_file, archived_prizes, verification
from tournaments.queries.archives.archive_data import Archive, ArchivedPrizes, ArchiveError
from tournaments.queries.archives.differences import Difference
from tournaments.queries.archives.history import ArchivedHistory
from tournaments.queries.archives.verification import Check

SCHEMA = "rayuela-festival/1"
MEMBER = "festival.json"


@dataclass(frozen=True, slots=True)
class ArchivedFestival:
    """The name of a festival, the slugs of its sections in their order, and its prizes."""

    schema: str
    name: str
    slug: str
    url: str
    sections: tuple[str, ...]
    prizes_by: str = "percent"
    prizes: ArchivedPrizes | None = None


def packed(festival: ArchivedFestival, archives: Mapping[str, bytes]) -> bytes:
    """Return the file: a ZIP file with the archive of each section, as `SLUG.zip`."""
    file = io.BytesIO()
    text = json.dumps(asdict(festival), ensure_ascii=False, indent=1, default=archive_file.text_of)
    members = {MEMBER: f"{text}\n".encode()}
    members |= {_member(slug): archives[slug] for slug in festival.sections}
    # Not compressed again, so that the size of the file bounds that of its members.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as container:
        for name, content in members.items():
            container.writestr(zipfile.ZipInfo(name, archive_file.DAY_ZERO), content)
    return file.getvalue()


def _member(slug: str) -> str:
    return f"{slug}.zip"


def is_festival(data: bytes) -> bool:
    """Return whether a file is a ZIP file with the member of a festival."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            return MEMBER in container.namelist()
    except archive_file.BROKEN:
        return False


def read(data: bytes) -> tuple[ArchivedFestival, Sequence[Archive]]:
    """Return the festival in a file with the archives of its sections. Raises ArchiveError."""
    if len(data) > archive_file.MAX_FILE_BYTES:
        raise ArchiveError("file", f"larger than {archive_file.MAX_FILE_BYTES} bytes")
    members = _members(data)
    festival = archive_file.read_record(ArchivedFestival, members.pop(MEMBER), SCHEMA, MEMBER)
    if sorted(members) != sorted(map(_member, festival.sections)):
        raise ArchiveError("file", "not one archive for each section")
    archives = []
    for slug in festival.sections:
        archive = archive_file.unpacked(members[_member(slug)])
        if archive.event.slug != slug:
            raise ArchiveError(_member(slug), f"the archive of {archive.event.slug!r}")
        archives.append(archive)
    return festival, archives


def _members(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            infos = container.infolist()
            if len(infos) > MAX_SECTIONS + 1:
                raise ArchiveError("file", f"more than {MAX_SECTIONS} sections")
            if any(each.compress_type != zipfile.ZIP_STORED for each in infos):
                raise ArchiveError("file", "members that are compressed again")
            return {each.filename: container.read(each) for each in infos}
    except archive_file.BROKEN as error:
        raise ArchiveError("file", f"not a readable ZIP file: {error}"[:200]) from error


def verify(festival: ArchivedFestival, archives: Sequence[Archive]) -> list[Check]:
    """Return the checks of each section, of the prizes, and that no FIDE id is in two sections."""
    numbered = sum(bool(entry.fide_id) for each in archives for entry in each.entries)
    return [
        Check("FIDE ids in one section", numbered, list(_twice(archives))),
        *([] if festival.prizes is None else [_prizes(festival, festival.prizes, archives)]),
        *(
            replace(check, name=f"{each.event.slug}, {check.name}")
            for each in archives
            for check in verification.verify(each)
        ),
    ]


def _prizes(
    festival: ArchivedFestival, prizes: ArchivedPrizes, archives: Sequence[Archive]
) -> Check:
    histories = [ArchivedHistory(each) for each in archives]
    differences = archived_prizes.festival_differences(prizes, festival.prizes_by, histories)
    return Check("prizes of the festival", len(prizes.awards), list(differences))


def _twice(archives: Sequence[Archive]) -> Iterator[Difference]:
    playing = [
        {e.fide_id for e in each.entries if e.fide_id and e.state != "withdrawn"}
        for each in archives
    ]
    for fide_id, count in Counter(each for ids in playing for each in ids).items():
        if count > 1:
            yield Difference(f"FIDE id {fide_id}", "one section", f"{count}")
