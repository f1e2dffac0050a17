// Positions of The Perfect Game?: both phases, their text and the text of moves.
#pragma once

#include "perfect_men.hpp"
#include "perfect_tiles.hpp"
#include "rules.hpp"

namespace kernel {

class Perfect {
public:
    static constexpr u32 kMaxMoves = perfect::MenBoard::kMostTurns;

    static bool accepts(const RulesetKey& key) { return Options().read(key); }

    // Both are at the start of a game.
    Error parse(const RulesetKey& key, Reader& reader) {
        *this = Perfect();
        if (!options_.read(key)) return kUnknownRuleset;
        const bool is_read = read_ground(reader) && reader.take(' ') && read_men(reader) &&
                             read_state(reader) && reader.is_done();
        return is_read && is_plausible() ? kFine : kBadPosition;
    }

    void write(Writer& writer) const {
        write_rows(writer, [this](u32 square) { return ground_letter(square); });
        writer.put(' ');
        write_rows(writer, [this](u32 square) { return man_letter(square); });
        writer.put(turn() == kRed ? Text(" red ") : Text(" blue "));
        writer.put(is_tile_phase() ? Text("tiles ") : Text("men "));
        writer.number(ply_);
        for (u32 kind = 0; kind < 4; ++kind) {
            writer.put(kind ? ',' : ' ');
            writer.number(tiles_.stock[kind / 2][kind % 2]);
        }
    }

    u32 moves(Move* out) const {
        if (outcome()) return 0;
        if (!is_tile_phase()) return men_board().turns(out);
        u32 count = 0;
        tiles_.free_squares(turn()).each(
            [&](u32 square) { out[count++] = Turn(Turn::kLay, square).code(); });
        return count;
    }

    Move random_move(Rng& rng) const {
        if (outcome()) return kNoMove;
        if (!is_tile_phase()) return men_board().random_turn(rng, space);
        const Squares squares = tiles_.free_squares(turn());
        return Turn(Turn::kLay, squares.at(rng.below(squares.count()))).code();
    }

    void play(Move move) {
        if (is_tile_phase()) {
            tiles_.lay(Turn(move).start(), turn());
        } else {
            perfect::MenBoard board = men_board();
            board.play(Turn(move));
            men_[turn()] = board.own;
            men_[turn() ^ 1] = board.enemy;
        }
        ++ply_;
    }

    // Won at the goal (D-P21); decided by arrivals at the turn limit (D-P22).
    u32 outcome() const {
        const u32 mover = turn() ^ 1;  // in the main phase, where alone games end
        if (ply_ > kTiles && men_[mover] == kHomes[mover ^ 1]) return won_by(mover);
        if (ply_ < kTiles + options_.limit) return kGoesOn;
        const i32 lead = 16 * (arrivals(kRed) - arrivals(kBlue)) + waiting(kBlue) - waiting(kRed);
        return lead ? won_by(lead > 0 ? kRed : kBlue) : kDraw;
    }

    u32 side() const { return side_of(turn()); }
    u32 ply() const { return ply_; }

    u64 hash() const {
        u64 sum = ply_ | u64(options_.limit) << 16 | u64(options_.first) << 32;
        const auto add = [&sum](u64 word) { sum = mix(sum + 0x9E3779B97F4A7C15ull) ^ word; };
        for (u32 colour = 0; colour < 2; ++colour) {
            for (const u64 word : men_[colour].word) add(word);
            for (const u64 word : tiles_.of[colour].word) add(word);
            add(tiles_.stock[colour][0] | u32(tiles_.stock[colour][1]) << 8);
        }
        for (const u64 word : tiles_.flipped.word) add(word);
        return mix(sum);
    }

    // The legal move of this text: there is one spelling of each.
    bool read_move(Reader& reader, Move& move) const {
        const Text text = reader.rest();
        char spelling[kLongestMove];
        for (u32 k = 0, count = moves(space); k < count; ++k) {
            Writer writer(spelling, kLongestMove);
            write_move(space[k], writer);
            if (!(writer.text() == text)) continue;
            move = space[k];
            return reader.take(text);
        }
        return false;
    }

    void write_move(Move move, Writer& writer) const {
        const Turn turn(move);
        if (turn.kind() == Turn::kPass) return writer.put("pass");
        if (turn.kind() == Turn::kLay) writer.put('+');
        if (turn.kind() == Turn::kEnter) writer.put('@');
        u32 at = turn.start();
        write_square(at, writer);
        const Squares victims = is_tile_phase() ? Squares() : men_board().capturable();
        for (u32 link = 0; link < turn.links(); ++link) {
            const u32 next = at + u32(turn.offset(link));
            const bool is_capture = turn.kind() == Turn::kSeries && victims.test((at + next) / 2);
            writer.put(is_capture ? 'x' : '-');
            write_square(next, writer);
            at = next;
        }
    }

