"""The search of the pairing that the rules single out: `exact` is the definition, `small`, `quick` and `joint` find it sooner."""
