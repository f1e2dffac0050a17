"""Pictures of games, events, players, puzzles and studies for other sites."""
