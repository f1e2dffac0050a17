// A search in the way that is best for its game, or in the way that is asked for.
#pragma once

#include "evaluate_morelli.hpp"
#include "evaluate_morlox.hpp"
#include "evaluate_perfect.hpp"
#include "principal_search.hpp"
#include "tree_search.hpp"

namespace kernel {

template <Game G>
class Searcher {
public:
    void begin(const G& root, const SearchWords& words) {
        // Both ways to search evaluate; the search before may have had other weights.
        Guide<G>::weights().set(words);
        method_ = words.method ? Method(words.method) : Guide<G>::method(root);
        if (method_ == kTree) tree_.begin(root, words);
        else principal_.begin(root, words);
    }
    // Whether a node may look at all its moves at once.
    bool looks_ahead() const { return method_ != kTree && Guide<G>::kLooksAhead; }

    bool slice(u32 units) { return method_ == kTree ? tree_.slice(units) : principal_.slice(units); }
    bool step(u32 nodes) { return method_ == kTree ? tree_.step(nodes) : principal_.step(nodes); }
    Move best() const { return method_ == kTree ? tree_.best() : principal_.best(); }
    void report(Writer& writer) const {
        if (method_ == kTree) tree_.report(writer);
        else principal_.report(writer);
    }

private:
    Method method_ = kTree;
    TreeSearch<G> tree_;
    PrincipalSearch<G> principal_;
};

}  // namespace kernel
