// How a game of Morelli began: the last field of a position's text.
#pragma once

#include "morelli_board.hpp"

namespace kernel::morelli {

enum Edition : u8 { kRevised, kOriginal };
enum SetupOption : u8 { kRandom, kPlacement, kRing, kFacing, kAdjacent, kFree, kBallot };

struct Rules {
    Edition edition = kRevised;
    SetupOption setup = kRandom;
    u8 size = 0;

    // False for a key that is not canonical, or not of Morelli.
    bool read(const RulesetKey& key) {
        if (!(key.family() == "morelli") || key.count() != 3) return false;
        const Text edition_name = key.value(0, "edition"), setup_name = key.value(2, "setup");
        if (edition_name == "revised") edition = kRevised;
        else if (edition_name == "original") edition = kOriginal;
        else return false;
        Reader reader(key.value(1, "size"));
        u32 number = 0;
        if (!reader.number(number, 2) || !reader.is_done()) return false;
        if (number % 2 == 0 || number < 5 || number > 31) return false;
        size = u8(number);
        for (u32 k = edition == kRevised ? kRandom : kRing; k <= (edition == kRevised ? kRing : kBallot); ++k)
            if (setup_name == setup_names()[k]) return setup = SetupOption(k), true;
        return false;
    }

    static const Text* setup_names() {
        static constexpr Text names[] = {"random", "placement", "ring", "facing", "adjacent", "free", "ballot"};
        return names;
    }
};

// The choices before the first ply.
class Setup {
public:
    // Reads such as `ring=BW...`, `votes=facing/free`, `mode=free` or `-`.
    bool read(const Rules& rules, Reader& reader) {
        if (rules.setup == kBallot) return read_ballot(reader);
        if (reader.take("ring=")) return read_ring(rules, reader);
        if (rules.setup == kFacing || rules.setup == kAdjacent) fill_mode_ring(rules.setup);
        return !needs_ring(rules) && reader.take('-');
    }

    void write(const Rules& rules, Writer& writer) const {
        if (rules.setup == kBallot) {
            writer.put(votes_[0] == kRandom ? Text("mode=") : Text("votes="));
            if (votes_[0] != kRandom) {
                writer.put(Rules::setup_names()[votes_[0]]);
                writer.put('/');
            }
            writer.put(Rules::setup_names()[votes_[1]]);
        } else if (is_text_) {
            writer.put("ring=");
            for (u32 k = 0; k < written_length(rules); ++k) writer.put(is_black(k) ? 'B' : 'W');
        } else {
            writer.put('-');
        }
    }

    // False where the players place the pieces.
    bool has_ring() const { return has_ring_; }
    // Whether a ring's k-th cell, clockwise from A1, begins with a black piece.
    bool is_black(u32 k) const { return black_[k / 64] >> k % 64 & 1; }

private:
    static u32 written_length(const Rules& rules) {
        return rules.edition == kRevised ? board.ring_length / 2 : board.ring_length;
    }
    static bool needs_ring(const Rules& rules) { return rules.setup == kRandom || rules.setup == kRing; }

    void set_black(u32 k) { black_[k / 64] |= 1ull << k % 64; }

    bool read_ring(const Rules& rules, Reader& reader) {
        if (rules.edition == kOriginal && rules.setup != kRing) return false;
        const u32 length = written_length(rules), half = board.ring_length / 2;
        u32 blacks = 0;
        for (u32 k = 0; k < length; ++k) {
            const bool black = reader.take('B');
            if (!black && !reader.take('W')) return false;
            blacks += black;
            // 2.2: opposite every piece stands the other colour.
            if (black) set_black(k);
            else if (rules.edition == kRevised) set_black(k + half);
        }
        has_ring_ = is_text_ = true;
        return rules.edition == kRevised || blacks == half;
    }

    // 2.3 of the original rules.
    void fill_mode_ring(SetupOption mode) {
        const u32 side = board.size - 1;
        for (u32 k = 0; k < board.ring_length; ++k) {
            const bool black = mode == kFacing
                ? k == 0 || (k > side && k <= 2 * side) || k > 3 * side
                : k <= side || k > 3 * side;
            if (black) set_black(k);
        }
        has_ring_ = true;
    }

    static bool read_mode(Reader& reader, SetupOption& mode) {
        for (u32 k = kFacing; k <= kFree; ++k)
            if (reader.take(Rules::setup_names()[k])) return mode = SetupOption(k), true;
        return false;
    }
    // 2.5, D-M20: equal votes win, different ones give the third mode.
    bool read_ballot(Reader& reader) {
        SetupOption mode;
        if (reader.take("votes=")) {
            if (!read_mode(reader, votes_[0]) || !reader.take('/') || !read_mode(reader, votes_[1])) return false;
            mode = votes_[0] == votes_[1]
                ? votes_[0]
                : SetupOption(kFacing + kAdjacent + kFree - votes_[0] - votes_[1]);
        } else if (reader.take("mode=") && read_mode(reader, votes_[1])) {
            mode = votes_[1];
        } else {
            return false;
        }
        if (mode != kFree) fill_mode_ring(mode);
        return true;
    }

    u64 black_[2] = {};
    bool has_ring_ = false;
    bool is_text_ = false;  // the ring was given, and is no mode's
    SetupOption votes_[2] = {kRandom, kRandom};  // the first is kRandom where the mode was given
};

}  // namespace kernel::morelli
