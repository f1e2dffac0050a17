"""Players and matches: the line protocol, bot processes, the referee and built-in players."""
