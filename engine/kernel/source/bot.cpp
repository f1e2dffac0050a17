// The kernel as a bot of its own: the line protocol of Rayuela over WASI, as `docs/reference/protocol.md` and
// `docs/bots/wasm.md` have it. It obeys `go fuel N` and every clock.
#include "games.hpp"
#include "go_words.hpp"
#include "start.hpp"
#include "wasi.hpp"

using namespace kernel;

namespace {

constexpr u32 kLineBytes = 1u << 16, kReportBytes = 1u << 15;
// What a call of the host costs under fuel, and each byte of a line.
constexpr u64 kCall = 100'000, kByte = 10;
// Kept of a budget for the answer: calls, bytes, and a line of moves that is the longer the longer
// the search was.
constexpr u64 kAnswer = 4 * kCall, kReserveShare = 32;
constexpr u32 kExpectedMoves = 8, kMostUnitsOfASlice = 1u << 20;

Desk<AllGames> desk;
MoveStack move_stack;
wasi::Lines<kLineBytes> lines;
char key_bytes[128], question_bytes[kLineBytes], text_bytes[kReportBytes], answer_bytes[kReportBytes];
Text key, question;
bool is_answerable = false;
u64 began = 0;

Text copy(Text text, char* data, u32 capacity) {
    Writer writer(data, capacity);
    writer.put(text);
    return writer.text();
}

// A word of the protocol with its spaces restored.
Text with_spaces(Text word) {
    Writer writer(text_bytes, kReportBytes);
    for (u32 k = 0; k < word.length; ++k) writer.put(word.data[k] == '_' ? ' ' : word.data[k]);
    return writer.text();
}

Text next_word(Reader& reader) {
    while (reader.take(' ')) {}
    return reader.until(" ");
}

bool lay(Reader& reader) {
    Writer start(text_bytes, kReportBytes);
    const Text word = next_word(reader);
    if (word == "startpos") return write_start(start, key) && desk.load(key, start.text()) == kFine;
    return word == "fen" && desk.load(key, with_spaces(next_word(reader))) == kFine;
}

bool play(Reader& reader) {
    for (;;) {
        const Text word = next_word(reader);
        if (!word.length) return true;
        if (word == "moves") continue;
        Reader move(with_spaces(word));
        if (!desk.acts()->play(desk.place(), move)) return false;
    }
}

// Whether the line goes on from the question before it, whose position lies here.
bool continues(Text line) {
    if (!is_answerable || line.length < question.length) return false;
    return Text(line.data, question.length) == question && (line.length == question.length || line.data[question.length] == ' ');
}

void set_up(Text line) {
    began = wasi::now() - kCall - kByte * line.length;
    const bool goes_on = continues(line);
    Reader reader(goes_on ? Text(line.data + question.length, line.length - question.length) : line);
    if (!goes_on) next_word(reader);
    is_answerable = (goes_on || lay(reader)) && play(reader);
    question = copy(line, question_bytes, kLineBytes);
}

// Searches until the time is up, in slices of a quarter of what is left at most, for the clock costs
// as much as many nodes, and a slice may take twice what it was asked for.
void search(u64 deadline, u64 most_units) {
    u64 moves = 0;
    const bool looks_ahead = desk.acts()->looks_ahead(desk.search()) && desk.acts()->perft(desk.place(), move_stack, 1, moves);
    const u64 start = wasi::now();
    u64 slice = 1, units = 0, highest_cost = 0, before = start;
    while (units < most_units) {
        slice = smaller(slice, most_units - units);
        if (desk.acts()->slice_search(desk.search(), u32(slice))) return;
        units += slice;
        const u64 after = wasi::now(), took = after - before + 1;
        // Beyond the first ply a node looks at all its moves at once: at half as many more than here.
        // A random game is played to its end, and some are longer than the first.
        const u64 first = took > kCall ? took - kCall : took;
        if (!highest_cost) highest_cost = looks_ahead ? first * moves * 3 / 2 + 1 : 3 * first;
        // The first node alone says it roughly: of a small cost, that of the clock leaves little to see.
        if (looks_ahead && units == moves) highest_cost = smaller(highest_cost, (after - start) * 3 / 2);
        const u64 reserve = !looks_ahead || units >= moves ? highest_cost : 0;
        if (after + reserve >= deadline) return;
        const u64 affordable = slice * ((deadline - after - reserve) / 4) / took;
        if (!affordable) return;
        slice = smaller(smaller(2 * slice, affordable), u64(kMostUnitsOfASlice));
        if (looks_ahead && units < moves) slice = smaller(slice, moves - units);
        before = after;
    }
}

// Copies moves with the spaces of the protocol: what follows a move and begins with `x` is its end.
void put_moves(Writer& writer, Reader& moves, u32 most) {
    for (u32 count = 0; !moves.is_done();) {
        const Text word = moves.until(" ");
        moves.skip();
        const bool is_end = word.length && word.data[0] == 'x';
        if (!is_end && count++ == most) return;
        if (is_end || count > 1) writer.put(is_end ? '_' : ' ');
        writer.put(word);
    }
}

void put(Writer& writer, Text words, i32 number) {
    writer.put(words);
    if (number < 0) writer.put('-');
    writer.number(u64(number < 0 ? -number : number));
}

// The report is `depth D nodes N finished F`, a newline, `win P forced K pv MOVES`.
void answer() {
    Writer report(text_bytes, kReportBytes);
    desk.acts()->report_search(desk.search(), report);
    Reader reader(report.text());
    const auto number = [&](Text name) {
        u32 value = 0;
        reader.take(name);
        reader.number(value);
        reader.skip();
        return value;
    };
    Writer writer(answer_bytes, kReportBytes);
    const u32 depth = number("depth "), nodes = number("nodes ");
    reader.until("\n");
    reader.skip();
    const u32 win = number("win ");
    reader.until("p");
    reader.take("pv ");
    Reader line(reader.until("\n")), first = line;
    put(writer, "info depth ", i32(depth));
    put(writer, " score cp ", (i32(win) - 500) / 5);
    put(writer, " nodes ", i32(nodes));
    writer.put(" pv ");
    put_moves(writer, line, kExpectedMoves);
    writer.put("\nbestmove ");
    put_moves(writer, first, 1);
    writer.put('\n');
    wasi::write(writer.text());
}

void go(Reader& reader) {
    if (!is_answerable || !desk.acts() || desk.acts()->outcome(desk.place())) return wasi::write("bestmove resign\n");
    GoWords words;
    words.read(reader);
    SearchWords search_words;
    search_words.seed = u32(wasi::random_number() % 1'000'000'000);
    desk.begin_search(search_words);
    const u64 budget = words.budget(desk.acts()->side(desk.place()));
    const u64 reserve = kAnswer + budget / kReserveShare;
    search(began + (budget > 2 * reserve ? budget - reserve : budget / 2), words.nodes ? words.nodes : ~0ull);
    answer();
}

// False at `quit`.
bool obey(Text line) {
    Reader reader(line);
    const Text command = next_word(reader);
    if (command == "ugi" || command == "uci") {
        wasi::write("id name Rayuela kernel\nid author Rayuela\n");
        wasi::write(command == "ugi" ? Text("ugiok\n") : Text("uciok\n"));
    } else if (command == "isready") {
        wasi::write("readyok\n");
    } else if (command == "setoption") {
        if (next_word(reader) == "name" && next_word(reader) == "Game" && next_word(reader) == "value") {
            key = copy(next_word(reader), key_bytes, sizeof key_bytes);
            is_answerable = false;
        }
    } else if (command == "position") {
        set_up(line);
    } else if (command == "go") {
        go(reader);
    }
    return !(command == "quit");
}

}  // namespace

extern "C" __attribute__((export_name("_start"))) void start() {
    for (Text line; lines.next(line) && obey(line);) {}
}
