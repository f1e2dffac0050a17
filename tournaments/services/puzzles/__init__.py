"""Puzzles: found in finished games, tried by players, rated together with them."""
