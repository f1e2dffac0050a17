"""The measures behind docs/explanation/board-colours.md: WCAG contrast, CIEDE2000, and colours as people with one cone missing see them."""

from __future__ import annotations

import math
from typing import NamedTuple

_WHITE = (0.95047, 1.0, 1.08883)  # D65
_TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB.
DEFICIENCIES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


class Linear(NamedTuple):
    """A colour in linear light, each from 0 to 1."""

    red: float
    green: float
    blue: float


class Lab(NamedTuple):
    """A colour in CIE 1976 L*a*b*, D65."""

    lightness: float
    a: float
    b: float


def linear(colour: str) -> Linear:
    """`#rrggbb` in linear light (IEC 61966-2-1)."""
    channels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return Linear(*(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels))


def mixed(colour: str, other: str, share: float) -> str:
    """`other` laid over `colour` with this opacity, as browsers do it: in sRGB."""
    pairs = ((int(colour[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(colour: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    first, second = (
        0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (colour, other))
    )
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


def seen(colour: str, deficiency: str) -> Linear:
    """Return the colour that a person with the deficiency sees. The empty name is for most people."""
    light = linear(colour)
    if not deficiency:
        return light
    rows = DEFICIENCIES[deficiency]
    return Linear(*(min(1.0, max(0.0, _dot(row, light))) for row in rows))


def lab(light: Linear) -> Lab:
    """A colour of linear light in L*a*b*."""
    x, y, z = (_cube_root(_dot(row, light) / w) for row, w in zip(_TO_XYZ, _WHITE, strict=True))
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _dot(row: tuple[float, float, float], light: Linear) -> float:
    return sum(weight * channel for weight, channel in zip(row, light, strict=True))


def _cube_root(t: float) -> float:
    return math.cbrt(t) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116


def difference(first: Lab, second: Lab) -> float:
    """Return CIEDE2000 (Sharma, Wu and Dalal 2005), with all weights 1.

    About 1 is just noticeable side by side.
    """
    c_bar = (math.hypot(first.a, first.b) + math.hypot(second.a, second.b)) / 2
    g = 0.5 * (1 - math.sqrt(c_bar**7 / (c_bar**7 + 25**7)))
    (c1, h1), (c2, h2) = (_polar((1 + g) * one.a, one.b) for one in (first, second))
    d_hue = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    d_chroma, d_light = c2 - c1, second.lightness - first.lightness
    d_big_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(d_hue / 2))
    l_mean, c_mean, h_mean = (
        (first.lightness + second.lightness) / 2,
        (c1 + c2) / 2,
        _mean_hue(c1, h1, c2, h2),
    )
    t = (
        1
        - 0.17 * _cos(h_mean - 30)
        + 0.24 * _cos(2 * h_mean)
        + 0.32 * _cos(3 * h_mean + 6)
        - 0.20 * _cos(4 * h_mean - 63)
    )
    s_light = 1 + 0.015 * (l_mean - 50) ** 2 / math.sqrt(20 + (l_mean - 50) ** 2)
    s_chroma, s_hue = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    turning = 60 * math.exp(-(((h_mean - 275) / 25) ** 2))
    rotation = -math.sin(math.radians(turning)) * 2 * math.sqrt(c_mean**7 / (c_mean**7 + 25**7))
    chroma, hue = d_chroma / s_chroma, d_big_hue / s_hue
    return math.sqrt((d_light / s_light) ** 2 + chroma**2 + hue**2 + rotation * chroma * hue)


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0


def _mean_hue(c1: float, h1: float, c2: float, h2: float) -> float:
    if not c1 * c2:
        return h1 + h2
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
