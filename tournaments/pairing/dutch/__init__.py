"""The FIDE (Dutch) System in force since 1 February 2026 (C.04.3, with C.04.1, C.04.2 and C.04.7)."""

from tournaments.pairing.dutch.system import Dutch

__all__ = ["Dutch"]
