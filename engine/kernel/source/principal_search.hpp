// Search by evaluation: principal variation search, one ply deeper each time, on a stack of its own
// so that it can stop anywhere and go on.
#pragma once

#include "guide.hpp"
#include "order.hpp"
#include "search_words.hpp"
#include "table.hpp"

namespace kernel {

template <Game G>
class PrincipalSearch {
public:
    void begin(const G& root, const SearchWords& words) {
        words_ = words;
        table_key_ = words.table_key();
        nodes_ = 0;
        looks_ = 0;
        depth_ = 0;
        is_proved_ = false;
        for (auto& side : history_)
            for (u32& count : side) count = 0;
        for (auto& at_ply : killers_)
            for (Move& move : at_ply) move = kNoMove;
        frames_[0].position = root;
        root_count_ = root.outcome() ? 0 : smaller(words.leave_out(moves_, root.moves(moves_)), kMostRootMoves);
        Rng rng(words.seed);
        for (u32 k = 0; k < root_count_; ++k) {
            const u32 other = k + rng.below(root_count_ - k);
            const Move here = moves_[k];
            moves_[k] = moves_[other];
            moves_[other] = here;
            lines_[k] = {0, 1, {moves_[k]}};
        }
        begin_depth();
    }

    bool step(u32 nodes) {
        const u32 limit = nodes_ + nodes;
        while (nodes_ < limit && !is_finished()) go_on();
        return is_finished();
    }

    // Goes on for so many units, a node being one, and a move that is looked at to rank it another: of
    // nearly the same time each, where nodes differ by a factor of a thousand.
    bool slice(u32 units) {
        const u64 limit = u64(nodes_) + looks_ + units;
        while (u64(nodes_) + looks_ < limit && !is_finished()) go_on();
        return is_finished();
    }

    bool is_finished() const {
        return !root_count_ || is_proved_ || depth_ >= kDeepest || (root_count_ == 1 && depth_ >= kDepthOfOnlyMove);
    }
    u32 nodes() const { return nodes_; }
    Move best() const { return !root_count_ ? kNoMove : root_done_ ? fresh_[0].pv[0] : lines_[0].pv[0]; }

    void report(Writer& writer) const {
        writer.put("depth ");
        writer.number(depth_);
        writer.put(" nodes ");
        writer.number(nodes_);
        writer.put(is_finished() ? Text(" finished 1\n") : Text(" finished 0\n"));
        for (u32 k = 0; k < smaller(words_.lines, root_count_); ++k) write_line(writer, lines_[k]);
    }

private:
    static constexpr i32 kInfinite = 32000, kWin = 31000, kSurelyWon = 30000;
    static constexpr u32 kDeepest = 60, kPlies = 96, kMostRootMoves = 4096, kKinds = 1u << 14;
    static constexpr u32 kDepthOfOnlyMove = 2, kMostMoves = 1u << 17, kLongestLine = 24;
    static constexpr i32 kMostRestless = 16;
    // So many moves that are listed and ranked without a look at the position after them take the
    // time of one such look.
    static constexpr u32 kCheapLooks = 16;

    struct Frame {
        G position;
        u64 hash;
        u32 base, count, next;
        i32 alpha, beta, first_alpha, best, depth;
        Move best_move;
        bool is_other_side;  // than the parent's
        bool is_scout;       // the child is searched with a window of one
        bool is_reduced;
    };
    struct RootLine {
        i32 value;
        u32 length;
        Move pv[kLongestLine];
    };

    static i32 permille(i32 value) { return Guide<G>::permille(value); }

    void write_line(Writer& writer, const RootLine& line) const {
        const i32 plies = line.value >= kSurelyWon ? kWin - line.value
                        : line.value <= -kSurelyWon ? kWin + line.value : 0;
        writer.put("win ");
        writer.number(u32(plies ? (line.value > 0) * 1000 : permille(line.value + half_step_back())));
        writer.put(plies && line.value < 0 ? Text(" forced -") : Text(" forced "));
        writer.number(u32(plies));
        writer.put(" pv");
        G position = frames_[0].position;
        for (u32 k = 0; k < line.length; ++k) {
            writer.put(' ');
            position.write_move(line.pv[k], writer);
            position.play(line.pv[k]);
        }
        writer.put('\n');
    }

    // From the best value halfway to that of the depth before. An evaluation favours whoever has
    // moved last, so that even and odd depths take turns, and their mean is nearer to the truth.
    i32 half_step_back() const {
        const i32 best = lines_[0].value;
        const bool is_proof = best >= kSurelyWon || best <= -kSurelyWon || before_ >= kSurelyWon || before_ <= -kSurelyWon;
        return depth_ < 2 || is_proof ? 0 : (before_ - best) / 2;
    }

    void begin_depth() {
        ply_ = 0;
        root_next_ = 0;
        root_done_ = 0;
        if (root_count_) begin_root_move();
    }

