// Tree search with random games at its leaves: UCT (Kocsis and Szepesvari 2006), moves valued also
// by the games in which they came later (RAVE, Gelly and Silver 2007), wins and losses proved
// (MCTS-Solver, Winands, Bjornsson and Saito 2008).
#pragma once

#include "guide.hpp"
#include "search_words.hpp"
#include "tree.hpp"

namespace kernel {

// The natural logarithm of a number from 1 on, to four digits.
inline float logarithm(float x) {
    const u32 bits = __builtin_bit_cast(u32, x);
    const float m = __builtin_bit_cast(float, (bits & 0x7FFFFF) | 0x3F800000);
    const float mantissa = ((0.15814f * m - 1.04806f) * m + 2.84107f) * m - 1.95015f;
    return 0.693147f * (float(i32(bits >> 23) - 127) + mantissa);
}

template <Game G>
class TreeSearch {
public:
    void begin(const G& root, const SearchWords& words) {
        root_ = root;
        words_ = words;
        rng_ = Rng(words.seed);
        nodes_ = 0;
        visit_ = 0;
        for (auto& side : last_visit_)
            for (u32& last : side) last = 0;
        pool.size = 1;
        pool.node[0] = {};
        exploration_ = words.exploration ? float(words.exploration) / 1000 : Guide<G>::kExploration;
        amaf_ = words.amaf ? float(words.amaf - 1) : Guide<G>::kAmaf;
        if (!root.outcome()) expand(0, root);
    }

    // Goes on for so many visits; whether the search is finished.
    bool step(u32 nodes) {
        while (nodes-- && !is_finished()) visit();
        return is_finished();
    }

    // Goes on for so many units, a unit being a ply of a random game or of the way to it.
    bool slice(u32 units) {
        const u64 limit = plies_ + units;
        while (plies_ < limit && !is_finished()) visit();
        return is_finished();
    }

    bool is_finished() const {
        const TreeNode& root = pool.node[0];
        return !root.count || root.proof || (root.count == 1 && nodes_ >= kVisitsOfOnlyMove);
    }
    u32 nodes() const { return nodes_; }
    // The best move so far, or kNoMove in a finished game.
    Move best() const { return pool.node[0].count ? pool.node[best_child(0)].move : kNoMove; }

    void report(Writer& writer) const {
        const TreeNode& root = pool.node[0];
        u32 depth = 0;
        for (u32 at = 0; pool.node[at].count; ++depth) {
            at = best_child(at);
            if (!pool.node[at].visits) break;
        }
        put(writer, "depth ", depth);
        put(writer, " nodes ", nodes_);
        put(writer, " finished ", is_finished());
        writer.put('\n');
        u32 lines_above[kMostLines];
        const u32 lines = smaller(words_.lines, u32(root.count));
        for (u32 line = 0; line < lines; ++line) {
            u32 best = 0;
            for (u32 k = 0; k < root.count; ++k) {
                const u32 child = root.first + k;
                bool is_new = true;
                for (u32 other = 0; other < line; ++other) is_new &= lines_above[other] != child;
                if (is_new && (!best || is_better(pool.node[child], pool.node[best]))) best = child;
            }
            lines_above[line] = best;
            write_line(writer, best);
        }
    }

private:
    static constexpr u32 kKinds = 1u << 14, kDeepest = 512, kMostLines = 16, kVisitsOfOnlyMove = 200;
    static constexpr u32 kVisitsToExpand = 2;
    static constexpr u32 kLongestProof = (1u << 14) - 1;

    static void put(Writer& writer, Text words, u32 number) {
        writer.put(words);
        writer.number(number);
    }

    void write_line(Writer& writer, u32 at) const {
        const TreeNode& node = pool.node[at];
        const float value = node.proof == kWon ? 1 : node.proof == kLost ? 0 : node.proof == kDrawn ? 0.5f
                          : node.visits ? node.mean() : 0.5f;
        put(writer, "win ", u32(value * 1000 + 0.5f));
        const bool is_decided = node.proof == kWon || node.proof == kLost;
        put(writer, node.proof == kLost ? Text(" forced -") : Text(" forced "), is_decided ? node.length : 0);
        writer.put(" pv");
        G position = root_;
        for (;;) {
            writer.put(' ');
            position.write_move(pool.node[at].move, writer);
            position.play(pool.node[at].move);
            if (!pool.node[at].count) break;
            at = best_child(at);
            if (!pool.node[at].visits) break;
        }
        writer.put('\n');
    }

    // Whether a move is to be preferred: a proof first, then the number of visits.
    static bool is_better(const TreeNode& a, const TreeNode& b) {
        const auto rank = [](const TreeNode& node) { return node.proof == kWon ? 2 : node.proof == kLost ? 0 : 1; };
        if (rank(a) != rank(b)) return rank(a) > rank(b);
        if (a.proof == kWon) return a.length < b.length;
        if (a.proof == kLost) return a.length > b.length;
        if (a.visits != b.visits) return a.visits > b.visits;
        return a.sum > b.sum;
    }
    u32 best_child(u32 at) const {
        const TreeNode& node = pool.node[at];
        u32 best = node.first;
        for (u32 k = 1; k < node.count; ++k)
            if (is_better(pool.node[node.first + k], pool.node[best])) best = node.first + k;
        return best;
    }

    // Lists the moves of a position below its node; false where there is no room for them.
    bool expand(u32 at, const G& position) {
        static Move moves[G::kMaxMoves];
        const u32 count = smaller(words_.leave_out(moves, position.moves(moves)), 0xFFFFu);
        if (!pool.has_room(count)) return false;
        TreeNode& node = pool.node[at];
        node.first = pool.size;
        node.count = u16(count);
        pool.size += count;
        for (u32 k = 0; k < count; ++k) {
            pool.node[node.first + k] = {};
            pool.node[node.first + k].move = moves[k];
        }
        return true;
    }

