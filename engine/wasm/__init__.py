"""WebAssembly modules as bots: a host process that meters what a module computes and gives it nothing else."""
