"""No secret is in a file under version control: neither by its form nor by the name of its file.

detect-secrets was tried: 88 s of the processor, and 118 findings, all of them passwords of tests,
digests, and examples. These forms are those of secrets that give access to something, and each
exception has its reason.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_LARGEST_BYTES = 4_000_000

# Each begins with plain letters, which `re` looks for a hundred times as fast as for a class.
FORMS = {
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----",
    "age key": r"AGE-SECRET-KEY-1[A-Z0-9]{50}",
    "AWS": r"AKIA[A-Z0-9]{16}\b",
    "AWS for a while": r"ASIA[A-Z0-9]{16}\b",
    "GitHub": r"gh[pousr]_[A-Za-z0-9]{36}",
    "GitHub, of one repository": r"github_pat_[A-Za-z0-9_]{60}",
    "GitLab": r"glpat-[A-Za-z0-9_-]{20}",
    "Google": r"AIza[A-Za-z0-9_-]{35}",
    "npm": r"npm_[A-Za-z0-9]{36}",
    "OpenAI": r"sk-(?<!\wsk-)(?:proj-)?[A-Za-z0-9]{32}",
    "PyPI": r"pypi-AgE[A-Za-z0-9_-]{50}",
    "Slack": r"xox[abprs]-[A-Za-z0-9-]{20}",
    "Stripe": r"k_live_[A-Za-z0-9]{20}",
    "JSON web token": r"eyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20}",
    # Tokens of this site (`services.accounts.tokens`): a prefix and 32 bytes in base64url.
    "Rayuela": r"rayuela_(?:[a-z]+_)?[A-Za-z0-9_-]{43}\b",
    "value of SECRET_KEY or PUSH_KEY": r"_KEY=['\"]?[A-Za-z0-9+/_-]{32}",
    "value of METRICS_TOKEN": r"METRICS_TOKEN=['\"]?[A-Za-z0-9+/_-]{32}",
}
# The examples of each form are put together here, so that this file has none of them.
EXAMPLES = {
    "private key": "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
    "age key": "AGE-SECRET-KEY-1" + "Q" * 50,
    "AWS": "AKIA" + "Q" * 16,
    "AWS for a while": "ASIA" + "Q" * 16,
    "GitHub": "ghp_" + "q" * 36,
    "GitHub, of one repository": "github_pat_" + "q" * 60,
    "GitLab": "glpat-" + "q" * 20,
    "Google": "AIza" + "q" * 35,
    "npm": "npm_" + "q" * 36,
    "OpenAI": "sk-" + "q" * 32,
    "PyPI": "pypi-AgE" + "q" * 50,
    "Slack": "xoxb-" + "1" * 20,
    "Stripe": "sk_live_" + "q" * 20,
    "JSON web token": ".".join(("eyJ" + "q" * 20, "eyJ" + "q" * 20, "q" * 20)),
    "Rayuela": "rayuela_" + "q" * 43,
    "value of SECRET_KEY or PUSH_KEY": "SECRET_KEY=" + "q" * 32,
    "value of METRICS_TOKEN": "METRICS_TOKEN=" + "q" * 32,
}
NAMES = re.compile(
    r"(?:^|/)(?:\.env(?:\..*)?|.*\.(?:env|pem|key|p12|pfx|kdbx)|id_[a-z0-9]+|secret-key)$"
)
# Files with a form above that is no secret, each with its reason.
EXCEPTIONS: dict[str, str] = {}


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - that of the machine
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not under version control")
    return [name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()]


def _forms_in(text: str) -> set[str]:
    return {form for form, pattern in FORMS.items() if re.search(pattern, text)}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_secret_is_recognised(form: str) -> None:
    assert form in _forms_in(f"a = '{EXAMPLES[form]}'\n")


def test_no_tracked_file_has_a_secret() -> None:
    findings = {}
    for name in _tracked():
        content = (ROOT / name).read_bytes()
        if len(content) <= _LARGEST_BYTES and b"\0" not in content[:1024]:
            forms = _forms_in(content.decode(errors="replace"))
            if forms:
                findings[name] = forms
    assert set(findings) == set(EXCEPTIONS), findings


def test_no_tracked_file_has_the_name_of_a_secret() -> None:
    assert [name for name in _tracked() if NAMES.search(name)] == []
