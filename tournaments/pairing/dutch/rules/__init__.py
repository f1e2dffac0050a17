"""The rules of C.04.3 as declarations and definitions: a change of a rule changes only this package.

`criteria` declares C1 to C21 (`criterion` defines a criterion). `player`, `field` and `bracket` are
the objects that they count. `values` counts them and `weights` makes integers of them. `bye`,
`generation` and `boards` are the articles beside the criteria. No module here searches for a
pairing or explains one.
"""
