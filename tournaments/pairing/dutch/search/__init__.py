"""The search of the pairing that the rules single out: `exact` is the definition, `quick` and `small` find it sooner."""
