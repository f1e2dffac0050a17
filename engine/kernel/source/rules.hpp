// The interface that the rules of every game fulfil, and the key of a rule set.
#pragma once

#include "base.hpp"

namespace kernel {

using Move = u64;
constexpr Move kNoMove = 0;

// The parts of a canonical key such as `morlox(size=11,swap=on)`.
class RulesetKey {
public:
    // False for a text that is not `family(name=value,...)`.
    bool read(Text key) {
        Reader reader(key);
        family_ = reader.until("(");
        if (!family_.length || !reader.take('(')) return false;
        for (count_ = 0; count_ < kMostOptions; ++count_) {
            Option& option = options_[count_];
            option.name = reader.until("=,)");
            if (!option.name.length || !reader.take('=')) return false;
            option.value = reader.until("=,)");
            if (!option.value.length) return false;
            if (!reader.take(',')) return ++count_, reader.take(')') && reader.is_done();
        }
        return false;
    }

    Text family() const { return family_; }
    u32 count() const { return count_; }
    // The value of the option at this place of the key, or an empty text where another one stands.
    Text value(u32 place, Text name) const {
        return place < count_ && options_[place].name == name ? options_[place].value : Text();
    }

private:
    static constexpr u32 kMostOptions = 4;
    struct Option { Text name, value; };

    Text family_;
    Option options_[kMostOptions];
    u32 count_ = 0;
};

// The rules of a game as a position that changes: a value without pointers, copied at will.
//
// `accepts` says whether this class plays the rule set (a class may play some sizes alone); `parse`
// refuses with kBadPosition exactly what `games` refuses. `moves` lists every legal move once and
// none when the game is over; `read_move` takes legal moves only; `random_move` takes each of
// `moves` with the same chance, and is kNoMove when the game is over.
template <class G>
concept Game = requires(G game, const G& here, const RulesetKey& key, Reader& reader,
                        Writer& writer, Move* list, Move move, Move& result, Rng& rng) {
    { G::kMaxMoves } -> Same<u32>;
    { G::accepts(key) } -> Same<bool>;
    { game.parse(key, reader) } -> Same<Error>;
    here.write(writer);
    { here.moves(list) } -> Same<u32>;
    game.play(move);
    { here.outcome() } -> Same<u32>;
    { here.side() } -> Same<u32>;
    { here.ply() } -> Same<u32>;
    { here.hash() } -> Same<u64>;
    { here.read_move(reader, result) } -> Same<bool>;
    here.write_move(move, writer);
    { here.random_move(rng) } -> Same<Move>;
};

}  // namespace kernel
