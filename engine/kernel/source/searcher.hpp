// The search of each game.
#pragma once

#include "evaluate_perfect.hpp"
#include "principal_search.hpp"
#include "tree_search.hpp"

namespace kernel {

template <Game G>
struct SearchOf { using Type = TreeSearch<G>; };
template <>
struct SearchOf<Perfect> { using Type = PrincipalSearch<Perfect>; };

template <Game G>
using Searcher = typename SearchOf<G>::Type;

}  // namespace kernel
