// The games that the kernel plays.
#pragma once

#include "desk.hpp"
#include "morelli.hpp"
#include "morlox.hpp"
#include "perfect.hpp"

namespace kernel {

// A new game is one line here.
using AllGames = Games<
    Morelli<13>, Morelli<31>,
    Morlox<1, 14>, Morlox<14, 26>,
    Perfect
>;

}  // namespace kernel
