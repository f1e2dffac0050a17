// The rules of Morelli in both editions. Paragraphs: revised / original rules.
#pragma once

#include "morelli_setup.hpp"

namespace kernel {

namespace morelli { struct Crowd; struct Effects; }

// A position on a board of at most `kLargest` files. All positions alive at once are of one size.
template <u32 kLargest>
class Morelli {
public:
    // Captures of neighbours of a landing cell are subsets of eight; the 120 pieces of the largest
    // board stand beside so few landing cells that the turns of a position are fewer.
    static constexpr u32 kMaxMoves = 1u << 16;

    static bool accepts(const RulesetKey& key) {
        morelli::Rules rules;
        return rules.read(key) && rules.size <= kLargest;
    }
    Error parse(const RulesetKey& key, Reader& reader);
    void write(Writer& writer) const;
    bool read_move(Reader& reader, Move& move) const;
    void write_move(Move move, Writer& writer) const;

    u32 side() const { return side_; }
    u32 ply() const { return ply_; }
    u32 size() const { return rules_.size; }
    bool is_placing() const { return is_placing_; }
    // Whose King sits on the Throne: 0 nobody's, 1 the first side's, 2 the second's.
    u32 throne() const { return throne_; }
    // The pieces of a side on a file, a bit a rank.
    u32 men(u32 side, u32 file) const { return men_[side][file + 1]; }
    // Lists the turns by which a piece becomes the last corner of a frame and its King is enthroned.
    u32 frame_turns(Move* list) const;
    u64 hash() const {
        return hash_ ^ (side_ ? kSideKey : 0) ^ kThroneKey * throne_ ^ (is_agreed_ ? kAgreedKey : 0);
    }

    // 3.2, 3.3 / 3.1, 3.4, D-M3, D-M4: where the side to move is stuck the Throne decides.
    u32 outcome() const {
        if (!is_agreed_ && (is_placing_ || can_move())) return kGoesOn;
        return throne_ ? throne_ : u32(kDraw);
    }

    u32 moves(Move* list) const {
        u32 count = 0;
        if (is_agreed_) return 0;
        if (is_placing_)
            each_vacant([&](Cell cell) { list[count++] = kPlaces | cell; });
        else
            each_step([&](Cell start, Cell end) {
                each_turn(start, end, [&](Move move) { list[count++] = move; });
            });
        return count;
    }
    // How many moves there are, without listing them.
    u32 move_count() const {
        u32 count = 0;
        if (is_agreed_) return 0;
        if (is_placing_) {
            each_vacant([&](Cell) { ++count; });
            return count;
        }
        each_piece(side_, [&](Cell cell) { count += steps_from(cell); });
        if (rules_.edition == morelli::kOriginal) each_turn_with_effects([&](Move) { ++count; });
        return count;
    }

    void play(Move move);
    Move random_move(Rng& rng) const;
    template <class Visit>
    u32 playout(Rng& rng, Visit visit);

private:
    using Cell = morelli::Cell;
    using Way = morelli::Way;
    // Half of the bytes to copy where no line has more than 16 cells.
    template <bool is_short, class = void> struct WordOf { using Type = u32; };
    template <class T> struct WordOf<true, T> { using Type = u16; };
    using Word = typename WordOf<(kLargest <= 16)>::Type;

    // A move: the landing cell, the start, the captured neighbours, and whether a King is enthroned.
    static constexpr u32 kStartShift = 10, kCapturesShift = 20;
    static constexpr Move kEnthrones = 1u << 28, kPlaces = 1u << 29, kAgrees = 1u << 30;
    static Move turn(Cell start, Cell end, u32 captures) {
        return end | start << kStartShift | captures << kCapturesShift;
    }
    static Cell end_of(Move move) { return move & 1023; }
    static Cell start_of(Move move) { return move >> kStartShift & 1023; }
    static u32 captures_of(Move move) { return move >> kCapturesShift & 255; }

    static constexpr u64 kSideKey = 0x9AE16A3B2F90404Full, kThroneKey = 0xC3A5C85C97CB3127ull,
                         kAgreedKey = 0xB492B66FBE98F273ull;

