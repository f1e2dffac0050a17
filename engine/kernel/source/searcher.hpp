// The search of each game.
#pragma once

#include "evaluate_morelli.hpp"
#include "evaluate_morlox.hpp"
#include "evaluate_perfect.hpp"
#include "principal_search.hpp"
#include "tree_search.hpp"

namespace kernel {

template <Game G>
struct SearchOf { using Type = TreeSearch<G>; };
template <>
struct SearchOf<Perfect> { using Type = PrincipalSearch<Perfect>; };
template <u32 kLargest>
struct SearchOf<Morelli<kLargest>> { using Type = PrincipalSearch<Morelli<kLargest>>; };

template <Game G>
using Searcher = typename SearchOf<G>::Type;

}  // namespace kernel
