"""SVG as pixels, with the one face of the site."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

# The file of the pages (`docs/decisions/0020-static-files.md`), which resvg cannot read compressed.
FONT = Path(__file__).with_name("alegreya-bold.ttf")
FACE = "Alegreya"
_COLOURS = 128


def pixels(svg: str, *, width: int, height: int) -> Image.Image:
    """Return the picture in `width` x `height` pixels. Fonts of the machine are not used."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family=FACE,
        serif_family=FACE,
        sans_serif_family=FACE,
        monospace_family=FACE,
    )
    return Image.open(BytesIO(png)).convert("RGB")


def png_bytes(picture: Image.Image) -> bytes:
    """Return `picture` as a PNG with a palette, which has a third of the bytes."""
    reduced = picture.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE)
    file = BytesIO()
    reduced.save(file, "PNG", optimize=False)
    return file.getvalue()