    // The value that a root move must beat to be among the lines that are reported.
    i32 root_bar() const {
        return root_done_ < words_.lines ? -kInfinite : fresh_[words_.lines - 1].value;
    }

    void begin_root_move() {
        const i32 bar = root_bar();
        is_root_scout_ = bar > -kInfinite;
        descend_from_root(bar, is_root_scout_ ? bar + 1 : kInfinite);
    }
    void descend_from_root(i32 alpha, i32 beta) {
        Frame& root = frames_[0];
        root.alpha = alpha, root.beta = beta;
        root.depth = i32(depth_) + 1;
        root.base = 0, root.count = root_count_;
        enter(root, lines_[root_next_].pv[0], alpha, beta, i32(depth_));
    }

    // Puts the position after a move upon the stack.
    void enter(const Frame& parent, Move move, i32 alpha, i32 beta, i32 depth) {
        Frame& child = frames_[ply_ + 1];
        child.position = parent.position;
        child.position.play(move);
        child.is_other_side = child.position.side() != parent.position.side();
        child.alpha = child.is_other_side ? -beta : alpha;
        child.beta = child.is_other_side ? -alpha : beta;
        child.depth = depth;
        child.base = parent.base + parent.count;
        child.count = 0;
        ++ply_;
        ++nodes_;
        is_entering_ = true;
        pv_length_[ply_] = 0;
    }

    // One step of the search: enters a node, or leaves one.
    void go_on() {
        Frame& here = frames_[ply_];
        if (is_entering_) {
            is_entering_ = false;
            i32 value = 0;
            if (is_leaf(here, value)) leave(value);
        } else if (here.next < here.count && here.best < here.beta) {
            MoveOrder{moves_ + here.base, ranks_ + here.base, here.count}.pick(here.next);
            next_child(here);
        } else {
            keep(here);
            leave(here.best);
        }
    }

    bool is_leaf(Frame& here, i32& value) {
        const u32 outcome = here.position.outcome();
        if (outcome) {
            const i32 won = kWin - i32(ply_);
            value = outcome == kDraw ? 0 : outcome == kFirstWon + here.position.side() ? won : -won;
            return true;
        }
        const bool is_full = ply_ + 2 >= kPlies || here.base + G::kMaxMoves > kMostMoves;
        if (is_full || (here.depth <= 0 && (here.depth < -kMostRestless || !Guide<G>::is_restless(here.position)))) {
            value = static_value(here.position);
            return is_full || value >= here.beta || !open_leaf(here, value);
        }
        here.hash = here.position.hash() ^ table_key_;
        Move first = kNoMove;
        if (const TableEntry* entry = table.find(here.hash)) {
            first = entry->move;
            const i32 table_value = from_table(entry->value);
            const bool is_deep = i32(entry->depth) >= here.depth;
            if (is_deep && (entry->bound == kExact || (entry->bound == kAtLeast && table_value >= here.beta) ||
                            (entry->bound == kAtMost && table_value <= here.alpha))) {
                value = table_value;
                return true;
            }
        }
        here.count = words_.leave_out(moves_ + here.base, here.position.moves(moves_ + here.base));
        here.next = 0;
        here.best = -kInfinite;
        here.best_move = kNoMove;
        here.first_alpha = here.alpha;
        rank_moves(here, first);
        return false;
    }

    // Has the moves searched that a leaf cannot be judged without; its value is what it has without
    // them, or more. False where there are none.
    bool open_leaf(Frame& here, i32 value) {
        Move* list = moves_ + here.base;
        here.count = words_.without_overlooked(list, Guide<G>::urgent_moves(here.position, list));
        if (!here.count) return false;
        here.hash = here.position.hash() ^ table_key_;
        here.next = 0;
        here.best = value;
        here.best_move = kNoMove;
        here.first_alpha = here.alpha;
        here.alpha = larger(here.alpha, value);
        rank_moves(here, kNoMove);
        return true;
    }

    i32 from_table(i32 value) const {
        return value >= kSurelyWon ? value - i32(ply_) : value <= -kSurelyWon ? value + i32(ply_) : value;
    }
    i32 to_table(i32 value) const {
        return value >= kSurelyWon ? value + i32(ply_) : value <= -kSurelyWon ? value - i32(ply_) : value;
    }

    void rank_moves(const Frame& here, Move first) {
        const u32 side = here.position.side();
        if (Guide<G>::kLooksAhead && here.depth >= 2) {
            looks_ += here.count;
            for (u32 k = 0; k < here.count; ++k) {
                const Move move = moves_[here.base + k];
                G next = here.position;
                next.play(move);
                const i32 value = static_value(next);
                ranks_[here.base + k] = move == first ? 1 << 30 : next.side() == side ? value : -value;
            }
            return;
        }
        looks_ += here.count / kCheapLooks;
        for (u32 k = 0; k < here.count; ++k) {
            const Move move = moves_[here.base + k];
            i32 rank = Guide<G>::rank(here.position, move) * 64 + i32(smaller(history_[side][Guide<G>::kind(move)], 1u << 20));
            if (move == killers_[ply_][0] || move == killers_[ply_][1]) rank += 1 << 21;
            if (move == first) rank = 1 << 30;
            ranks_[here.base + k] = rank;
        }
    }

