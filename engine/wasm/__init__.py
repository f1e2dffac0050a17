"""WebAssembly modules as bots: a host process meters them and gives them nothing else."""
