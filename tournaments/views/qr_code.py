"""Addresses as QR codes, for phones that look at a screen or at a sheet of paper."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def svg(address: str) -> SafeString:
    """The address as a QR code, an SVG of one path."""
    code = segno.make(address, error="m", micro=False).svg_inline(
        border=2, omitsize=True, svgclass="qr", lineclass=None, dark="#15131c", light="#ffffff"
    )
    return mark_safe(code)  # noqa: S308 - modules of a QR code, no text of anybody's
