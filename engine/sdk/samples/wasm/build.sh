#!/bin/sh
# Builds morlox.wasm. Debian packages: clang lld wasi-libc libclang-rt-14-dev-wasm32.
set -eu
cd "$(dirname "$0")"
clang --target=wasm32-wasi -std=gnu11 -O2 -Wall -Wextra -Werror -Wl,--strip-all -o "${1:-morlox.wasm}" morlox.c
