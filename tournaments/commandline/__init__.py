"""The command lines of the pure packages: they read and write files, so they stand above all of them."""
