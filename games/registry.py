"""Rule sets by name: `morelli(edition=revised,size=13)` <-> Ruleset. Unknown parameters are refused."""
