// Positions of Morlox: whose turn it is, their text, the text of moves, random play.
#pragma once

#include "morlox_chains.hpp"
#include "rules.hpp"

namespace kernel {

namespace morlox {

// How a random game is played: to the end, each move equally likely; or for so many plies, and by
// preference flips.
struct RandomPlay {
    u32 plies = ~0u;
    u32 flips = 0;  // so many of 16 turns flip a stone, where one can be flipped
};

}  // namespace morlox

// A position on a board of more than kBelow and up to kCapacity files.
template <u32 kBelow, u32 kCapacity>
class Morlox {
public:
    // Else the cell of a placement or flip.
    static constexpr Move kSwap = 1, kPass = 2;
    static constexpr u32 kMaxMoves = kCapacity * kCapacity + 1;

    static bool accepts(const RulesetKey& key) {
        Options options;
        return options.read(key) && options.size > kBelow && options.size <= kCapacity;
    }

    Error parse(const RulesetKey& key, Reader& reader) {
        if (!accepts(key)) return kUnknownRuleset;
        start(key);
        const bool is_read = read_stones(reader) && read_state(reader) && reader.is_done();
        if (!is_read || !is_plausible()) return kBadPosition;
        is_won_ = board_.has_chain(turn_);
        return kFine;
    }

    // Rows from the top; colour to move; ply; whether the persons changed colours.
    void write(Writer& writer) const {
        for (u32 rank = size(); rank-- > 0;) {
            for (u32 file = 0; file < size(); ++file) {
                const u32 cell = Board::cell(file, rank);
                writer.put(board_.is_empty(cell) ? '.' : board_.has_stone(cell, kBlack) ? 'b' : 'w');
            }
            writer.put(rank ? '/' : ' ');
        }
        writer.put(turn_ == kBlack ? 'b' : 'w');
        writer.put(' ');
        writer.number(ply_);
        writer.put(is_swapped_ ? Text(" swapped") : Text(" -"));
    }

    u32 moves(Move* out) const {
        if (is_won_) return 0;
        u32 count = 0;
        board_.legal(turn_).each([&](u32 cell) { out[count++] = cell; });
        if (may_swap()) out[count++] = kSwap;
        if (!count) out[count++] = kPass;  // D-X8
        return count;
    }
    u32 move_count() const {
        if (is_won_) return 0;
        return larger(board_.legal(turn_).count() + may_swap(), 1u);
    }

    Move random_move(Rng& rng) const {
        if (is_won_) return kNoMove;
        const u32 stones = board_.legal(turn_).count(), count = stones + may_swap();
        if (!count) return kPass;
        const u32 index = rng.below(count);
        return index == stones ? kSwap : board_.legal(turn_).at(index);
    }

    void play(Move move) {
        ++ply_;
        if (move == kSwap) {
            is_swapped_ = true;  // D-X9: the stone stays, and it is White's turn still
            return;
        }
        if (move == kPass) {
            last_[turn_] = kNone;
        } else {
            stones_hash_ ^= hash_of_move(u32(move));
            board_.put(u32(move), turn_);
            last_[turn_] = u16(move);
        }
        turn_ ^= 1;
        is_won_ = has_new_chain([](u32, u32) { return true; });
    }

    // Plays on at random; returns the outcome. The board, the turn, outcome, side and ply of the
    // position are true afterwards, its hash is not.
    template <class Visit>
    u32 playout(Rng& rng, Visit visit, morlox::RandomPlay play = {}) {
        MorloxChains<kCapacity> chains(board_);
        for (u32 plies = 0; plies < play.plies && !is_won_; ++plies) {
            Move move = play.flips && rng.below(16) < play.flips ? random_flip(rng) : kNoMove;
            if (!move) move = random_move(rng);
            visit(*this, move);
            ++ply_;
            if (move == kSwap) {
                is_swapped_ = true;
                continue;
            }
            last_[turn_] = kNone;
            if (move != kPass) {
                board_.put(u32(move), turn_);
                chains.add(board_, u32(move), turn_);
                last_[turn_] = u16(move);
            }
            turn_ ^= 1;
            is_won_ = has_new_chain([&](u32 cell, u32 colour) { return chains.may_join_edges(cell, colour); });
        }
        return outcome();
    }

    // The side to move wins if its chain stands (D-X6); there are no draws (D-X12).
    u32 outcome() const { return is_won_ ? kFirstWon + side() : u32(kGoesOn); }
    // The person who plays the colour to move (D-X9, D-X11).
    u32 side() const { return turn_ ^ u32(is_swapped_); }
    u32 ply() const { return ply_; }
    u64 hash() const {
        return stones_hash_ ^ mix(turn_ | u32(is_swapped_) << 1 | u32(may_swap()) << 2 | size() << 3);
    }

