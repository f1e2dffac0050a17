"""Events: looking at them, taking part in them, and the desk of their staff."""
