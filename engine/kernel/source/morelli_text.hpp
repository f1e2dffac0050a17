// Morelli: positions and moves as text, `games/morelli/fen.py` and `games/morelli/notation.py`.
#pragma once

#include "morelli.hpp"

namespace kernel {

template <u32 kLargest>
void Morelli<kLargest>::write(Writer& writer) const {
    using namespace morelli;
    for (u32 rank = rules_.size; rank--;) {
        u32 run = 0;
        for (u32 file = 0; file < rules_.size; ++file) {
            const Cell cell = cell_at(file, rank);
            const bool black = has_man(kFirst, cell), white = has_man(kSecond, cell);
            if (!black && !white) {
                ++run;
                continue;
            }
            if (run) writer.number(run);
            writer.put(black ? 'b' : 'w');
            run = 0;
        }
        if (run) writer.number(run);
        writer.put(rank ? '/' : ' ');
    }
    writer.put(side_ ? "w " : "b ");
    writer.put(Text(&"- b w "[2 * throne_], 2));
    writer.put(is_placing_ ? Text("placement ") : Text("play "));
    writer.number(ply_);
    writer.put(is_agreed_ ? Text(" agreed ") : Text(" - "));
    setup_.write(rules_, writer);
}

template <u32 kLargest>
Error Morelli<kLargest>::parse(const RulesetKey& key, Reader& reader) {
    *this = {};
    rules_.read(key);
    const u32 size_before = morelli::board.size;
    morelli::board.prepare(rules_.size);
    if (read_fields(reader) && (is_placing_ ? is_sound_placement() : is_sound_play())) return kFine;
    // Another position may be of that size.
    if (size_before) morelli::board.prepare(size_before);
    return kBadPosition;
}

template <u32 kLargest>
bool Morelli<kLargest>::read_fields(Reader& reader) {
    if (!read_board(reader)) return false;
    side_ = reader.peek() == 'w';
    if (!reader.take("b ") && !reader.take("w ")) return false;
    throne_ = reader.take("b ") ? 1 : reader.take("w ") ? 2 : 0;
    if (!throne_ && !reader.take("- ")) return false;
    if (throne_) flip_obstacle(morelli::board.throne);
    is_placing_ = reader.take("placement ");
    if (!is_placing_ && !reader.take("play ")) return false;
    u32 ply = 0;
    if (!reader.number(ply, 4)) return false;
    ply_ = u16(ply);
    is_agreed_ = reader.take(" agreed ");
    if (!is_agreed_ && !reader.take(" - ")) return false;
    if (!setup_.read(rules_, reader) || !reader.is_done()) return false;
    const bool is_full = count_pieces(0) + count_pieces(1) >= morelli::board.ring_length;
    return is_placing_ == (!setup_.has_ring() && !is_full);
}

template <u32 kLargest>
bool Morelli<kLargest>::read_board(Reader& reader) {
    for (u32 rank = rules_.size; rank--;) {
        bool is_after_run = false;
        for (u32 file = 0; file < rules_.size;) {
            u32 run = 0;
            if (reader.number(run, 2)) {
                if (is_after_run || !run || file + run > rules_.size) return false;
                file += run;
                is_after_run = true;
                continue;
            }
            is_after_run = false;
            const bool is_white = reader.peek() == 'w';
            if (!reader.take('b') && !reader.take('w')) return false;
            put_man(is_white, morelli::cell_at(file++, rank));
        }
        if (!reader.take(rank ? '/' : ' ')) return false;
    }
    return true;
}

template <u32 kLargest>
bool Morelli<kLargest>::is_sound_placement() const {
    using namespace morelli;
    const u32 placement_count = ply_ - is_agreed_, blacks = count_pieces(0), whites = count_pieces(1);
    u32 blacks_on_ring = 0, whites_on_ring = 0, pairs = 0;
    for (u32 k = 0; k < board.ring_length; ++k) {
        const Cell cell = board.ring[k];
        blacks_on_ring += has_man(0, cell);
        whites_on_ring += has_man(1, cell);
        pairs += has_man(0, cell) && has_man(1, board.opposite(cell));
    }
    if (ply_ < is_agreed_ || blacks != blacks_on_ring || whites != whites_on_ring || throne_) return false;
    if (side_ != placing_side(placement_count)) return false;
    if (rules_.edition == kRevised) return blacks == placement_count && whites == placement_count && pairs == placement_count;
    if (placement_count > board.ring_length) return false;
    u32 due = 0;
    for (u32 k = 0; k < placement_count; ++k) due += placing_side(k) == kFirst;
    return blacks == due && blacks + whites == placement_count;
}

template <u32 kLargest>
bool Morelli<kLargest>::is_sound_play() const {
    using namespace morelli;
    constexpr i32 fewest_to_a_frame = 4;
    if (count_pieces(0) + count_pieces(1) != board.ring_length) return false;
    if (has_man(0, board.throne) || has_man(1, board.throne)) return false;
    const i32 placement_count = setup_.has_ring() ? 0 : i32(placements());
    const i32 moves = i32(ply_) - placement_count - is_agreed_;
    i32 rise = 0;
    for (u32 side = 0; side < 2; ++side)
        each_piece(side, [&](Cell cell) { rise += i32(board.centre) - board.depth[cell]; });
    // 4.2.1: a move raises the sum of the band numbers by one to all bands but one (D-M24).
    if (moves < 0 || moves > rise || rise > moves * i32(board.centre - 1)) return false;
    if (side_ != u32(moves % 2)) return false;
    if (throne_ && moves < fewest_to_a_frame) return false;
    return is_sound_ring();
}

// 5.3.1 / 6.3.3: what has not left the outermost band has the colour it began with.
template <u32 kLargest>
bool Morelli<kLargest>::is_sound_ring() const {
    using namespace morelli;
    u32 counts[2] = {};
    bool is_facing = false;
    for (u32 k = 0; k < board.ring_length; ++k) {
        const Cell cell = board.ring[k];
        const bool black = has_man(0, cell), white = has_man(1, cell);
        counts[0] += black;
        counts[1] += white;
        is_facing |= black && has_man(0, board.opposite(cell));
        if (setup_.has_ring() && (setup_.is_black(k) ? white : black)) return false;
    }
    if (setup_.has_ring()) return true;
    if (rules_.edition == kRevised) return !is_facing;
    return larger(counts[0], counts[1]) <= board.ring_length / 2;
}

namespace morelli {

inline void write_cell(Cell cell, Writer& writer) {
    const u32 file = file_of(cell);
    if (file >= 26) writer.put('A');
    writer.put(char('A' + file % 26));
    writer.number(rank_of(cell) + 1);
}

}  // namespace morelli

template <u32 kLargest>
void Morelli<kLargest>::write_move(Move move, Writer& writer) const {
    if (move == kAgrees) return writer.put("agree");
    if (move & kPlaces) {
        writer.put('@');
        return morelli::write_cell(move & ~kPlaces, writer);
    }
    morelli::write_cell(start_of(move), writer);
    writer.put('-');
    morelli::write_cell(end_of(move), writer);
    if (captures_of(move)) writer.put(" x");
    each_neighbour(end_of(move), captures_of(move), [&](Cell cell) { morelli::write_cell(cell, writer); });
    if (move & kEnthrones) writer.put('*');
}

// A cell of this board: file A to Z or AA to AE, rank 1 to 31.
template <u32 kLargest>
bool Morelli<kLargest>::read_cell(Reader& reader, Cell& cell) const {
    const auto is_letter = [&](char last) { return reader.peek() >= 'A' && reader.peek() <= last; };
    if (!is_letter('Z')) return false;
    u32 file = u32(reader.peek() - 'A'), rank = 0;
    reader.skip();
    if (!file && is_letter('E')) {
        file = 26 + u32(reader.peek() - 'A');
        reader.skip();
    }
    if (reader.peek() == '0' || !reader.number(rank, 2)) return false;
    if (file >= rules_.size || rank > rules_.size) return false;
    cell = morelli::cell_at(file, rank - 1);
    return true;
}

template <u32 kLargest>
bool Morelli<kLargest>::has_step(Cell start, Cell end) const {
    if (!has_man(side_, start)) return false;
    for (u32 k = 0; k < morelli::board.way_count[start]; ++k) {
        const Way& way = morelli::board.way[start][k];
        const i32 distance = i32(end) - i32(start), far = distance / way.step;
        if (distance % way.step || far < 1 || far > i32(way_length(start, way))) continue;
        return far != way.throne;
    }
    return false;
}

template <u32 kLargest>
bool Morelli<kLargest>::read_move(Reader& reader, Move& move) const {
    if (outcome() != kGoesOn) return false;
    if (reader.take("agree")) return move = kAgrees, reader.is_done();
    Cell cell = 0;
    if (!is_placing_) return read_turn(reader, move);
    if (!reader.take('@') || !read_cell(reader, cell) || !reader.is_done()) return false;
    move = kPlaces | cell;
    return morelli::board.depth[cell] == morelli::board.centre && !has_man(0, cell) && !has_man(1, cell);
}

// D-M25: effects may be left out where they are compulsory, all together; `//` may follow.
template <u32 kLargest>
bool Morelli<kLargest>::read_turn(Reader& reader, Move& move) const {
    Cell start = 0, end = 0;
    if (!read_cell(reader, start) || !reader.take('-') || !read_cell(reader, end)) return false;
    if (!has_step(start, end)) return false;
    u32 captures = 0;
    if (reader.take(" x")) {
        Cell cell = 0, last = 0;
        do {
            if (!read_cell(reader, cell) || (captures && cell <= last)) return false;
            u32 place = 0;
            for (u32 k = 0; k < 8; ++k) place |= u32(neighbour(end, k) == cell) << k;
            if (!place) return false;
            captures |= place;
            last = cell;
        } while (reader.peek() >= 'A' && reader.peek() <= 'Z');
    }
    const bool is_enthroning = reader.take('*');
    reader.take("//");
    if (!reader.is_done()) return false;
    const bool is_short = rules_.edition == morelli::kRevised && !captures && !is_enthroning;
    const Move spelling = turn(start, end, captures) | (is_enthroning ? kEnthrones : 0);
    move = kNoMove;
    each_turn(start, end, [&](Move legal) { if (is_short || legal == spelling) move = legal; });
    return move != kNoMove;
}

}  // namespace kernel
