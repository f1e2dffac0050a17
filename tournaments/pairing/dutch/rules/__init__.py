"""The rules of C.04.3 as declarations and definitions: who changes a rule changes this room and no other.

`criteria` declares C1 to C21 (`criterion` says what one is); `player`, `field` and `bracket` are what they are counted over; `values` counts them and
`weights` makes integers of them; `bye`, `generation` and `boards` are the articles beside the criteria. Nothing in here
searches for a pairing or explains one.
"""
