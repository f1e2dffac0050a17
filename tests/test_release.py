"""The files of a release: checksums, a signature that a reader verifies, and a bill of materials of the lock."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs/operate/releases.md").read_text()
_HASH = "ab" * 32


def _new_key(path: Path) -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True)
    return path


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with a file of a release, its signature, and the file of permitted signers."""
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "rayuela.tar.gz").write_text("a release")
    key = _new_key(tmp_path / "key")
    subprocess.run([str(ROOT / ".ci/sign"), str(folder), str(key)], check=True)
    public = key.with_name("key.pub").read_text()
    (folder / "allowed_signers").write_text(f"release@rayuela {public}")
    return folder


def _verifies(folder: Path) -> bool:
    """Run the commands of the guide in the folder, and return whether all of them succeed."""
    commands = re.findall(
        r"^ +(sha256sum --check .*|ssh-keygen -Y verify .*)$", GUIDE, re.MULTILINE
    )
    assert len(commands) == 2
    return all(
        subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=False).returncode  # noqa: S602
        == 0
        for command in commands
    )


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("", "", id="nothing-changed"),
        pytest.param("rayuela.tar.gz", "another release", id="file"),
        pytest.param("SHA256SUMS", f"{_HASH}  rayuela.tar.gz\n", id="checksums"),
    ],
)
def test_only_the_files_that_were_signed_are_verified(release: Path, name: str, text: str) -> None:
    if name:
        (release / name).write_text(text)
    assert _verifies(release) == (not name)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
def test_another_key_is_not_that_of_the_release(release: Path, tmp_path: Path) -> None:
    other = _new_key(tmp_path / "other")
    (release / "allowed_signers").unlink()
    subprocess.run([str(ROOT / ".ci/sign"), str(release), str(other)], check=True)
    public = (tmp_path / "key.pub").read_text()
    (release / "allowed_signers").write_text(f"release@rayuela {public}")
    assert not _verifies(release)


@pytest.mark.parametrize(
    ("lock", "is_equal"),
    [
        pytest.param(f"some==1.0 \\\n    --hash=sha256:{_HASH}\n", True, id="equal"),
        pytest.param(f"some==1.1 \\\n    --hash=sha256:{_HASH}\n", False, id="version"),
        pytest.param(f"some==1.0 \\\n    --hash=sha256:{'cd' * 32}\n", False, id="hash"),
        pytest.param(
            f"more==2 \\\n    --hash=sha256:{_HASH}\nsome==1.0 \\\n    --hash=sha256:{_HASH}\n",
            False,
            id="package",
        ),
    ],
)
def test_a_bill_of_materials_is_compared_with_its_lock(
    tmp_path: Path, lock: str, is_equal: bool
) -> None:
    place = {"hashes": [{"alg": "SHA-256", "content": _HASH}], "url": "", "type": "distribution"}
    component = {"name": "some", "version": "1.0", "externalReferences": [place]}
    sbom, lock_file = tmp_path / "sbom.json", tmp_path / "some.lock"
    sbom.write_text(json.dumps({"components": [component]}))
    lock_file.write_text(lock)
    command = [str(ROOT / ".ci/same-as-lock"), str(sbom), str(lock_file)]
    assert (subprocess.run(command, capture_output=True, check=False).returncode == 0) == is_equal
