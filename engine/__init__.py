"""Players and matches: the line protocol, bots in their own processes, the referee and built-in engines."""
