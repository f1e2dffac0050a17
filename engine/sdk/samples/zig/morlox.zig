// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

const std = @import("std");

const Stone = enum { none, black, white };
const ways = [4][2]i32{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } }; // north, east, south, west
const max_size = 26;

var size: i32 = 0;
var stones: [max_size * max_size]Stone = @splat(.none);
var turn: Stone = .black;

fn other(stone: Stone) Stone {
    return if (stone == .black) .white else .black;
}

fn at(file: i32, rank: i32) *Stone {
    return &stones[@intCast(rank * max_size + file)];
}

/// Whether the first stone seen from a square in a direction is of this colour.
fn sees(file: i32, rank: i32, right: i32, up: i32, stone: Stone) bool {
    var f = file + right;
    var r = rank + up;
    while (f >= 0 and r >= 0 and f < size and r < size) : ({
        f += right;
        r += up;
    }) {
        if (at(f, r).* != .none) return at(f, r).* == stone;
    }
    return false;
}

/// Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
/// ones with the two diagonals that touch one of them each.
fn controls(stone: Stone, file: i32, rank: i32) bool {
    var seen: [4]bool = undefined;
    var count: u32 = 0;
    for (ways, 0..) |way, k| {
        seen[k] = sees(file, rank, way[0], way[1], stone);
        count += @intFromBool(seen[k]);
    }
    const is_edge = file == 0 or rank == 0 or file == size - 1 or rank == size - 1;
    if (count >= 3 or (is_edge and count >= 2)) return true;
    for (ways, 0..) |way, k| {
        const next = ways[(k + 1) % 4];
        if (seen[k] and seen[(k + 1) % 4] and
            sees(file, rank, way[0] - next[0], way[1] - next[1], stone) and
            sees(file, rank, next[0] - way[0], next[1] - way[1], stone)) return true;
    }
    return false;
}

/// Place the stones of a FEN: rows from the top, then the colour to move.
fn setUp(fen: []const u8) void {
    stones = @splat(.none);
    var parts = std.mem.splitScalar(u8, fen, '_');
    var rows = std.mem.splitScalar(u8, parts.first(), '/');
    turn = if (std.mem.eql(u8, parts.next() orelse "b", "w")) .white else .black;
    var rank = size - 1;
    while (rows.next()) |row| : (rank -= 1) {
        for (row, 0..) |letter, file| {
            if (letter != '.') at(@intCast(file), rank).* = if (letter == 'b') .black else .white;
        }
    }
}

fn play(move: []const u8) void {
    if (std.mem.eql(u8, move, "swap")) return; // persons exchange colours: the same colour is to move
    if (!std.mem.eql(u8, move, "pass")) {
        const digits = std.mem.trimEnd(u8, move[1..], "x");
        const rank = std.fmt.parseInt(i32, digits, 10) catch return;
        at(move[0] - 'a', rank - 1).* = turn;
    }
    turn = other(turn);
}

/// Write a move: one of the flips, or one of the placements, or a pass.
fn choose(random: std.Random, out: *std.Io.Writer) !void {
    const enemy = other(turn);
    for ([2]bool{ true, false }) |is_flip| {
        var count: u32 = 0;
        var best: [2]i32 = undefined;
        var rank: i32 = 0;
        while (rank < size) : (rank += 1) {
            var file: i32 = 0;
            while (file < size) : (file += 1) {
                const here = at(file, rank).*;
                const is_legal = if (is_flip) here == enemy and controls(turn, file, rank) else here == .none and !controls(enemy, file, rank);
                if (!is_legal) continue;
                count += 1;
                if (random.uintLessThan(u32, count) == 0) best = .{ file, rank };
            }
        }
        if (count == 0) continue;
        const letter: u8 = 'a' + @as(u8, @intCast(best[0]));
        return out.print("bestmove {c}{d}{s}\n", .{ letter, @as(u32, @intCast(best[1] + 1)), if (is_flip) "x" else "" });
    }
    try out.writeAll("bestmove pass\n");
}

pub fn main(init: std.process.Init) !void {
    var input: [65536]u8 = undefined;
    var output: [4096]u8 = undefined;
    var reader = std.Io.File.stdin().readerStreaming(init.io, &input);
    var writer = std.Io.File.stdout().writerStreaming(init.io, &output);
    const out = &writer.interface;
    var generator = std.Random.DefaultPrng.init(7);
    while (try reader.interface.takeDelimiter('\n')) |line| {
        var words = std.mem.tokenizeScalar(u8, line, ' ');
        const word = words.next() orelse continue;
        if (std.mem.eql(u8, word, "ugi")) {
            try out.writeAll("id name morlox.zig\nugiok\n");
        } else if (std.mem.eql(u8, word, "setoption")) {
            const from = 5 + (std.mem.indexOf(u8, line, "size=") orelse continue);
            const to = std.mem.indexOfAnyPos(u8, line, from, ",)") orelse continue;
            size = try std.fmt.parseInt(i32, line[from..to], 10);
        } else if (std.mem.eql(u8, word, "isready")) {
            try out.writeAll("readyok\n");
        } else if (std.mem.eql(u8, word, "position")) { // `startpos`, or `fen` in a match that begins from an opening
            const kind = words.next() orelse continue;
            setUp(if (std.mem.eql(u8, kind, "fen")) words.next() orelse "" else "");
            _ = words.next();
            while (words.next()) |move| play(move);
        } else if (std.mem.eql(u8, word, "go")) {
            try choose(generator.random(), out);
        } else if (std.mem.eql(u8, word, "quit")) {
            return;
        }
        try out.flush();
    }
}
