"""Why a round is as it is: evidence, bounds, floats, and what would have been otherwise. Nothing in here pairs a round."""
