"""What a hostile program tries. A package of the bot's own tree: its modules import each other alone."""