    void next_child(Frame& here) {
        const Move move = moves_[here.base + here.next];
        here.is_scout = here.next > 0 && here.beta - here.alpha > 1;
        const i32 depth = here.depth - 1;
        here.is_reduced = words_.reduction != 1 && here.next >= 4 && here.depth >= 3 && Guide<G>::may_reduce(here.position, move);
        const i32 less_deep = here.is_reduced ? depth - 1 - i32(here.next >= 16) : depth;
        enter(here, move, here.alpha, here.is_scout || here.is_reduced ? here.alpha + 1 : here.beta, less_deep);
    }

    // Carries a value to the parent.
    void leave(i32 value) {
        const bool is_other_side = frames_[ply_].is_other_side;
        const i32 result = is_other_side ? -value : value;
        --ply_;
        if (!ply_) return leave_to_root(result);
        Frame& here = frames_[ply_];
        const Move move = moves_[here.base + here.next];
        if (here.is_reduced && result > here.alpha) {
            here.is_reduced = false;
            return enter(here, move, here.alpha, here.is_scout ? here.alpha + 1 : here.beta, here.depth - 1);
        }
        if (here.is_scout && result > here.alpha && result < here.beta) {
            here.is_scout = false;
            return enter(here, move, here.alpha, here.beta, here.depth - 1);
        }
        ++here.next;
        if (result <= here.best) return;
        here.best = result;
        here.best_move = move;
        if (result <= here.alpha) return;
        here.alpha = result;
        take_line(move);
        if (result >= here.beta) reward(here, move);
    }

    void take_line(Move move) {
        const u32 below = smaller(pv_length_[ply_ + 1], kPlies - 1);
        pv_[ply_][0] = move;
        for (u32 k = 0; k < below; ++k) pv_[ply_][k + 1] = pv_[ply_ + 1][k];
        pv_length_[ply_] = below + 1;
    }

    void reward(const Frame& here, Move move) {
        history_[here.position.side()][Guide<G>::kind(move)] += u32(here.depth * here.depth);
        if (killers_[ply_][0] == move) return;
        killers_[ply_][1] = killers_[ply_][0];
        killers_[ply_][0] = move;
    }

    void keep(const Frame& here) {
        const Bound bound = here.best >= here.beta ? kAtLeast : here.best > here.first_alpha ? kExact : kAtMost;
        table.keep(here.hash, here.best_move, to_table(here.best), here.depth, bound);
    }

    void leave_to_root(i32 value) {
        const i32 bar = root_bar();
        if (is_root_scout_ && value > bar) {
            is_root_scout_ = false;
            return descend_from_root(bar, kInfinite);
        }
        insert_line(value, value > bar);
        if (++root_next_ < root_count_) return begin_root_move();
        before_ = lines_[0].value;
        for (u32 k = 0; k < root_count_; ++k) lines_[k] = fresh_[k];
        ++depth_;
        is_proved_ = lines_[0].value >= kSurelyWon || lines_[0].value <= -kSurelyWon;
        begin_depth();
    }

    // Files a root move by its value among those of this depth; equal ones stay in their order.
    void insert_line(i32 value, bool is_exact) {
        u32 at = root_done_++;
        for (; at && fresh_[at - 1].value < value; --at) fresh_[at] = fresh_[at - 1];
        RootLine& line = fresh_[at];
        line.value = value;
        line.pv[0] = lines_[root_next_].pv[0];
        line.length = 1;
        if (!is_exact) return;
        for (u32 k = 0; k < pv_length_[1] && line.length < kLongestLine; ++k) line.pv[line.length++] = pv_[1][k];
    }

    SearchWords words_;
    u64 table_key_ = 0;
    u32 nodes_ = 0, depth_ = 0, ply_ = 0;
    i32 before_ = 0;  // the best value at the depth before
    u64 looks_ = 0;   // at moves, to rank them
    u32 root_count_ = 0, root_next_ = 0, root_done_ = 0;
    bool is_entering_ = false, is_root_scout_ = false, is_proved_ = false;
    Frame frames_[kPlies + 1];
    u32 history_[2][kKinds];
    Move killers_[kPlies + 1][2];
    Move pv_[kPlies + 1][kPlies];
    u32 pv_length_[kPlies + 1];
    RootLine lines_[kMostRootMoves], fresh_[kMostRootMoves];
    Move moves_[kMostMoves];
    i32 ranks_[kMostMoves];
};

}  // namespace kernel
