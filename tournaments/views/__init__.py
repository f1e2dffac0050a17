"""Pages: parse, one service call, render."""