    // Walks to a leaf, plays the game out, and tells the nodes on the way.
    void visit() {
        ++visit_;
        ++nodes_;
        G position = root_;
        u32 depth = 0, at = 0;
        path_[0] = 0;
        bool is_new_proof = false;
        for (;;) {
            TreeNode& node = pool.node[at];
            if (depth && !node.visits) {
                if (const u32 outcome = position.outcome()) {
                    node.proof = proof_of(outcome, side_[depth - 1]);
                    node.length = 1;
                    is_new_proof = true;
                }
            }
            if (depth && node.proof) break;
            if (!node.count) {
                const bool is_ripe = node.visits >= kVisitsToExpand && depth + 1 < kDeepest;
                if (!is_ripe || !expand(at, position)) break;
            }
            side_[depth] = u8(position.side());
            at = select(node);
            note(side_[depth], pool.node[at].move);
            position.play(pool.node[at].move);
            path_[++depth] = at;
        }
        back_up(depth, value_at(position, depth));
        if (is_new_proof) prove(depth);
    }

    // Of a leaf, for the first side.
    float value_at(G& position, u32 depth) {
        const u32 proof = pool.node[path_[depth]].proof;
        if (proof == kDrawn) return 0.5f;
        if (proof) return side_[depth - 1] == u32(proof == kLost) ? 1 : 0;
        const u32 outcome = outcome_of_random_game(position);
        if (outcome == kGoesOn) {
            const float chance = float(evaluation(position)) / 1000;
            return position.side() ? 1 - chance : chance;
        }
        return outcome == kDraw ? 0.5f : outcome == kFirstWon ? 1 : 0;
    }
    // kGoesOn where the game is cut short, so that the evaluation judges it (Lorentz 2008).
    u32 outcome_of_random_game(G& position) {
        const auto visit = [this](const G& here, Move move) { note(here.side(), move); };
        if constexpr (requires { Guide<G>::kRandomPlay; })
            if (!words_.uniform) return position.playout(rng_, visit, Guide<G>::kRandomPlay);
        return walk_at_random(position, rng_, visit);
    }
    void note(u32 side, Move move) {
        last_visit_[side][Guide<G>::kind(move)] = visit_;
        ++plies_;
    }

    void back_up(u32 depth, float first_sides) {
        const float values[2] = {first_sides, 1 - first_sides};
        ++pool.node[0].visits;
        for (u32 k = 0; k < depth; ++k) {
            const u32 side = side_[k];
            TreeNode& child = pool.node[path_[k + 1]];
            ++child.visits;
            child.sum += values[side];
            if (amaf_ <= 0) continue;
            const TreeNode& parent = pool.node[path_[k]];
            for (u32 c = 0; c < parent.count; ++c) {
                TreeNode& sibling = pool.node[parent.first + c];
                if (last_visit_[side][Guide<G>::kind(sibling.move)] != visit_) continue;
                ++sibling.amaf_visits;
                sibling.amaf_sum += values[side];
            }
        }
    }

    // The child to visit next.
    u32 select(const TreeNode& node) {
        const float scale = exploration_ * __builtin_sqrtf(logarithm(float(node.visits + 1)));
        u32 best = node.first;
        float best_bound = -1;
        for (u32 k = 0; k < node.count; ++k) {
            const TreeNode& child = pool.node[node.first + k];
            if (child.proof == kLost) continue;
            if (child.proof == kWon) return node.first + k;
            const float bound = value_of(child) + scale / __builtin_sqrtf(float(child.visits) + 1) +
                                float(rng_.next() >> 40) * 1e-11f;
            if (bound > best_bound) best_bound = bound, best = node.first + k;
        }
        return best;
    }

    float value_of(const TreeNode& child) const {
        const float mean = child.visits ? child.mean() : 0.5f;
        if (!child.amaf_visits) return child.visits ? mean : 0.6f;
        const float share = __builtin_sqrtf(amaf_ / (3 * float(child.visits) + amaf_));
        return (1 - share) * mean + share * child.amaf_sum / float(child.amaf_visits);
    }

    // Carries a proof at the end of the path towards the root as far as it goes.
    void prove(u32 depth) {
        while (depth--) {
            TreeNode& node = pool.node[path_[depth]];
            const u32 side = side_[depth];
            Proof best = kLost;
            u32 length = 0;
            for (u32 k = 0; k < node.count; ++k) {
                const TreeNode& child = pool.node[node.first + k];
                if (child.proof == kWon) {
                    length = best == kWon ? smaller(length, u32(child.length)) : child.length;
                    best = kWon;
                } else if (best != kWon) {
                    if (!child.proof) { best = kOpen; }
                    else if (best != kOpen) {
                        length = larger(length, u32(child.length));
                        if (child.proof == kDrawn) best = kDrawn;
                    }
                }
            }
            if (best == kOpen) return;
            const bool is_same_side = !depth || side_[depth - 1] == side;
            node.proof = is_same_side ? best : opposite(best);
            node.length = smaller(length + 1, kLongestProof);
        }
    }

    G root_;
    SearchWords words_;
    Rng rng_{0};
    u32 nodes_ = 0;
    u64 plies_ = 0;  // of all visits
    u32 visit_ = 0;  // stamps `last_visit_`
    float exploration_ = 0, amaf_ = 0;
    u32 path_[kDeepest];
    u8 side_[kDeepest];          // who moves at each node of the path
    u32 last_visit_[2][kKinds];  // by side and kind of move: the last visit with it
};

}  // namespace kernel