    bool is_tile_phase() const { return ply_ < kTiles; }
    // Who laid the last tile moves first in the main phase: two plies in a row.
    u32 turn() const { return options_.first ^ (ply_ % 2) ^ u32(!is_tile_phase()); }
    const perfect::Tiles& tiles() const { return tiles_; }
    perfect::MenBoard men_board() const {
        const u32 own = turn(), enemy = own ^ 1;
        return {men_[own], men_[enemy], kHomes[own], kHomes[enemy] | tiles_.of[enemy], tiles_.flipped};
    }

private:
    using Squares = perfect::Squares;
    using Turn = perfect::Turn;
    static constexpr u32 kRed = perfect::kRed, kBlue = perfect::kBlue;
    static constexpr u32 kSize = perfect::kSize, kTiles = perfect::kTiles;
    static constexpr const Squares (&kHomes)[2] = perfect::kHomes;
    static constexpr u32 kLongestMove = 17 * 4;
    static inline Move space[kMaxMoves];  // for the moves of one position, within one call

    struct Options {
        u32 first = kRed;
        u32 limit = 0;

        bool read(const RulesetKey& key) {
            const Text colour = key.value(0, "first");
            Reader number(key.value(1, "limit"));
            first = colour == "red" ? kRed : kBlue;
            return key.family() == "perfect" && key.count() == 2 && (first == kRed || colour == "blue") &&
                   number.number(limit, 4) && number.is_done() && limit >= 1 && limit <= 2000;
        }
    };

    u32 side_of(u32 colour) const { return colour == options_.first ? kFirst : kSecond; }
    u32 won_by(u32 colour) const { return kFirstWon + side_of(colour); }

    i32 arrivals(u32 colour) const { return i32((men_[colour] & kHomes[colour ^ 1]).count()); }
    // Men on their own start squares or in hand.
    i32 waiting(u32 colour) const {
        return i32((men_[colour] & kHomes[colour]).count() + perfect::kMen - men_[colour].count());
    }

    char ground_letter(u32 square) const {
        if (kHomes[kRed].test(square)) return 'R';
        if (kHomes[kBlue].test(square)) return 'B';
        if (tiles_.of[kRed].test(square)) return 'r';
        if (tiles_.of[kBlue].test(square)) return 'b';
        return tiles_.flipped.test(square) ? 'f' : '.';
    }
    char man_letter(u32 square) const {
        return men_[kRed].test(square) ? 'r' : men_[kBlue].test(square) ? 'b' : '.';
    }

    static void write_square(u32 square, Writer& writer) {
        writer.put(char('a' + perfect::file_of(square)));
        writer.number(perfect::rank_of(square) + 1);
    }

    // The letters of the squares, rows from the top.
    template <class Letter>
    static void write_rows(Writer& writer, Letter letter) {
        for (u32 rank = kSize; rank-- > 0;) {
            for (u32 file = 0; file < kSize; ++file) writer.put(letter(perfect::square_at(file, rank)));
            if (rank) writer.put('/');
        }
    }
    template <class Put>
    static bool read_rows(Reader& reader, Put put) {
        for (u32 rank = kSize; rank-- > 0;) {
            for (u32 file = 0; file < kSize; ++file) {
                if (!put(perfect::square_at(file, rank), reader.peek())) return false;
                reader.skip();
            }
            if (rank && !reader.take('/')) return false;
        }
        return true;
    }

    bool read_ground(Reader& reader) {
        return read_rows(reader, [this](u32 square, char letter) {
            if (letter == 'r') tiles_.of[kRed].set(square);
            if (letter == 'b') tiles_.of[kBlue].set(square);
            if (letter == 'f') tiles_.flipped.set(square);
            return letter == ground_letter(square);
        });
    }
    bool read_men(Reader& reader) {
        men_[kRed] = men_[kBlue] = Squares();
        return read_rows(reader, [this](u32 square, char letter) {
            if (letter == 'r') men_[kRed].set(square);
            if (letter == 'b') men_[kBlue].set(square);
            return letter == man_letter(square);
        });
    }

    // Colour to move, phase, ply and stock.
    bool read_state(Reader& reader) {
        const bool is_red = reader.take(" red ");
        if (!is_red && !reader.take(" blue ")) return false;
        const bool is_men = reader.take("men ");
        if (!is_men && !reader.take("tiles ")) return false;
        if (!reader.number(ply_, 4) || ply_ > kTiles + options_.limit) return false;
        if (is_men == is_tile_phase() || is_red != (turn() == kRed)) return false;
        for (u32 kind = 0; kind < 4; ++kind) {
            u32 number = 0;
            if (!reader.take(kind ? ',' : ' ') || !reader.number(number, 2)) return false;
            tiles_.stock[kind / 2][kind % 2] = u8(number);
        }
        return true;
    }

    // Whether the counts fit together as they do in every game.
    bool is_plausible() const {
        const u32 tiles = smaller(ply_, kTiles);
        for (u32 colour = 0; colour < 2; ++colour) {
            const u32 own_tiles = (tiles + (colour == options_.first)) / 2;
            if (u32(tiles_.stock[colour][0] + tiles_.stock[colour][1]) != kTiles / 2 - own_tiles) return false;
            if (men_[colour].count() > perfect::kMen) return false;
            if (ply_ <= kTiles && !(men_[colour] == kHomes[colour])) return false;
        }
        // Else the game would have ended before.
        return tiles_.fits() && (ply_ <= kTiles || !(men_[turn()] == kHomes[turn() ^ 1]));
    }

    perfect::Tiles tiles_;
    Squares men_[2] = {kHomes[kRed], kHomes[kBlue]};
    u32 ply_ = 0;
    Options options_;
};

}  // namespace kernel
