"""How each language writes dates and times, where Django has it otherwise."""