    // The legal move of this text: there is one spelling of each.
    bool read_move(Reader& reader, Move& move) const {
        if (is_won_) return false;
        if (reader.take("swap")) return move = kSwap, reader.is_done() && may_swap();
        if (reader.take("pass"))
            return move = kPass, reader.is_done() && !may_swap() && board_.legal(turn_).none();
        const u32 file = u32(reader.peek()) - 'a';
        u32 rank = 0;
        reader.skip();
        if (file >= size() || !reader.number(rank, 2) || rank < 1 || rank > size()) return false;
        const u32 cell = Board::cell(file, rank - 1);
        move = cell;
        const bool is_flip = reader.take('x');
        return reader.is_done() && is_flip != board_.is_empty(cell) && board_.legal(turn_).test(cell);
    }

    void write_move(Move move, Writer& writer) const {
        if (move == kSwap) return writer.put("swap");
        if (move == kPass) return writer.put("pass");
        writer.put(char('a' + Board::file_of(u32(move))));
        writer.number(Board::rank_of(u32(move)) + 1);
        if (!board_.is_empty(u32(move))) writer.put('x');
    }

    using Board = MorloxBoard<kCapacity>;
    const Board& board() const { return board_; }
    u32 turn() const { return turn_; }  // the colour to move

private:
    static constexpr u32 kBlack = Board::kBlack, kWhite = Board::kWhite;
    // Instead of the cell of a stone: the last turn is not known; it was a pass.
    static constexpr u16 kUnknown = 0, kNone = 1;

    struct Options {
        u32 size = 0;
        bool has_swap = false;

        bool read(const RulesetKey& key) {
            Reader number(key.value(0, "size"));
            has_swap = key.value(1, "swap") == "on";
            return key.family() == "morlox" && key.count() == 2 && number.number(size, 2) &&
                   number.is_done() && size >= 2 && size <= 26 &&
                   (has_swap || key.value(1, "swap") == "off");
        }
    };

    u32 size() const { return board_.size(); }
    // kNoMove where no stone can be flipped.
    Move random_flip(Rng& rng) const {
        const typename Board::Cells flips = board_.legal(turn_) & board_.stones(turn_ ^ 1);
        const u32 count = flips.count();
        return count ? flips.at(rng.below(count)) : kNoMove;
    }
    // D-X9: the second player's first turn only.
    bool may_swap() const { return has_swap_ && ply_ == 1; }

    void start(const RulesetKey& key) {
        Options options;
        options.read(key);
        board_.clear(options.size);
        has_swap_ = options.has_swap;
        stones_hash_ = 0;
        last_[kBlack] = last_[kWhite] = kUnknown;
    }

    bool read_stones(Reader& reader) {
        for (u32 rank = size(); rank-- > 0;) {
            for (u32 file = 0; file < size(); ++file) {
                const u32 cell = Board::cell(file, rank);
                if (reader.take('.')) continue;
                turn_ = reader.peek() == 'b' ? kBlack : kWhite;
                if (!reader.take('b') && !reader.take('w')) return false;
                stones_hash_ ^= hash_of_move(cell);
                board_.put(cell, turn_);
            }
            if (!reader.take(rank ? '/' : ' ')) return false;
        }
        return true;
    }

    bool read_state(Reader& reader) {
        turn_ = reader.peek() == 'b' ? kBlack : kWhite;
        if (!reader.take("b ") && !reader.take("w ")) return false;
        // The bound on plies of `games`.
        if (!reader.number(ply_, 5) || ply_ > 50 * size() * size()) return false;
        is_swapped_ = reader.take(" swapped");
        return is_swapped_ || reader.take(" -");
    }

    // Whether the counts fit together as they do in every game.
    bool is_plausible() const {
        if (is_swapped_ && (!has_swap_ || ply_ < 2)) return false;
        const u32 turns = ply_ - is_swapped_, white = board_.count(kWhite);
        const u32 stones = board_.count(kBlack) + white;
        return (turn_ == kBlack) == (turns % 2 == 0) && smaller(turns, 1u) <= stones &&
               stones <= turns && (ply_ != 1 || white == 0);
    }

    // What a stone of the colour to move on `cell` changes of the hash of the stones.
    u64 hash_of_move(u32 cell) const {
        const auto key = [cell](u32 colour) {
            return mix((2 * cell + colour + 1) * 0x9E3779B97F4A7C15ull);
        };
        return key(turn_) ^ (board_.is_empty(cell) ? 0 : key(turn_ ^ 1));
    }

    // Whether the side to move has a chain. One that is new since its last turn runs through the
    // stone put then; `may_join` may rule it out at less cost.
    template <class MayJoin>
    bool has_new_chain(MayJoin may_join) const {
        const u32 last = last_[turn_];
        if (last == kUnknown) return board_.has_chain(turn_);
        return last != kNone && board_.has_stone(last, turn_) && may_join(last, turn_) &&
               board_.has_chain_through(last, turn_);
    }

    Board board_;
    u64 stones_hash_;
    u32 ply_;
    u16 last_[2];  // by colour: the stone of its last turn
    u8 turn_;      // the colour to move
    bool has_swap_, is_swapped_, is_won_;
};

}  // namespace kernel
