// What the module offers. Texts pass through two buffers: `input`, which the caller fills, and
// `output`, which stays as it is until the next call that writes.
#include "games.hpp"
#include "lines.hpp"

using namespace kernel;

#define EXPORT(NAME) extern "C" __attribute__((export_name(#NAME)))

namespace {

Desk<AllGames> desk;

constexpr u32 kInputBytes = 1u << 14;
// The moves of any position twice over: once as they are list and once sorted.
constexpr u32 kOutputBytes = 1u << 22;
char input_bytes[kInputBytes];
char output_bytes[kOutputBytes];
u32 output_size = 0;
MoveStack move_stack;

Error finish(const Writer& writer) {
    output_size = writer.is_full() ? 0 : writer.length();
    return writer.is_full() ? kTextTooLong : kFine;
}

Error read_words(u32 length, SearchWords& words) {
    if (!desk.acts()) return kNoPosition;
    if (length > kInputBytes) return kTextTooLong;
    Reader reader(Text(input_bytes, length));
    return words.read(reader) ? kFine : kBadWord;
}

}  // namespace

EXPORT(input) char* input() { return input_bytes; }
EXPORT(input_capacity) u32 input_capacity() { return kInputBytes; }
EXPORT(output) const char* output() { return output_bytes; }
EXPORT(output_length) u32 output_length() { return output_size; }

// Input: the rule set's key, a newline, the text of a position.
EXPORT(load) u32 load(u32 length) {
    if (length > kInputBytes) return kTextTooLong;
    Reader reader(Text(input_bytes, length));
    const Text key = reader.until("\n");
    reader.skip();
    return desk.load(key, reader.rest());
}

// Output: the text of the position.
EXPORT(position) u32 position() {
    if (!desk.acts()) return kNoPosition;
    Writer writer(output_bytes, kOutputBytes);
    desk.acts()->write(desk.place(), writer);
    return finish(writer);
}

// Output: the legal moves sorted by code point, each with a newline.
EXPORT(moves) u32 moves() {
    if (!desk.acts()) return kNoPosition;
    constexpr u32 half = kOutputBytes / 2;
    Writer list(output_bytes + half, half), result(output_bytes, half);
    desk.acts()->write_moves(desk.place(), move_stack, list);
    write_sorted(list.text(), move_stack.list, result);
    return finish(list.is_full() ? list : result);
}

// Input: a move.
EXPORT(play) u32 play(u32 length) {
    if (!desk.acts()) return kNoPosition;
    if (length > kInputBytes) return kTextTooLong;
    Reader reader(Text(input_bytes, length));
    return desk.acts()->play(desk.place(), reader) ? kFine : kIllegalMove;
}

// These four are 0 before a position is loaded.
EXPORT(outcome) u32 outcome() { return desk.acts() ? desk.acts()->outcome(desk.place()) : 0; }
EXPORT(side) u32 side() { return desk.acts() ? desk.acts()->side(desk.place()) : 0; }
EXPORT(ply) u32 ply() { return desk.acts() ? desk.acts()->ply(desk.place()) : 0; }
EXPORT(hash) u64 hash() { return desk.acts() ? desk.acts()->hash(desk.place()) : 0; }

// Output: the number of sequences of `depth` legal moves.
EXPORT(perft) u32 perft(u32 depth) {
    if (!desk.acts()) return kNoPosition;
    u64 count = 0;
    if (!desk.acts()->perft(desk.place(), move_stack, depth, count)) return kTooDeep;
    Writer writer(output_bytes, kOutputBytes);
    writer.number(count);
    return finish(writer);
}

// Output: how many of `count` random games did not end (0), were won by the first side, by the
// second side, and were drawn, and their plies together: five numbers with spaces between.
EXPORT(playouts) u32 playouts(u32 count, u64 seed) {
    if (!desk.acts()) return kNoPosition;
    const Tally tally = desk.acts()->play_out(desk.place(), count, seed);
    Writer writer(output_bytes, kOutputBytes);
    for (u64 games : tally.outcomes) {
        writer.number(games);
        writer.put(' ');
    }
    writer.number(tally.plies);
    return finish(writer);
}

// Output: the moves of one random game from the position, each with a newline.
EXPORT(random_game) u32 random_game(u64 seed) {
    if (!desk.acts()) return kNoPosition;
    Writer writer(output_bytes, kOutputBytes);
    desk.acts()->write_random_game(desk.place(), seed, writer);
    return finish(writer);
}

// Per mille of winning for the side to move by the weights in play; 500 before a position is loaded.
EXPORT(evaluate) i32 evaluate() { return desk.acts() ? desk.acts()->evaluate(desk.place()) : 500; }

// Input: words such as `w0=4401 w1=5201`, each weight of the evaluation plus one; those in play where
// there is no word. Output: the evaluation for the side to move, before it becomes a chance; then a line
// for each weight: the weight, and in millionths what it is multiplied by there. A weight that a bound
// keeps from counting is multiplied by 0. With weights other than these the bound may not be reached.
EXPORT(terms) u32 terms(u32 length) {
    SearchWords words;
    if (const Error error = read_words(length, words)) return error;
    Writer writer(output_bytes, kOutputBytes);
    desk.acts()->write_terms(desk.place(), words, writer);
    return finish(writer);
}

// Input: words such as `lines=3 seed=1`. Begins a search from the position; the one before is gone.
EXPORT(search_begin) u32 search_begin(u32 length) {
    SearchWords words;
    if (const Error error = read_words(length, words)) return error;
    desk.begin_search(words);
    return kFine;
}

// Goes on for so many nodes; whether the search is finished.
EXPORT(search_step) u32 search_step(u32 nodes) {
    return !desk.is_searching() || desk.acts()->step_search(desk.search(), nodes);
}

// Goes on for so many units of work: a node is one, and a move that is looked at to rank it another; in
// a tree of random games a ply of one. For slices of time, since units take about the same time each; whether the search is finished.
EXPORT(search_slice) u32 search_slice(u32 units) {
    return !desk.is_searching() || desk.acts()->slice_search(desk.search(), units);
}

// Output: `depth D nodes N finished 0|1`, then a line for each of the best moves, the best first:
// `win P forced K pv M1 M2 ...`, P per mille of winning, K plies to a win (-K: to a loss) or 0.
// A move of Morelli that captures has a space before its `x`.
EXPORT(search_report) u32 search_report() {
    if (!desk.is_searching()) return desk.acts() ? kNoSearch : kNoPosition;
    Writer writer(output_bytes, kOutputBytes);
    desk.acts()->report_search(desk.search(), writer);
    return finish(writer);
}

// Input: `level=3 seed=1`. Output: the move of that level. A search that was going on is gone.
EXPORT(level_move) u32 level_move(u32 length) {
    SearchWords words;
    if (const Error error = read_words(length, words)) return error;
    if (!words.level) return kBadWord;
    Writer writer(output_bytes, kOutputBytes);
    if (!desk.write_level_move(words, writer)) return kGameOver;
    return finish(writer);
}
