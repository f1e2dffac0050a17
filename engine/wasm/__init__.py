"""WebAssembly modules as bots: a host process meters them and gives them no other access."""
