// The current position of whichever game was loaded, and what can be asked about it.
#pragma once

#include "dual.hpp"
#include "levels.hpp"
#include "perft.hpp"
#include "playout.hpp"

namespace kernel {

// The classes of rules that may be next.
template <Game... G>
struct Games {
    static constexpr u32 kCount = sizeof...(G);
};

// What one class of rules does with the position at `place`.
struct Acts {
    bool (*accepts)(const RulesetKey&);
    Error (*load)(void* place, const RulesetKey&, Reader&);
    void (*write)(const void* place, Writer&);
    void (*write_moves)(const void* place, MoveStack&, Writer&);
    bool (*play)(void* place, Reader&);
    u32 (*outcome)(const void* place);
    u32 (*side)(const void* place);
    u32 (*ply)(const void* place);
    u64 (*hash)(const void* place);
    bool (*perft)(const void* place, MoveStack&, u32 depth, u64& count);
    Tally (*play_out)(const void* place, u32 count, u64 seed);
    void (*write_random_game)(const void* place, u64 seed, Writer&);
    i32 (*evaluate)(const void* place);
    // The evaluation by the weights of the words, as `Dual` writes it.
    void (*write_terms)(const void* place, const SearchWords&, Writer&);
    void (*begin_search)(void* search, const void* place, const SearchWords&);
    bool (*step_search)(void* search, u32 nodes);
    bool (*slice_search)(void* search, u32 units);
    void (*report_search)(const void* search, Writer&);
    // Whether a node of the search may look at all its moves at once.
    bool (*looks_ahead)(const void* search);
    // False in a finished game.
    bool (*write_level_move)(void* search, const void* place, const SearchWords&, Writer&);
};

template <Game G>
struct ActsOf {
    static G& at(void* place) { return *static_cast<G*>(place); }
    static const G& at(const void* place) { return *static_cast<const G*>(place); }

    static Error load(void* place, const RulesetKey& key, Reader& reader) {
        // A text that is refused leaves the position as it was.
        G next;
        const Error error = next.parse(key, reader);
        if (error == kFine) at(place) = next;
        return error;
    }
    static void write_moves(const void* place, MoveStack& stack, Writer& writer) {
        static_assert(G::kMaxMoves <= MoveStack::kCapacity);
        const u32 count = at(place).moves(stack.list);
        for (u32 k = 0; k < count; ++k) {
            at(place).write_move(stack.list[k], writer);
            writer.put('\n');
        }
    }
    static bool play(void* place, Reader& reader) {
        Move move = kNoMove;
        if (!at(place).read_move(reader, move) || !reader.is_done()) return false;
        at(place).play(move);
        return true;
    }
    static Searcher<G>& search_at(void* search) { return *static_cast<Searcher<G>*>(search); }
    static bool write_level_move(void* search, const void* place, const SearchWords& words, Writer& writer) {
        const Move move = level_move(search_at(search), at(place), words);
        if (move) at(place).write_move(move, writer);
        return move;
    }
    // By the weights in play, whatever the search before had.
    static i32 evaluate(const void* place) {
        return Guide<G>::permille(Guide<G>::evaluate(at(place), Guide<G>::weights().in_play));
    }
    static void write_terms(const void* place, const SearchWords& words, Writer& writer) {
        auto weights = Guide<G>::weights();
        weights.set(words);
        Guide<G>::evaluate(at(place), DualWeights(weights.now)).write(weights.now, writer);
    }
    static bool perft(const void* place, MoveStack& stack, u32 depth, u64& count) {
        Perft<G> perft(stack);
        count = perft.count(at(place), depth);
        return !perft.is_too_deep();
    }

    static constexpr Acts kActs = {
        [](const RulesetKey& key) { return G::accepts(key); },
        load,
        [](const void* place, Writer& writer) { at(place).write(writer); },
        write_moves,
        play,
        [](const void* place) { return at(place).outcome(); },
        [](const void* place) { return at(place).side(); },
        [](const void* place) { return at(place).ply(); },
        [](const void* place) { return at(place).hash(); },
        perft,
        [](const void* place, u32 count, u64 seed) { return play_out_often(at(place), count, seed); },
        [](const void* place, u64 seed, Writer& writer) { write_random_game(at(place), seed, writer); },
        evaluate,
        write_terms,
        [](void* search, const void* place, const SearchWords& words) { search_at(search).begin(at(place), words); },
        [](void* search, u32 nodes) { return search_at(search).step(nodes); },
        [](void* search, u32 units) { return search_at(search).slice(units); },
        [](const void* search, Writer& writer) { static_cast<const Searcher<G>*>(search)->report(writer); },
        [](const void* search) { return static_cast<const Searcher<G>*>(search)->looks_ahead(); },
        write_level_move,
    };
};

template <class List>
class Desk;

template <Game... G>
class Desk<Games<G...>> {
public:
    // The acts of the position that lies here, or null before the first.
    const Acts* acts() const { return acts_; }
    void* place() { return place_; }
    // Where the search is; `is_searching` while it is one of the position's game.
    void* search() { return search_; }
    bool is_searching() const { return is_searching_; }

    void begin_search(const SearchWords& words) {
        acts_->begin_search(search_, place_, words);
        is_searching_ = true;
    }
    bool write_level_move(const SearchWords& words, Writer& writer) {
        is_searching_ = false;
        return acts_->write_level_move(search_, place_, words, writer);
    }

    // Lays a position here. What is refused leaves everything as it was.
    Error load(Text key_text, Text position) {
        RulesetKey key;
        if (!key.read(key_text)) return kUnknownRuleset;
        for (const Acts* acts : kAll) {
            if (!acts->accepts(key)) continue;
            Reader reader(position);
            const Error error = acts->load(place_, key, reader);
            if (error == kFine) acts_ = acts, is_searching_ = false;
            return error;
        }
        return kUnknownRuleset;
    }

private:
    static constexpr const Acts* kAll[] = {&ActsOf<G>::kActs...};
    template <class... Sizes>
    static constexpr u32 largest(Sizes... sizes) {
        u32 bytes = 0;
        ((bytes = larger(bytes, u32(sizes))), ...);
        return bytes;
    }

    const Acts* acts_ = nullptr;
    bool is_searching_ = false;
    alignas(16) u8 place_[largest(sizeof(G)...)] = {};
    alignas(16) u8 search_[largest(sizeof(Searcher<G>)...)] = {};
};

}  // namespace kernel
