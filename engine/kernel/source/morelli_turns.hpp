// Morelli: turns with effects, and how a turn is made.
#pragma once

#include "morelli.hpp"

namespace kernel {

namespace morelli {

// 6.1.2, 6.1.3: the cell a quarter-turn further on the same square centred upon the Throne.
inline Cell next_corner(Cell cell) { return cell_at(rank_of(cell), board.size - 1 - file_of(cell)); }

}  // namespace morelli

template <u32 kLargest>
bool Morelli<kLargest>::can_move() const {
    for (u32 file = 0; file < rules_.size; ++file)
        for (u32 rest = men(side_, file); rest; rest &= rest - 1)
            if (steps_from(morelli::cell_at(file, lowest(rest)))) return true;
    return false;
}

template <u32 kLargest>
bool Morelli<kLargest>::completes_frame(Cell start, Cell end, u32 captures) const {
    if (throne_ == side_ + 1) return false;
    const auto holds = [&](Cell cell) {
        if (has_man(side_, cell)) return cell != start;
        bool is_new = cell == end;
        each_neighbour(end, captures, [&](Cell victim) { is_new |= victim == cell; });
        return is_new;
    };
    const auto stands = [&](Cell cell) {
        for (u32 k = 0; k < 3; ++k)
            if (!holds(cell = morelli::next_corner(cell))) return false;
        return true;
    };
    if (stands(end)) return true;
    bool is_by_victim = false;
    each_neighbour(end, captures, [&](Cell cell) { is_by_victim = is_by_victim || stands(cell); });
    return is_by_victim;
}

// Every vacant cell where a piece that lands might capture, or complete a frame without a capture.
template <u32 kLargest>
template <class Visit>
void Morelli<kLargest>::each_special_cell(Visit visit) const {
    using namespace morelli;
    u32 special[kLargest + 2] = {};  // by file, as `men_`
    u32 corners[kLargest + 2] = {};  // the cells that frames lack
    const u32 last = rules_.size - 1u, inner = (1u << last) - 2;
    for (u32 file = 1; file < last; ++file) {
        const u32 victims = men(side_ ^ 1, file) & inner;
        if (!victims) continue;
        // Behind the victim the flanker, before it the landing cell.
        const auto land = [&](u32 flanking, u32 landing) {
            const u32 flankers = men_[side_][flanking];
            special[landing] |= (victims & flankers >> 1) >> 1 | (victims & flankers << 1) << 1;
            if (flanking != landing) special[landing] |= victims & flankers;
        };
        land(file, file + 2), land(file + 1, file + 1), land(file + 2, file);
    }
    if (throne_ != side_ + 1) {
        each_piece(side_, [&](Cell cell) {
            const Cell second = next_corner(cell);
            if (!board.is_inner(cell) || !has_man(side_, second)) return;
            const Cell third = next_corner(second), fourth = next_corner(third);
            if (has_man(side_, third)) corners[file_of(fourth) + 1] |= 1u << rank_of(fourth);
        });
    }
    for (u32 file = 1; file < last; ++file) {
        u32 rest = (special[file + 1] | corners[file + 1]) & ~(men(0, file) | men(1, file));
        if (file == board.centre) rest &= ~(1u << board.centre);
        for (; rest; rest &= rest - 1) {
            const u32 rank = lowest(rest);
            visit(cell_at(file, rank), bool(corners[file + 1] >> rank & 1));
        }
    }
}

// Where every legal step to a vacant cell, which is not the Throne, starts.
template <u32 kLargest>
template <class Visit>
void Morelli<kLargest>::each_step_to(Cell end, Visit visit) const {
    using namespace morelli;
    constexpr i32 steps[kAxes] = {1, 32, 33, 31};
    const auto try_start = [&](Cell start) {
        if (has_man(side_, start) && board.depth[start] > board.depth[end]) visit(start);
    };
    for (u32 axis = 0; axis < kAxes; ++axis) {
        const u32 line = lines_[axis][board.line[end][axis]], place = place_on(axis, end);
        if (const u32 ahead = line >> (place + 1))
            try_start(Cell(i32(end) + steps[axis] * i32(lowest(ahead) + 1)));
        if (const u32 behind = place ? line << (32 - place) : 0)
            try_start(Cell(i32(end) - steps[axis] * (__builtin_clz(behind) + 1)));
    }
}

template <u32 kLargest>
u32 Morelli<kLargest>::frame_turns(Move* list) const {
    using namespace morelli;
    u32 count = 0;
    if (is_placing_ || is_agreed_ || throne_ == side_ + 1) return 0;
    const u32 last = rules_.size - 1u, middle = rules_.size / 2u;
    for (u32 file = 1; file < middle; ++file) {
        const u32 mirror = last - file, left = men(side_, file), right = men(side_, mirror);
        for (u32 rank = 1; rank <= middle; ++rank) {
            // The corners as `next_corner` goes round, from this file and rank on.
            const u32 corners = (left >> rank & 1) | (men(side_, rank) >> mirror & 1) << 1 |
                                (right >> (last - rank) & 1) << 2 | (men(side_, last - rank) >> file & 1) << 3;
            if (count_of(corners) != 3) continue;
            Cell gap = cell_at(file, rank);
            for (u32 k = lowest(~corners); k--;) gap = next_corner(gap);
            if (has_man(side_ ^ 1, gap)) continue;
            each_step_to(gap, [&](Cell start) {
                each_turn(start, gap, [&](Move move) {
                    if (move & kEnthrones) list[count++] = move;
                });
            });
        }
    }
    return count;
}

template <u32 kLargest>
void Morelli<kLargest>::play(Move move) {
    ++ply_;
    if (move == kAgrees) {
        is_agreed_ = true;
        return;
    }
    if (move & kPlaces) {
        const Cell cell = move & ~kPlaces;
        // 2.3.2, D-M18: a black piece, and a white one opposite; 2.6, D-M19: a stone of one's own.
        const bool is_pair = rules_.edition == morelli::kRevised;
        put_man(is_pair ? 0 : side_, cell);
        if (is_pair) put_man(1, morelli::board.opposite(cell));
        side_ = u8(placing_side(ply_));
        is_placing_ = ply_ < placements();
        return;
    }
    const Cell start = start_of(move), end = end_of(move);
    put_man(side_, start);
    put_man(side_, end);
    // 5.2 / 6.2: a captured piece changes colour.
    each_neighbour(end, captures_of(move), [&](Cell cell) {
        flip_man(0, cell);
        flip_man(1, cell);
    });
    if (move & kEnthrones) {
        // 7.1 / 5.1: a King evicts the opponent's.
        if (!throne_) flip_obstacle(morelli::board.throne);
        throne_ = u8(side_ + 1);
    }
    side_ ^= 1;
}

}  // namespace kernel