    // The neighbours of a cell by file, then rank: the order of the notation.
    static Cell neighbour(Cell cell, u32 k) {
        constexpr i32 steps[8] = {-33, -32, -31, -1, 1, 31, 32, 33};
        return Cell(i32(cell) + steps[k]);
    }
    template <class Visit>
    static void each_neighbour(Cell cell, u32 set, Visit visit) {
        for (; set; set &= set - 1) visit(neighbour(cell, lowest(set)));
    }

    bool has_man(u32 side, Cell cell) const {
        return men(side, morelli::file_of(cell)) >> morelli::rank_of(cell) & 1;
    }
    void put_man(u32 side, Cell cell) { flip_man(side, cell), flip_obstacle(cell); }
    void flip_man(u32 side, Cell cell) {
        men_[side][morelli::file_of(cell) + 1] ^= Word(1u << morelli::rank_of(cell));
        hash_ ^= morelli::board.piece_key[side][cell];
    }
    void flip_obstacle(Cell cell) {
        for (u32 axis = 0; axis < morelli::kAxes; ++axis)
            lines_[axis][morelli::board.line[cell][axis]] ^= Word(1u << morelli::place_on(axis, cell));
    }
    template <class Visit>
    void each_piece(u32 side, Visit visit) const {
        for (u32 file = 0; file < rules_.size; ++file)
            for (u32 rest = men(side, file); rest; rest &= rest - 1)
                visit(morelli::cell_at(file, lowest(rest)));
    }
    template <class Visit>
    void each_vacant(Visit visit) const {
        for (u32 k = 0; k < morelli::board.ring_length; ++k) {
            const Cell cell = morelli::board.ring[k];
            if (!has_man(0, cell) && !has_man(1, cell)) visit(cell);
        }
    }

    // 4.2.1: how far a piece on `cell` may go this way before the next obstacle, 4.2.2, 4.2.3.
    u32 way_length(Cell cell, const Way& way) const {
        const u32 line = lines_[way.axis][morelli::board.line[cell][way.axis]];
        const u32 place = morelli::place_on(way.axis, cell);
        const u32 free = way.is_forwards ? lowest(line >> (place + 1) | 1u << 31)
                                         : u32(__builtin_clz(line << (32 - place) | 1));
        return smaller(free, u32(way.reach));
    }
    // 4.2.4: a vacant Throne is crossed, and nobody lands there.
    u32 steps_along(Cell cell, const Way& way) const {
        const u32 length = way_length(cell, way);
        return length - (length >= way.throne);
    }
    u32 steps_from(Cell cell) const {
        u32 sum = 0;
        for (u32 k = 0; k < morelli::board.way_count[cell]; ++k)
            sum += steps_along(cell, morelli::board.way[cell][k]);
        return sum;
    }
    template <class Visit>
    void each_step(Visit visit) const {
        each_piece(side_, [&](Cell start) {
            for (u32 k = 0; k < morelli::board.way_count[start]; ++k) {
                const Way& way = morelli::board.way[start][k];
                const u32 length = way_length(start, way);
                for (u32 far = 1; far <= length; ++far)
                    if (far != way.throne) visit(start, Cell(i32(start) + i32(far) * way.step));
            }
        });
    }
    bool can_move() const;

    // 5.1, 5.3.1, 5.6 / 6.1, 6.3.3, 6.7: the neighbours of a landing cell that are flanked. Where the
    // piece came from is no flanker's place: the cell before it is vacant.
    u32 captures_at(Cell end) const {
        const u32 file = morelli::file_of(end), rank = morelli::rank_of(end), other = side_ ^ 1;
        const auto around = [&](u32 side, u32 column) { return u32(u64(men_[side][column]) << 2 >> rank) & 31; };
        const auto corners = [](u32 bits) { return (bits & 1) | (bits >> 1 & 2) | (bits >> 2 & 4); };
        u32 set = 0;
        if (const u32 victims = around(other, file) >> 1 & 7)
            set |= victims & corners(around(side_, file - 1));
        if (const u32 victims = around(other, file + 1) & 10) {
            const u32 flankers = around(side_, file + 1);
            set |= (victims >> 1 & 1 & flankers) << 3 | (victims >> 3 & flankers >> 4) << 4;
        }
        if (const u32 victims = around(other, file + 2) >> 1 & 7)
            set |= (victims & corners(around(side_, file + 3))) << 5;
        return set;
    }
    // 6.1, 6.2, 6.5 / 5.1, 5.2: whether the mover would hold a frame with a corner among the pieces
    // just moved or captured (D-M5). 7.2 / D-M7: not while the mover's own King sits on the Throne.
    bool completes_frame(Cell start, Cell end, u32 captures) const;

    template <class Visit>
    void each_turn(Cell start, Cell end, Visit visit) const {
        const u32 all = captures_at(end);
        if (rules_.edition == morelli::kRevised) {
            // 5.5, 7.1: compulsory; D-M6: the captures come first.
            visit(turn(start, end, all) | (completes_frame(start, end, all) ? kEnthrones : 0));
            return;
        }
        // D-M8, D-M9: each capture may be refused, and so may the Centre.
        u32 subset = 0;
        do {
            visit(turn(start, end, subset));
            if (completes_frame(start, end, subset)) visit(turn(start, end, subset) | kEnthrones);
            subset = (subset - all) & all;
        } while (subset);
    }
    template <class Visit>
    void each_special_cell(Visit visit) const;
    template <class Visit>
    void each_step_to(Cell end, Visit visit) const;
    // The turns of the original edition that are more than a step.
    template <class Visit>
    void each_turn_with_effects(Visit visit) const {
        each_special_cell([&](Cell end, bool may_complete) {
            const u32 all = captures_at(end);
            each_step_to(end, [&](Cell start) {
                if (may_complete && completes_frame(start, end, 0)) visit(turn(start, end, 0) | kEnthrones);
                for (u32 subset = (0u - all) & all; subset; subset = (subset - all) & all) {
                    visit(turn(start, end, subset));
                    if (completes_frame(start, end, subset)) visit(turn(start, end, subset) | kEnthrones);
                }
            });
        });
    }
    struct CountedTurn { Move move; u32 steps; };
    CountedTurn counted_turn(const morelli::Crowd& crowd, const morelli::Effects& effects, Rng& rng) const;
    Move drawn_turn(const morelli::Crowd& crowd, const morelli::Effects& effects, Rng& rng) const;
    Move turn_of_step(Cell start, Cell end) const;
    morelli::Effects effects() const;
    Move turn_with_effects(const morelli::Effects& effects, u32 number) const;
    Move random_placement(Rng& rng) const;

    u32 placements() const {
        return rules_.edition == morelli::kRevised ? morelli::board.ring_length / 2 : morelli::board.ring_length;
    }
    // 2.3.2-2.3.5 / 2.6, D-M17: B, WW, BB, ..., WW, B, and then Black.
    u32 placing_side(u32 ply) const { return ply < placements() ? (ply + 1) / 2 % 2 : 0; }

    bool read_fields(Reader& reader);
    bool read_board(Reader& reader);
    bool is_sound_placement() const;
    bool is_sound_play() const;
    bool is_sound_ring() const;
    u32 count_pieces(u32 side) const {
        u32 count = 0;
        for (u32 file = 0; file < rules_.size; ++file) count += count_of(men(side, file));
        return count;
    }
    bool read_turn(Reader& reader, Move& move) const;
    bool has_step(Cell start, Cell end) const;
    bool read_cell(Reader& reader, Cell& cell) const;

    Word men_[2][kLargest + 2] = {};  // by side and file, with an empty file before and behind
    Word lines_[morelli::kAxes][2 * kLargest - 1] = {};  // the obstacles of each line
    u64 hash_ = 0;                    // of the pieces
    morelli::Setup setup_;
    morelli::Rules rules_;
    u16 ply_ = 0;
    u8 side_ = 0;
    u8 throne_ = 0;                   // 1 and 2: the side whose King sits there
    bool is_placing_ = false;
    bool is_agreed_ = false;
};

}  // namespace kernel

#include "morelli_turns.hpp"
#include "morelli_chance.hpp"
#include "morelli_text.hpp"
